/* See chases.h. */
#include "host/structures/chases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	USUAL_LINE = 64, /* until it is known */
	SHORTEST = 16,   /* bytes of a line, at least */
	LONGEST = 256,   /* at most */
	LEAST_BYTES = 1024,
	QUARTERS = 4,  /* sizes of the curve in each power of two */
	GROUP = 65536, /* bytes that are in use at once: few pages */
	MOST_WAYS = 64,
	ASKED = 7,  /* sizes of a search at once */
	PARTS = 64, /* a search on a board ends at this part of the size */
	KILO = 1024,
};

/* A level is so much slower than the one before it. */
static const double slower = 1.25;
/* A part of the way from one latency to the next: a size with less fits. */
static const double fits = 0.2;
/* Points of one latency differ by less, and those of two by more. */
static const double flat = 0.08, steep = 0.2;

static const char no_answer[] = "no answer";

struct core_probe chases_probe(uint64_t bytes, uint32_t step)
{
	uint64_t places = bytes / step;

	return (struct core_probe){
		.kind = PROBE_CHASE,
		.chain = { .places = places ? (uint32_t)places : 1,
			   .step = step,
			   .group = (uint16_t)(GROUP / step) },
		.huge = true,
	};
}

/* Two places, `apart` bytes apart, visited one behind the other, and so many
 * such pairs that no first place is in the first level. */
static struct core_probe pair_probe(uint64_t bytes, uint32_t apart)
{
	enum { STRIDE = 2 * LONGEST, TIMES = 8 };

	return (struct core_probe){
		.kind = PROBE_CHASE,
		.chain = { .places = (uint32_t)(2 * TIMES * bytes / STRIDE),
			   .step = apart,
			   .stride = STRIDE,
			   .per = 2,
			   .group = 2 },
		.huge = true,
	};
}

/* A power of two that does not fit the first level; 0: none, or no answer. */
static int find_beyond(const struct probe_oracle *o, uint64_t *ret,
		       double *ret_first, struct err *e)
{
	enum { N = 12 };
	struct core_probe list[N];
	struct probe_value values[N];
	size_t n = 0;

	*ret = 0;
	for (uint64_t bytes = LEAST_BYTES; n < N && bytes <= o->most_bytes / 2;
	     bytes *= 2)
		list[n++] = chases_probe(bytes, SHORTEST);
	if (n == 0 || o->ask(o->context, list, n, values, e) != ERR_OK)
		return e->code;
	*ret_first = values[0].known ? values[0].cycles : 0;
	for (size_t i = 1; i < n && *ret == 0; i++)
		if (values[0].known && values[i].known &&
		    values[i].cycles > slower * *ret_first)
			*ret = (uint64_t)LEAST_BYTES << i;
	return ERR_OK;
}

static int find_line(const struct probe_oracle *o, struct levels_found *ret,
		     struct err *e)
{
	enum { N = 6 };
	struct core_probe list[N];
	struct probe_value values[N];
	double first = 0, far;
	uint64_t beyond;
	size_t n = 0;

	if (find_beyond(o, &beyond, &first, e) != ERR_OK)
		return e->code;
	if (beyond == 0) {
		ret->no_line = first > 0 ? "no set was beyond the first level"
					 : no_answer;
		return ERR_OK;
	}
	for (uint32_t apart = SHORTEST / 2; apart <= LONGEST; apart *= 2)
		if (n < N)
			list[n++] = pair_probe(beyond, apart);
	if (chain_bytes(&list[n - 1].chain) > o->most_bytes) {
		ret->no_line = "too little memory";
		return ERR_OK;
	}
	if (o->ask(o->context, list, n, values, e) != ERR_OK)
		return e->code;
	ret->no_line = no_answer;
	for (size_t i = 0; i < n; i++)
		if (!values[i].known)
			return ERR_OK;
	/* In one line, the second load hits the first level. */
	ret->no_line = "pairs of loads showed none";
	far = 2 * values[0].cycles - first;
	for (size_t i = 1; i < n; i++)
		if (values[i].cycles > (values[0].cycles + far) / 2) {
			ret->line = list[i].chain.step;
			ret->no_line = NULL;
			break;
		}
	return ERR_OK;
}

