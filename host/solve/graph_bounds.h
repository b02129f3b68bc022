/* Bounds of the parts of latency cycles from the sums of the cycles, and the
 * sums that cannot all be true; internal to graph.c. */
#ifndef SOLVE_GRAPH_BOUNDS_H
#define SOLVE_GRAPH_BOUNDS_H

#include "host/solve/graph.h"

/* Bounds that cross by more than this share of a sum contradict each other;
 * if they cross by less, they meet.  Larger than the difference of two sums
 * that agree. */
static const double contradiction = 0.03;

struct graph_part {
	const struct label_part *part;
	double low, high;
	bool contradicted; /* its bounds crossed */
	bool chained; /* it has a chain of its own, which makes its claim */
	bool closed;  /* its head's latency cycle is */
	/* The latency cycle of most parts that begins with it and is not
	 * closed. */
	const struct record *open;
	size_t n_open;
	const struct record *head; /* a latency cycle that begins with it */
	size_t cycle;              /* the head's */
};

struct latency_cycle {
	const struct record *record;
	size_t n;
	size_t parts[GRAPH_MAX_PARTS];
	double low, high; /* of the sum */
	/* Not below the least that its parts can cost.  Otherwise a form
	 * does not read the result of the one before: it may write only a
	 * part of its result register, or not the flag that the next one
	 * reads. */
	bool closed;
	bool shown; /* not explained by throughput */
	/* Its sum is a mean, not a whole number of cycles: the same part may
	 * have another mean in another latency cycle. */
	bool mixed;
	/* It contradicts others (graph_bound()): it bounds nothing. */
	bool left_out;
};

struct graph {
	const struct judge *j;
	struct graph_part *parts;
	size_t n_parts;
	struct latency_cycle *cycles;
	size_t n_cycles;
};

/* Bounds of part i of the cycle: the sum minus the bounds of the other parts,
 * divided by how many times the part is in it. */
void graph_leave(const struct graph *g, const struct latency_cycle *c, size_t i,
		 double *ret_low, double *ret_high);

/* Narrow the bounds of all parts by all sums until nothing moves.  If not all
 * sums can be true, some are left out (latency_cycle.left_out): as few as a
 * search of orders finds.  Where leaving out either of several sums would do,
 * all of them are. */
void graph_bound(struct graph *g);

#endif
