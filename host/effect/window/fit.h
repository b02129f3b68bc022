/* The size of a buffer from the times of chains with fillers, and the delay
 * of a chain that waited for an entry. */
#ifndef EFFECT_WINDOW_FIT_H
#define EFFECT_WINDOW_FIT_H

#include "common/types.h"

/* Fewer points agree with any size. */
enum { WINDOW_MAX_POINTS = 32, WINDOW_LEAST_POINTS = 3 };

/* A chain of EXPERIMENT_WINDOW_GROUPS groups with this many fillers in each. */
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

/* low is 0 if no size explains the points. */
struct window_size {
	unsigned low, high;
	/* Cycles from when an entry comes free to the start of the chain that
	 * waited for it, if the size is low, and if it is high. */
	double late_low, late_high;
};

/* Find all sizes from 1 that the points allow, widened by what the points
 * cannot tell apart.  `all`: instances of the chain take entries, too.  The SMT
 * sibling may disturb one point of eight. */
struct window_size window_fit(const struct window_series *s, bool all);

/* Does the point show this buffer?  Not if something else limits the chain, or
 * nothing does.  `without`: cycles of a chain without fillers; `fill`: cycles
 * of the fillers of a group alone. */
bool window_tells(const struct window_series *s, double cycles, double without,
		  double fill);

#endif
