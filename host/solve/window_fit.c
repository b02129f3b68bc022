/* See window_fit.h.
 *
 * Chains of G groups stand behind each other: a group is K instances, each of
 * which waits l cycles for the one before, and n fillers that wait for nothing.
 * The first instance of a chain waits for nothing either, so it starts when it
 * is dispatched; everything leaves in order.  Where fillers share Q entries
 *
 *	filler i is dispatched when filler i - Q has retired,
 *
 * and that is when the group of i - Q is over, for each group ends with its
 * chain.  The last filler before the next chain is the G n - 1st, counted from
 * 0: that chain begins v + 1 groups behind the beginning of this one, with
 *
 *	v = floor((G n - 1 - Q) / n)      T = l K (v + 1)
 *
 * the time per chain, a staircase of Q.  Where instances take entries of the
 * same buffer, too, an entry of m = K + n behind each other is that of position
 * p of group v, v m + p = G m - Q; ahead of it in that group are p + 1
 * instances, at most K, and T = l (v K + min(p + 1, K)).
 *
 * A chain that is held back by no more than the one before the last takes half
 * of its own time, T = l K G / 2: as long as less than that is seen of a buffer
 * nothing is, and another buffer, that of instances which wait, may show first:
 * chains without fillers say when.
 *
 * A chain also begins with a delay: the time from a retirement to the first
 * result of the instruction that is dispatched in its place, the same for any n
 * (24 cycles on an Ice Lake; hence several instances to a group), and by the
 * retirement of p entries ahead of that one in its group.  And a front end that
 * dispatches so many at a time waits until all of them find an entry.  Every n
 * leaves the sizes that are possible at some such delay; what no size can be at
 * is no such buffer at all. */
#include "host/solve/window_fit.h"

#include <math.h>

#include "host/experiment/experiment.h"

enum { GROUPS = EXPERIMENT_WINDOW_GROUPS, MAX_SIZE = 2048 };

/* Of the time that a group takes: a later start might be another group's, and
 * fillers that take longer hold it up themselves.  Chosen. */
static const double latest_start = 0.85, longest_fill = 0.6;
/* Beyond what other limits would make of it, and short of what none is: chosen,
 * outside of what a value is off by. */
static const double shows = 1.1, overlaps = 0.985;
/* Entries are counted as if each instruction had one of its own, until the
 * cycle in which it retires.  What a core takes or frees some at a time, or
 * keeps for other work, moves all points by the same: with 352 entries an Ice
 * Lake shows 341 to 350.  So a size may be off by a dispatch group, or by so
 * much of itself. */
static const double unseen = 0.02;

bool window_tells(const struct window_series *s, double cycles, double without,
		  double fill)
{
	double group = s->latency * s->per_group, whole = group * GROUPS;

	return fill <= longest_fill * group &&
	       cycles >= shows * fmax(whole / 2, without) &&
	       cycles <= overlaps * whole;
}

/* Instances that are over when the next chain begins; *ret_ahead: entries of
 * their group that retire before the one that is waited for. */
static double instances(const struct window_series *s, unsigned n, int size,
			bool all, double *ret_ahead)
{
	int k = (int)s->per_group, m = all ? (int)n + k : (int)n;
	int at = all ? GROUPS * m - size : GROUPS * m - 1 - size;
	int least = GROUPS * k / 2, over;

	*ret_ahead = 0;
	if (at < 0)
		return least;
	over = all && at % m < k ? at % m + 1 : k;
	*ret_ahead = all ? fmax(0, at % m + 1 - k) : at % m;
	return fmax(least, at / m * k + over);
}

/* Instructions that are dispatched in a cycle. */
static int together(const struct window_series *s)
{
	return (int)ceil(1 / s->min_cycles);
}

/* The least that a chain can be late by at this size, if a dispatch group waits
 * for all of its entries. */
static double earliest(const struct window_series *s,
		       const struct window_point *p, int size, bool all)
{
	double each = fmax(0.5, 2 * s->min_cycles);
	double least = INFINITY, ahead;

	for (int n = size - together(s); n <= size; n++) {
		double over = instances(s, p->fillers, n, all, &ahead);

		least = fmin(least,
			     p->cycles - s->latency * over - each * ahead);
	}
	return fmax(-1, least - p->doubt);
}

/* What each point leaves for the start, at one size. */
struct starts {
	size_t n;
	double low[WINDOW_MAX_POINTS], high[WINDOW_MAX_POINTS];
};

static struct starts starts_at(const struct window_series *s, int size,
			       bool all)
{
	double most = latest_start * s->latency * s->per_group;
	struct starts ret = { .n = s->n };

	for (size_t i = 0; i < s->n; i++) {
		const struct window_point *p = &s->points[i];
		double ignored;
		double over = instances(s, p->fillers, size, all, &ignored);

		ret.low[i] = earliest(s, p, size, all);
		ret.high[i] =
			fmin(most, p->cycles - s->latency * over + p->doubt);
	}
	return ret;
}

/* Does a start explain all points but so many? */
static bool explains(const struct starts *s, double late, size_t disturbed)
{
	size_t missed = 0;

	for (size_t i = 0; i < s->n; i++)
		missed += late < s->low[i] || late > s->high[i];
	return missed <= disturbed;
}

/* Where any start does, the earliest and the latest are ends of a point. */
static bool add_starts(const struct starts *s, size_t disturbed,
		       struct window_size *ret)
{
	bool any = false;

	for (size_t i = 0; i < 2 * s->n; i++) {
		double late = i < s->n ? s->low[i] : s->high[i - s->n];

		if (!explains(s, late, disturbed))
			continue;
		ret->late_low = fmin(ret->late_low, late);
		ret->late_high = fmax(ret->late_high, late);
		any = true;
	}
	return any;
}

static struct window_size fit_but(const struct window_series *s, bool all,
				  size_t disturbed)
{
	struct window_size ret = { .late_low = INFINITY,
				   .late_high = -INFINITY };

	for (unsigned size = 1; size <= MAX_SIZE; size++) {
		struct starts starts = starts_at(s, (int)size, all);

		if (!add_starts(&starts, disturbed, &ret))
			continue;
		ret.low = ret.low ? ret.low : size;
		ret.high = size;
	}
	return ret;
}

struct window_size window_fit(const struct window_series *s, bool all)
{
	enum { FEW = 8 };
	struct window_size ret = { .low = 0 };
	unsigned off;

	for (size_t n = 0; n <= s->n / FEW && !ret.low; n++)
		ret = fit_but(s, all, n);
	if (!ret.low)
		return ret;
	off = (unsigned)fmax(together(s), ceil(unseen * ret.high));
	ret.low = ret.low > off ? ret.low - off : 1;
	ret.high += off;
	return ret;
}
