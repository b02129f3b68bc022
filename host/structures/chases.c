/* See chases.h. */
#include "host/structures/chases.h"

#include <math.h>

#include "host/solve/stats.h"
#include "host/structures/edges.h"

enum {
	SHORTEST = 16, /* bytes of a line, at least */
	LONGEST = 256, /* at most */
	LEAST_BYTES = 1024,
	QUARTERS = 4, /* sizes of the curve in each power of two */
};

/* A level is so much slower than the one before it. */
static const double slower = 1.25;
/* Points of one latency differ by less, and those of two by more. */
static const double flat = 0.08, steep = 0.2;

static const char no_answer[] = "no answer";

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
		ret->is_flat = first > 0;
		ret->no_line = first > 0 ? "no set, up to 2 MB or half of the "
					   "memory, was beyond the first level"
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
		     uint64_t most_bytes, struct levels_found *ret,
		     struct err *e)
{
	struct core_probe list[LEVELS_MOST_POINTS];
	struct probe_value values[LEVELS_MOST_POINTS];
	size_t n = 0;

	for (uint64_t power = LEAST_BYTES; n < LEVELS_MOST_POINTS; power *= 2)
		for (uint64_t k = 0; k < QUARTERS; k++) {
			uint64_t bytes = power + power / QUARTERS * k;
			struct core_probe p = chases_probe(bytes, step);

			if (n == LEVELS_MOST_POINTS ||
			    chain_bytes(&p.chain) > most_bytes)
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
	stats_sort(v, n);
	quarter = n / 4;
	*ret_low = v[quarter];
	*ret_high = v[n - 1 - quarter];
	return v[n / 2];
}

/* ---- all of it ---------------------------------------------------------------- */

/* Size and ways of the level that ends at point `last`; the next one's begin at
 * point `next`. */
static int measure_level(struct edge_search *s, struct levels_found *f,
			 size_t last, size_t next, struct err *e)
{
	struct level_found *l = &f->level[f->n];
	double here, unused, beyond;
	size_t end = next < f->n_points ? level_end(f, next) : f->n_points - 1;

	here = (l->low_cycles + l->high_cycles) / 2;
	beyond = next < f->n_points ? latency_of(f, next, end, &unused, &unused)
				    : at(f, end);
	s->limit = edges_limit(s->o, here, beyond);
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
	if (edges_size(s, l, e) == ERR_OK)
		(void)edges_ways(s, l, e);
	return e->code;
}

/* A level that is less than twice the one before it is a part of its edge. */
static void merge_edge(struct levels_found *f)
{
	struct level_found *l = &f->level[f->n - 1];

	if (f->n < 2 || l->bytes >= 2 * l[-1].bytes)
		return;
	l[-1].gone_bytes = l->gone_bytes;
	f->n--;
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
	/* Where larger sets of the first search took no longer, no set does: an
	 * emulator, which takes long for large ones. */
	enum { MOST_FLAT = 4 << 20 };
	struct edge_search s = { .a = a, .o = o };
	uint64_t most = o->most_bytes;
	size_t first = 0;

	*ret = (struct levels_found){ .n = 0 };
	if (find_line(o, ret, e) != ERR_OK)
		return e->code;
	s.line = levels_line(ret);
	if (ret->is_flat && most > MOST_FLAT)
		most = MOST_FLAT;
	if (ask_curve(o, s.line, most, ret, e) != ERR_OK)
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
		ret->level[ret->n].label = ret->points[last].value.label;
		ret->n++;
		first = next;
		merge_edge(ret);
	}
	return ERR_OK;
}

void levels_beyond(struct arena *a, struct levels_found *f, uint64_t reach)
{
	size_t kept = f->n;

	while (kept > 1 && f->level[kept - 2].bytes > reach / 2)
		kept--;
	if (kept == f->n)
		return;
	f->no_level = arena_printf(
		a,
		"dropped: beyond %lluK, the reach of the TLB, slower loads may "
		"be page walks",
		(unsigned long long)(reach >> 10));
	f->n = kept;
}