/* ---- the curve ---------------------------------------------------------------- */

/* Nothing makes a smaller set slower than larger ones but a disturbance: a point
 * counts as the lowest of itself and the few behind it. */
static void clean_curve(struct levels_found *f)
{
	enum { BEHIND = 4 };

	for (size_t i = 0; i < f->n_points; i++) {
		f->points[i].least = f->points[i].value.cycles;
		for (size_t k = i + 1; k <= i + BEHIND && k < f->n_points; k++)
			f->points[i].least = fmin(f->points[i].least,
						  f->points[k].value.cycles);
	}
}

static int ask_curve(const struct probe_oracle *o, uint32_t step,
		     struct levels_found *ret, struct err *e)
{
	struct core_probe list[LEVELS_MOST_POINTS];
	struct probe_value values[LEVELS_MOST_POINTS];
	size_t n = 0;

	for (uint64_t power = LEAST_BYTES; n < LEVELS_MOST_POINTS; power *= 2)
		for (uint64_t k = 0; k < QUARTERS; k++) {
			uint64_t bytes = power + power / QUARTERS * k;
			struct core_probe p = chases_probe(bytes, step);

			if (n == LEVELS_MOST_POINTS ||
			    chain_bytes(&p.chain) > o->most_bytes)
				goto asked;
			ret->points[n].bytes = bytes;
			list[n++] = p;
		}
asked:
	ret->n_points = n;
	if (n == 0 || o->ask(o->context, list, n, values, e) != ERR_OK)
		return e->code;
	/* Sizes without an answer are left out. */
	ret->n_points = 0;
	for (size_t i = 0; i < n; i++)
		if (values[i].known)
			ret->points[ret->n_points++] = (struct levels_point){
				.bytes = ret->points[i].bytes,
				.value = values[i],
			};
	clean_curve(ret);
	return ERR_OK;
}

static double at(const struct levels_found *f, size_t i)
{
	return f->points[i].least;
}

/* The last point of the level that has point `first`. */
static size_t level_end(const struct levels_found *f, size_t first)
{
	double base = at(f, first);
	size_t i = first;

	while (i + 1 < f->n_points && at(f, i + 1) <= base * (1 + steep)) {
		i++;
		/* A latency that creeps is still one. */
		if (at(f, i) < base * (1 + flat))
			base = (base + at(f, i)) / 2;
	}
	return i;
}

/* The first point behind `last` where the latency is that of another level;
 * n_points: there is none. */
