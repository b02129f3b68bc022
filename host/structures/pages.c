/* See pages.h. */
#include "host/structures/pages.h"

#include <math.h>

#include "host/solve/stats.h"

enum {
	LEAST = 8,    /* pages */
	QUARTERS = 4, /* numbers of pages in each power of two */
};

/* A hit in the second level takes so many cycles more than one in the first, at
 * least, and a walk than that. */
static const double step = 2;

/* A part of the way from one level to the next: a number with less fits. */
static const double fits = 0.1;

/* Each line in a page of its own, at another place in it. */
static struct core_probe apart_probe(const struct probe_oracle *o,
				     uint32_t pages, uint32_t line)
{
	return (struct core_probe){
		.kind = PROBE_CHASE,
		.chain = { .places = pages, .step = o->page_bytes + line },
	};
}

bool pages_hits(const struct probe_oracle *o, const struct levels_found *levels,
		const struct pages_found *f, struct core_probe ret[2])
{
	/* Random replacement would leave some of twice as many there. */
	static const uint32_t times[] = { 4, 3, 2 };
	uint32_t line = levels_line(levels);

	for (size_t i = 0; f->n > 1 && i < ARRAY_LEN(times); i++) {
		uint32_t pages = times[i] * f->level[0].high;

		if (pages > f->level[1].low / 2 ||
		    (uint64_t)pages * line > levels->level[0].bytes * 3 / 4)
			continue;
		ret[0] = apart_probe(o, pages, line);
		ret[1] = chases_probe((uint64_t)pages * line, line);
		return true;
	}
	return false;
}

void pages_walks(const struct probe_oracle *o,
		 const struct levels_found *levels, const struct pages_found *f,
		 struct core_probe ret[2])
{
	uint32_t line = levels_line(levels);
	uint32_t pages = f->points[f->n_points - 1].pages;

	ret[0] = apart_probe(o, pages, line);
	ret[1] = chases_probe((uint64_t)pages * line, line);
}

/* Ask both chases for the numbers of pages in ret->points. */
static int ask_points(const struct probe_oracle *o, uint32_t line,
		      struct pages_found *ret, struct err *e)
{
	struct core_probe list[2 * PAGES_MOST_POINTS];
	struct probe_value values[2 * PAGES_MOST_POINTS];
	size_t n = ret->n_points;

	if (n == 0)
		return ERR_OK;
	for (size_t i = 0; i < n; i++) {
		list[i] = apart_probe(o, ret->points[i].pages, line);
		list[n + i] = chases_probe(
			(uint64_t)ret->points[i].pages * line, line);
	}
	if (o->ask(o->context, list, 2 * n, values, e) != ERR_OK)
		return e->code;
	ret->n_points = 0;
	for (size_t i = 0; i < n; i++)
		if (values[i].known && values[n + i].known)
			ret->points[ret->n_points++] = (struct pages_point){
				.pages = ret->points[i].pages,
				.apart = values[i].cycles,
				.together = values[n + i].cycles,
			};
	return ERR_OK;
}

static double added(const struct pages_found *f, size_t i)
{
	return f->points[i].apart - f->points[i].together;
}

/* The first point from which on all cost more than `limit`. */
static size_t first_beyond(const struct pages_found *f, double limit)
{
	size_t i = f->n_points;

	while (i > 0 && added(f, i - 1) > limit)
		i--;
	return i;
}

/* The value at a part of the way through the sorted points [first, end). */
static double quantile(const struct pages_found *f, size_t first, size_t end,
		       double part)
{
	double v[PAGES_MOST_POINTS];
	size_t n = 0;

	for (size_t i = first; i < end; i++)
		v[n++] = added(f, i);
	stats_sort(v, n);
	return v[(size_t)(part * (double)(n - 1) + 0.5)];
}

/* Narrow the number of pages that fit a level, between its neighbours on the
 * curve. */
static int narrow(const struct probe_oracle *o, uint32_t line, double limit,
		  uint32_t *low, uint32_t *high, struct err *e)
{
	enum { ASKED = 7, PARTS = 64 };

	while (*high - *low > 1 && *high - *low > *low / PARTS) {
		struct pages_found f = { .n_points = 0 };
		uint32_t before = *low;

		for (uint32_t k = 1; k <= ASKED; k++) {
			uint32_t x = *low + (*high - *low) * k / (ASKED + 1);

			if (x > before && x < *high) {
				f.points[f.n_points++].pages = x;
				before = x;
			}
		}
		if (f.n_points == 0 || ask_points(o, line, &f, e) != ERR_OK)
			return e->code;
		if (f.n_points == 0)
			break; /* no answer: the interval stays */
		for (size_t i = f.n_points; i-- > 0;) {
			if (added(&f, i) <= limit) {
				*low = f.points[i].pages;
				break;
			}
			*high = f.points[i].pages;
		}
	}
	return ERR_OK;
}

