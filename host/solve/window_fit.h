/* The size of a buffer from the time of chains with fillers, and how late a
 * chain begins that has waited for an entry. */
#ifndef SOLVE_WINDOW_FIT_H
#define SOLVE_WINDOW_FIT_H

#include "common/types.h"

enum { WINDOW_MAX_POINTS = 32, WINDOW_LEAST_POINTS = 3 };

/* Chains of EXPERIMENT_WINDOW_GROUPS groups with so many fillers in each. */
struct window_point {
	unsigned fillers;
	double cycles, doubt; /* of a chain */
};

struct window_series {
	unsigned per_group; /* instances */
	double latency;     /* of an instance, whole cycles */
	double min_cycles;  /* of an instruction in the front end */
	size_t n;
	struct window_point points[WINDOW_MAX_POINTS];
};

/* Of no size (low is 0) where none explains the points. */
struct window_size {
	unsigned low, high;
	double late_low, late_high; /* cycles, at these sizes */
};

/* Every size from 1 that the points allow, widened by what they cannot tell.
 * `all`: instances take entries, too, else fillers alone.  A neighbour may have
 * disturbed one point of eight. */
struct window_size window_fit(const struct window_series *s, bool all);

/* A point that something else holds up, or nothing, tells nothing: is it one
 * that does?  `without`: cycles of a chain without fillers, beside others;
 * `fill`: those that the fillers of a group take alone. */
bool window_tells(const struct window_series *s, double cycles, double without,
		  double fill);

#endif
