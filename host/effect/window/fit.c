/* See window_fit.h.
 *
 * A chain has G groups; chains follow each other.  A group has K instances,
 * each of which waits l cycles for the previous one, and n independent fillers.
 * The first instance of a chain does not wait either, so it starts when it is
 * dispatched.  All instructions retire in order.  If fillers share Q entries,
 *
 *	filler i is dispatched when filler i - Q has retired,
 *
 * which is when the group of filler i - Q is complete, because each group ends
 * with its chain.  The last filler before the next chain is the G n - 1st,
 * counted from 0.  The next chain begins v + 1 groups after this one, with
 *
 *	v = floor((G n - 1 - Q) / n)      T = l K (v + 1)
 *
 * T is the time per chain, a staircase in Q.  If instances take entries of the
 * same buffer, too, with m = K + n per group, the entry that is waited for is
 * at position p of group v, v m + p = G m - Q.  In that group p + 1 instances,
 * at most K, precede it, and T = l (v K + min(p + 1, K)).
 *
 * If only the chain before the last limits a chain, it takes half of its own
 * time, T = l K G / 2.  Buffers with a smaller effect are not visible.  The
 * buffer of waiting instances may be visible first; chains without fillers
 * show this.
 *
 * A chain also begins with a delay: the time from a retirement to the first
 * result of the instruction dispatched in its place, the same for any n (24
 * cycles on an Ice Lake; hence several instances per group), and the time to
 * retire the p entries before it in its group.  A front end that dispatches
 * several instructions at a time waits until all of them have an entry.  Every
 * n allows the sizes that are possible with some delay.  If no size is possible
 * for all n, there is no such buffer. */
#include "host/effect/window/fit.h"

#include <math.h>

#include "host/experiment/experiment.h"

enum { GROUPS = EXPERIMENT_WINDOW_GROUPS, MAX_SIZE = 2048 };

/* Share of the time of a group: a later start may belong to another group, and
 * fillers that take longer limit the chain themselves.  Chosen. */
static const double latest_start = 0.85, longest_fill = 0.6;
/* Factors: above the times of other limits, and below the time without a limit;
 * chosen larger than the error of a value. */
static const double shows = 1.1, overlaps = 0.985;
/* The model: each instruction has an entry until the cycle in which it retires.
 * Entries that a core allocates or frees in groups, or reserves, shift all
 * points alike: with 352 entries an Ice Lake shows 341 to 350.  So the error of
 * a size is a dispatch group, or this share of the size. */
static const double unseen = 0.02;

bool window_tells(const struct window_series *s, double cycles, double without,
		  double fill)
{
	double group = s->latency * s->per_group, whole = group * GROUPS;

	return fill <= longest_fill * group &&
	       cycles >= shows * fmax(whole / 2, without) &&
	       cycles <= overlaps * whole;
}

/* Instances that are complete when the next chain begins; *ret_ahead: entries
 * of their group that retire before the awaited one. */
static double instances(const struct window_series *s, unsigned n, int size,
			bool all, double *ret_ahead)
{
	int k = (int)s->per_group, m = all ? (int)n + k : (int)n;
	int at = all ? GROUPS * m - size : GROUPS * m - 1 - size;
	int least = GROUPS * k / 2, over, whole;

	*ret_ahead = 0;
	if (at < 0)
		return least;
	over = all && at % m < k ? at % m + 1 : k;
	*ret_ahead = all ? fmax(0, at % m + 1 - k) : at % m;
	whole = at / m * k;
	return fmax(least, whole + over);
}

/* Instructions dispatched in a cycle. */
static int together(const struct window_series *s)
{
	return (int)ceil(1 / s->min_cycles);
}

/* The least delay of a chain at this size, if a dispatch group waits for all of
 * its entries. */
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

/* The starts that each point allows, at one size. */
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

/* Does one start explain all points except this many? */
static bool explains(const struct starts *s, double late, size_t disturbed)
{
	size_t missed = 0;

	for (size_t i = 0; i < s->n; i++)
		missed += late < s->low[i] || late > s->high[i];
	return missed <= disturbed;
}

/* If any start does, the earliest and the latest are ends of a point. */
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
