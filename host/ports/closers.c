/* Forms that close ports of others.
 *
 * While instructions of 512 bits are about, some cores have no vector unit on
 * one of their ports: one such instruction in a flood of others makes all of
 * them slower.  What it takes of the flood grows with the flood, as that of no
 * uops on fixed ports does.  No matrix has such forms beside the others, so
 * they are told and left out. */
#include <math.h>

#include "host/ports/infer.h"

enum {
	SAMPLE = 96,   /* forms that are tried first, ... */
	LEAST = 3,     /* ... of which so many must close ports */
	LONGEST = 200, /* instances of a flood */
	/* One of so many forms may close ports; where more seem to, the flooded
	 * one is what changes with its neighbours: a move that is faster alone
	 * than the ports that it takes where the renamer cannot do it. */
	MOST_CLOSERS = 2,
};

/* Of what closing one port costs, in the first flood and from one length to
 * the next. */
static const double first_share = 0.5, slope_share = 0.75;

struct suspects {
	uint32_t flooded;
	unsigned size; /* ports of the flooded form */
	size_t n;
	uint32_t *forms;
	bool changes; /* the flooded one does, not the others */
};

/* Instances of a flood in which closing one of its ports costs more than the
 * form ever does by itself; 0: too many. */
static uint32_t flood_for(const struct infer *in, unsigned size, uint32_t form)
{
	double n = ceil(size * (size - 1) * (2 * in->f[form].alone.cycles + 2));

	return n > LONGEST ? 0 : (uint32_t)n;
}

static int flood(struct infer *in, const struct suspects *s, uint32_t times,
		 struct ports_value *values)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, s->n + 1);

	for (size_t i = 0; i < s->n; i++) {
		infer_add(&mixes[i], s->flooded,
			  times * flood_for(in, s->size, s->forms[i]));
		infer_add(&mixes[i], s->forms[i], 1);
	}
	return infer_measure(in, PORTS_MERGE, mixes, s->n, values);
}

/* Who is left, of so many with a value. */
static void leave(struct suspects *s, size_t n, size_t n_values)
{
	s->n = n;
	s->changes |= n >= LEAST && MOST_CLOSERS * n > n_values;
}

/* The first flood: who costs it more than by itself. */
static int sift(struct infer *in, struct suspects *s)
{
	struct ports_value *v =
		ARENA_ARRAY(in->a, struct ports_value, s->n + 1);
	size_t n = 0, n_values = 0;

	if (flood(in, s, 1, v) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < s->n; i++) {
		uint32_t length = flood_for(in, s->size, s->forms[i]);
		double base = length * in->f[s->flooded].alone.cycles;
		double most = base + in->f[s->forms[i]].alone.cycles +
			      first_share * base / (s->size - 1);

		n_values += v[i].has_value;
		if (v[i].has_value && v[i].cycles > most)
			s->forms[n++] = s->forms[i];
	}
	leave(s, n, n_values);
	return ERR_OK;
}

/* Then whether that grows with the flood. */
static int confirm(struct infer *in, struct suspects *s)
{
	struct ports_value *once =
		ARENA_ARRAY(in->a, struct ports_value, s->n + 1);
	struct ports_value *twice =
		ARENA_ARRAY(in->a, struct ports_value, s->n + 1);
	size_t n = 0;

	if (flood(in, s, 1, once) != ERR_OK || flood(in, s, 2, twice) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < s->n; i++) {
		uint32_t length = flood_for(in, s->size, s->forms[i]);
		double base = length * in->f[s->flooded].alone.cycles;
		double rise = twice[i].cycles - once[i].cycles;

		if (once[i].has_value && twice[i].has_value &&
		    rise > base * (1 + slope_share / (s->size - 1)))
			s->forms[n++] = s->forms[i];
	}
	s->n = n;
	return ERR_OK;
}

/* Every so many forms one that can be tried. */
static size_t choose(const struct infer *in, uint32_t flooded, unsigned size,
		     size_t most, uint32_t *forms)
{
	size_t step = (in->q->n_forms + most - 1) / most, n = 0;

	for (size_t i = 0; i < in->q->n_forms; i += step)
		if (i != flooded && in->f[i].alone.has_value &&
		    in->f[i].closes == 0 &&
		    flood_for(in, size, (uint32_t)i) > 0)
			forms[n++] = (uint32_t)i;
	return n;
}

static int find(struct infer *in, struct suspects *s, size_t most)
{
	s->n = choose(in, s->flooded, s->size, most, s->forms);
	if (sift(in, s) != ERR_OK || s->changes || s->n == 0)
		return in->e->code;
	return confirm(in, s);
}

int infer_closers(struct infer *in, uint32_t flooded, unsigned size,
		  bool *ret_changes)
{
	struct suspects s = {
		.flooded = flooded,
		.size = size,
		.forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms + 1),
	};
	bool all = in->q->n_forms <= SAMPLE;

	*ret_changes = false;
	if (size < 2)
		return ERR_OK;
	if (find(in, &s, SAMPLE) != ERR_OK)
		return in->e->code;
	*ret_changes = s.changes;
	if (s.changes || s.n < (all ? 1 : LEAST))
		return ERR_OK;
	if (!all && find(in, &s, in->q->n_forms) != ERR_OK)
		return in->e->code;
	*ret_changes = s.changes;
	for (size_t i = 0; i < s.n && !s.changes; i++) {
		struct form_state *f = &in->f[s.forms[i]];

		f->closes = size;
		f->verdict = PORTS_CLOSES;
		f->how = arena_printf(in->a,
				      "it closes ports: while it is about, %s "
				      "has fewer than %u",
				      in->q->forms[flooded].name, size);
	}
	return ERR_OK;
}
