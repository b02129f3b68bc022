/* See kinds.h. */
#include "tests/ports/kinds.h"

#include <stdio.h>
#include <string.h>

static bool add_crowds(struct truth *t)
{
	truth_add_crowds(t);
	return true;
}

static bool add_unstable(struct truth *t)
{
	truth_add_unstable(t);
	return true;
}

static bool add_sides(struct truth *t)
{
	truth_add_sides(t);
	return true;
}

static bool slow(struct truth *t)
{
	truth_slow(t);
	return true;
}

static bool give_state(struct truth *t)
{
	t->has_state = true;
	return true;
}

static bool share(struct truth *t)
{
	t->is_shared = true;
	return true;
}

static const struct kind kinds[] = {
	{ "optimal", 1, 0.005, 0.004, 0.04, .change = NULL },
	{ "greedy", 0.98, 0.02, 0.004, 0.04, .greedy = true },
	{ "uneven", 0.98, 0.05, 0.004, 0.08, .uneven = true },
	{ "closing", 0.98, 0.02, 0.004, 0.04, .change = truth_add_blockers },
	{ "crowded", 0.98, 0.05, 0.004, 0.08, .uneven = true,
	  .change = add_crowds },
	{ "spent", 0, 0.005, 0.005, 1, .spent = true },
	{ "readers", 0.98, 0.005, 0.004, 0.04, .change = truth_add_readers },
	{ "batches", 1, 0.005, 0.004, 0.04, .batches = true },
	{ "published", 1, 0.005, 0.004, 0.04, .published = true },
	{ "tables", 0.98, 0.05, 0.004, 0.08, .uneven = true,
	  .published = true },
	/* The solver's steps run out: all is open. */
	{ "hard", 0.9, 0.2, 0.004, 1, .uneven = true, .published = true },
	{ "sides", 0.999, 0.005, 0.004, 0.04, .change = add_sides },
	{ "late", 0.98, 0.02, 0.004, 0.04, .batches = true,
	  .change = truth_add_blockers },
	{ "unstable", 1, 0.005, 0.004, 0.04, .change = add_unstable },
	{ "slowed", 1, 0.02, 0.004, 0.06, .change = slow },
	/* A scheduler that does not know all, and a state that no probe shows,
	 * look like ports: more claims are wrong than elsewhere.  The limits
	 * hold for the few cores of the tests, too. */
	{ "binding", 0.99, 0.01, 0.012, 0.08, .change = truth_bind },
	{ "held", 1, 0.01, 0.006, 0.04, .change = truth_add_held },
	{ "accesses", 1, 0.01, 0.004, 0.04, .change = truth_add_accesses },
	{ "addresses", 0.98, 0.02, 0.012, 0.13,
	  .change = truth_share_addresses },
	{ "immediates", 0.98, 0.05, 0.005, 0.12, .uneven = true,
	  .change = truth_add_immediates },
	{ "drifting", 1, 0.01, 0.004, 0.04, .change = truth_drift },
	{ "moves", 1, 0.01, 0.006, 0.08, .change = truth_add_moves },
	{ "state", 0.98, 0.09, 0.025, 0.09, .change = give_state },
	{ "shared", 0.99, 0.01, 0.004, 0.04, .change = share },
};

const struct kind *kinds_find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	(void)fprintf(stderr, "solver: KIND is '%s'; it is one of:", name);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		(void)fprintf(stderr, " %s", kinds[i].name);
	(void)fputc('\n', stderr);
	return NULL;
}