static size_t next_level(const struct levels_found *f, size_t last)
{
	double base = at(f, last);

	for (size_t j = last + 1; j + 1 < f->n_points; j++)
		if (at(f, j) >= slower * base &&
		    at(f, j + 1) <= at(f, j) * (1 + flat) &&
		    (j + 2 >= f->n_points ||
		     at(f, j + 2) <= at(f, j) * (1 + steep)))
			return j;
	return f->n_points;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of the points of a level, and how far they are apart. */
static double latency_of(const struct levels_found *f, size_t first,
			 size_t last, double *ret_low, double *ret_high)
{
	double v[LEVELS_MOST_POINTS];
	size_t n = 0, quarter;

	/* The first points behind an edge may still lie on it. */
	if (last - first >= QUARTERS)
		first += QUARTERS / 2;
	for (size_t i = first; i <= last; i++)
		v[n++] = f->points[i].value.cycles;
	qsort(v, n, sizeof(*v), by_size);
	quarter = n / 4;
	*ret_low = v[quarter];
	*ret_high = v[n - 1 - quarter];
	return v[n / 2];
}

/* ---- searches ----------------------------------------------------------------- */

/* A question with a number: does so much fit? */
struct search {
	struct arena *a;
	const struct probe_oracle *o;
	struct core_probe (*make)(const struct search *s, uint64_t x);
	uint64_t unit;      /* numbers are multiples of it */
	uint64_t low, high; /* that fits, that does not */
	double limit;       /* cycles: more does not fit */
	uint32_t line;
	uint64_t bytes, before; /* of the level, of the one before it */
};

/* Of the numbers x with answers, the first that does not fit.  Of a disturbed one a
 * larger one may still fit. */
static void take_answers(struct search *s, const uint64_t *x,
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
static int search_edge(struct search *s, uint64_t end, struct err *e)
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

static struct core_probe size_probe(const struct search *s, uint64_t bytes)
{
	return chases_probe(bytes, s->line);
}

/* Columns of lines that share sets; each so long that the level before does not
 * serve them. */
static struct core_probe columns_probe(const struct search *s, uint64_t columns)
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

static double limit_of(const struct probe_oracle *o, double here, double next)
{
	return o->resolution > 0
		       ? here + fmax(fits * (next - here), o->resolution * here)
		       : here * (1 + 1e-9);
}

static int find_size(struct search *s, struct level_found *l, struct err *e)
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

static int find_ways(struct search *s, struct level_found *l, struct err *e)
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

/* ---- all of it ---------------------------------------------------------------- */

/* Size and ways of the level that ends at point `last`; the next one's begin at
 * point `next`. */
static int measure_level(struct search *s, struct levels_found *f, size_t last,
			 size_t next, struct err *e)
{
	struct level_found *l = &f->level[f->n];
	double here, unused, beyond;
	size_t end = next < f->n_points ? level_end(f, next) : f->n_points - 1;

	here = (l->low_cycles + l->high_cycles) / 2;
	beyond = next < f->n_points ? latency_of(f, next, end, &unused, &unused)
				    : at(f, end);
	s->limit = limit_of(s->o, here, beyond);
	s->before = f->n > 0 ? f->level[f->n - 1].bytes : 0;
	while (last > 0 && at(f, last) > s->limit)
		last--;
	s->low = f->points[last].bytes;
	s->high = f->points[last + 1].bytes;
	for (size_t i = last + 1; at(f, i) <= s->limit && i + 1 < f->n_points;
	     i++) {
		s->low = f->points[i].bytes;
		s->high = f->points[i + 1].bytes;
	}
	l->gone_bytes = next < f->n_points ? f->points[next].bytes : 0;
	if (find_size(s, l, e) == ERR_OK)
		(void)find_ways(s, l, e);
	return e->code;
}

/* Is what comes behind this point the same level after all?  Where memory itself
 * takes more or less time, single sizes stand out, but not the largest ones. */
static bool is_last(const struct levels_found *f, size_t last)
{
	size_t n = f->n_points;

	return next_level(f, last) == n &&
	       (n < 2 || at(f, n - 1) < slower * at(f, last) ||
		at(f, n - 2) < slower * at(f, last));
}

int chases_find(struct arena *a, const struct probe_oracle *o,
		struct levels_found *ret, struct err *e)
{
	struct search s = { .a = a, .o = o };
	size_t first = 0;

	*ret = (struct levels_found){ .n = 0 };
	if (find_line(o, ret, e) != ERR_OK)
		return e->code;
	s.line = ret->line ? ret->line : USUAL_LINE;
	if (ask_curve(o, s.line, ret, e) != ERR_OK)
		return e->code;
	ret->no_memory =
		ret->n_points ? "no set was beyond all levels" : no_answer;
	while (first < ret->n_points) {
		size_t last = level_end(ret, first), next;
		double low, high;

		(void)latency_of(ret, first, last, &low, &high);
		if (last + 1 == ret->n_points || ret->n == LEVELS_MOST ||
		    is_last(ret, last)) {
			/* Nothing is slower: memory, if any level was found;
			 * one level that holds everything is a cache. */
			if (ret->n > 0 && first + 1 < ret->n_points) {
				ret->memory_low = low;
				ret->memory_high = high;
				ret->no_memory = NULL;
			}
			break;
		}
		next = next_level(ret, last);
		ret->level[ret->n].low_cycles = low;
		ret->level[ret->n].high_cycles = high;
		if (measure_level(&s, ret, last, next, e) != ERR_OK)
			return e->code;
		/* Points on the edge are not of the level alone. */
		while (last > first &&
		       ret->points[last].bytes > ret->level[ret->n].low_bytes)
			last--;
		(void)latency_of(ret, first, last,
				 &ret->level[ret->n].low_cycles,
				 &ret->level[ret->n].high_cycles);
		ret->n++;
		first = next;
	}
	return ERR_OK;
}
