/* See kinds.h. */
#include "host/experiment/kinds.h"

#include <string.h>

#include "host/effect/effect.h"

static const struct experiment_row kinds[EXPERIMENT_N_CORE] = {
#define EXPERIMENT_ROW(name, word, claim, rank, facts) \
	[EXPERIMENT_##name] = { word, claim, rank, facts },
	EXPERIMENT_KINDS(EXPERIMENT_ROW)
#undef EXPERIMENT_ROW
};

/* The rank of a mix with an address that has an index: it counts slots. */
enum { SLOTS_RANK = 2 };

/* NULL: no such kind. */
static const struct experiment_row *row_of(enum experiment_kind kind)
{
	const struct effect *x = effect_of_kind(kind);

	if (kind < EXPERIMENT_N_CORE)
		return &kinds[kind];
	return x ? x->kind : NULL;
}

enum experiment_kind experiment_kind_of(const char *word, size_t n)
{
	for (enum experiment_kind k = 0; k < EXPERIMENT_N; k++) {
		const struct experiment_row *r = row_of(k);

		if (r && strlen(r->word) == n && strncmp(r->word, word, n) == 0)
			return k;
	}
	return EXPERIMENT_N;
}

const char *experiment_kind_word(enum experiment_kind kind)
{
	return row_of(kind)->word;
}

const char *experiment_claim_word(enum experiment_kind kind)
{
	return row_of(kind)->claim;
}

bool experiment_kind_is(enum experiment_kind kind, unsigned facts)
{
	const struct experiment_row *r = row_of(kind);

	return r && (r->facts & facts) != 0;
}

unsigned experiment_rank(const char *label)
{
	enum experiment_kind kind =
		experiment_kind_of(label, strcspn(label, ":"));

	if (kind == EXPERIMENT_N)
		return EXPERIMENT_N_RANKS - 1;
	if (kind == EXPERIMENT_MIX && strstr(label, "/index+"))
		return SLOTS_RANK;
	return row_of(kind)->rank;
}
