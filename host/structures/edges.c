/* See edges.h. */
#include "host/structures/edges.h"

#include <math.h>

enum {
	MOST_WAYS = 64,
	ASKED = 7,  /* sizes of a search at once */
	PARTS = 64, /* a search on a board ends at this part of the size */
	KILO = 1024,
};

/* A part of the way from one latency to the next: a size with less fits. */
static const double fits = 0.2;

static const char no_answer[] = "no answer";

/* Of the numbers x with answers, the first that does not fit.  Of a disturbed one a
 * larger one may still fit. */
static void take_answers(struct edge_search *s, const uint64_t *x,
			 const struct probe_value *values, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		if (!values[i].known)
			continue;
		if (values[i].cycles <= s->limit) {
			s->low = x[i];
			break;
		}
		s->high = x[i];
	}
}

/* Narrow [low, high] until they are `end` apart, or there are no answers. */
static int search_edge(struct edge_search *s, uint64_t end, struct err *e)
{
	while (s->high - s->low > end) {
		struct core_probe list[ASKED];
		struct probe_value values[ASKED];
		uint64_t x[ASKED], low = s->low, apart = s->high - s->low;
		size_t n = 0;

		for (uint64_t k = 1; k <= ASKED; k++) {
			uint64_t next =
				s->low + (s->high - s->low) * k / (ASKED + 1);

			next -= next % s->unit;
			if (next <= low || next >= s->high)
				continue;
			low = x[n] = next;
			list[n] = s->make(s, next);
			n += chain_fits(&list[n].chain, s->o->most_bytes);
		}
		if (n == 0)
			break;
		if (s->o->ask(s->o->context, list, n, values, e) != ERR_OK)
			return e->code;
		take_answers(s, x, values, n);
		if (s->high - s->low == apart)
			break;
	}
	return ERR_OK;
}

static struct core_probe size_probe(const struct edge_search *s, uint64_t bytes)
{
	return chases_probe(bytes, s->line);
}

/* Columns of lines that share sets; each so long that the level before does not
 * serve them. */
static struct core_probe columns_probe(const struct edge_search *s,
				       uint64_t columns)
{
	uint64_t lines = 2 * s->before / (columns * s->line) + 1;

	if (lines > UINT16_MAX)
		lines = 0; /* no column is so long: a chain that never fits */
	return (struct core_probe){
		.kind = PROBE_CHASE,
		.chain = { .places = (uint32_t)(columns * lines),
			   .step = s->line,
			   .stride = (uint32_t)s->bytes,
			   .per = (uint16_t)lines },
		.huge = true,
	};
}

/* Of the multiples of `unit` from low to high, the one with the longest row of
 * zeros. */
static uint64_t plainest(uint64_t low, uint64_t high, uint64_t unit)
{
	uint64_t step = unit;

	while (high / (2 * step) * (2 * step) >= low &&
	       high / (2 * step) * (2 * step) > 0)
		step *= 2;
	return high / step * step;
}

double edges_limit(const struct probe_oracle *o, double here, double next)
{
	return o->resolution > 0
		       ? here + fmax(fits * (next - here), o->resolution * here)
		       : here * (1 + 1e-9);
}

int edges_size(struct edge_search *s, struct level_found *l, struct err *e)
{
	uint64_t end = s->o->resolution > 0 ? s->low / PARTS : s->line;

	s->make = size_probe;
	s->unit = s->line;
	if (search_edge(s, end < s->line ? s->line : end, e) != ERR_OK)
		return e->code;
	/* A tenth of the lines beyond it may still be served. */
	l->bytes =
		s->o->resolution > 0
			? plainest(s->low - s->low / (PARTS / 2), s->high, KILO)
			: s->low;
	l->low_bytes = l->bytes < s->low ? l->bytes : s->low;
	l->high_bytes = s->high;
	return ERR_OK;
}

int edges_ways(struct edge_search *s, struct level_found *l, struct err *e)
{
	struct core_probe most;

	s->bytes = l->bytes;
	s->make = columns_probe;
	s->unit = 1;
	s->low = 1;
	s->high = MOST_WAYS + 1;
	for (; s->high > 1; s->high--) {
		most = columns_probe(s, s->high);
		if (chain_fits(&most.chain, s->o->most_bytes))
			break;
	}
	l->no_ways =
		s->high < 4 ? "columns of lines do not fit into memory" : NULL;
	if (l->no_ways)
		return ERR_OK;

	uint64_t most_ways = s->high;
	struct probe_value v;

	if (s->o->ask(s->o->context, &most, 1, &v, e) != ERR_OK)
		return e->code;
	l->no_ways = v.known ? NULL : no_answer;
	if (l->no_ways)
		return ERR_OK;
	if (v.cycles <= s->limit) {
		l->no_ways = arena_printf(
			s->a,
			"%u columns of lines still fit: sets are chosen by "
			"physical addresses in small pages, or by a hash",
			(unsigned)most_ways);
		return ERR_OK;
	}
	if (search_edge(s, 1, e) != ERR_OK)
		return e->code;
	if (s->high - s->low > 1) {
		l->no_ways = arena_printf(
			s->a,
			"from %u to %u: between them no answer, or too little "
			"memory",
			(unsigned)s->low, (unsigned)s->high - 1);
		return ERR_OK;
	}
	l->ways = (uint32_t)s->low;
	if (l->bytes % ((uint64_t)l->ways * s->line) != 0) {
		l->no_ways = arena_printf(
			s->a, "%u columns fit, which do not divide its size",
			(unsigned)l->ways);
		l->ways = 0;
	}
	return ERR_OK;
}