/* Where the curve leaves a plateau for good: its last level of so many cycles that
 * has four points.  Points rise, fall back at odd numbers, and are noisy, so
 * medians of four count. */
static size_t plateau_from(const struct pages_found *f, size_t first)
{
	enum { N = 4 };

	for (size_t i = first; i + N <= f->n_points; i++) {
		double low = quantile(f, i, i + N, 0);
		double high = quantile(f, i, i + N, 1);

		if (high - low <= fmax(step / 2, low / 8))
			return i;
	}
	return f->n_points;
}

static int find_levels(const struct probe_oracle *o, uint32_t line,
		       struct pages_found *ret, struct err *e)
{
	double before = 0;

	while (ret->n < PAGES_LEVELS) {
		size_t left, next;
		double cycles, limit;

		/* The first point behind the plateau that is a step higher, as
		 * all behind it are. */
		left = first_beyond(ret, before + step);
		if (left == 0 || left == ret->n_points)
			break;
		next = plateau_from(ret, left);
		cycles = next < ret->n_points
				 ? quantile(ret, next, next + 4, 0.5)
				 : quantile(ret, left, ret->n_points, 0.5);
		if (next < ret->n_points) {
			size_t end = next + 4;

			while (end < ret->n_points &&
			       added(ret, end) <= cycles + step)
				end++;
			cycles = quantile(ret, next, end, 0.5);
		}
		limit = before + fmax(1.5 * step, fits * (cycles - before));
		left = first_beyond(ret, limit);
		if (left == 0 || left == ret->n_points)
			break;
		ret->level[ret->n].low = ret->points[left - 1].pages;
		ret->level[ret->n].high = ret->points[left].pages;
		ret->level[ret->n].cycles = before;
		if (narrow(o, line, limit, &ret->level[ret->n].low,
			   &ret->level[ret->n].high, e) != ERR_OK)
			return e->code;
		ret->n++;
		before = cycles;
		if (ret->n == PAGES_LEVELS) {
			size_t from = next < ret->n_points ? next : left;

			ret->walk = cycles;
			ret->walk_low =
				fmin(cycles,
				     quantile(ret, from, ret->n_points, 0.25));
			ret->walk_high =
				fmax(cycles,
				     quantile(ret, from, ret->n_points, 0.75));
			ret->no_walk = NULL;
		}
		if (next == ret->n_points)
			break;
	}
	return ERR_OK;
}

int pages_find(struct arena *a, const struct probe_oracle *o,
	       const struct levels_found *levels, struct pages_found *ret,
	       struct err *e)
{
	uint32_t line = levels_line(levels);
	uint64_t most;

	*ret = (struct pages_found){
		.page_bytes = o->page_bytes,
		.no_walk = "a walk or a hit in a second level: no set had more "
			   "pages",
	};
	if (o->page_bytes == 0) {
		ret->reason = "the size of pages is not known";
		return ERR_OK;
	}
	most = o->most_bytes > CHAIN_AT
		       ? (o->most_bytes - CHAIN_AT) / (o->page_bytes + line)
		       : 0;
	/* Behind the second level of caches, chases are too noisy. */
	if (levels->n > 1 && levels->level[1].bytes / line < most)
		most = levels->level[1].bytes / line * 3 / 4;
	for (uint32_t power = LEAST; power <= most; power *= 2)
		for (uint32_t k = 0; k < QUARTERS; k++) {
			uint32_t pages = power + power * k / QUARTERS;

			if (pages <= most && ret->n_points < PAGES_MOST_POINTS)
				ret->points[ret->n_points++].pages = pages;
		}
	if (ret->n_points < 2 * QUARTERS) {
		ret->n_points = 0;
		ret->reason = "too little memory";
		return ERR_OK;
	}
	if (ask_points(o, line, ret, e) != ERR_OK ||
	    find_levels(o, line, ret, e) != ERR_OK)
		return e->code;
	if (ret->n_points == 0)
		ret->reason = "no answer";
	else if (ret->n == 0)
		ret->reason = arena_printf(
			a,
			"up to %u pages cost nothing, or are not told from "
			"caches",
			(unsigned)ret->points[ret->n_points - 1].pages);
	return ERR_OK;
}
