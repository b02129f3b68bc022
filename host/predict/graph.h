/* The dependence graph of a loop: results of instructions, and the results
 * computed from them in the same and in later iterations. */
#ifndef PREDICT_GRAPH_H
#define PREDICT_GRAPH_H

#include "host/predict/body.h"

/* A result and an instruction that reads it. */
struct link {
	uint32_t from, from_result; /* op, and index of its result */
	uint32_t to, to_read;       /* op, and index of its read */
	uint32_t distance;          /* in iterations */
	double extra; /* cycles added to the consumer's latency (bypass) */
};

/* A dependence of one result on another. */
struct edge {
	uint32_t from, to; /* results, numbered through the loop */
	uint32_t distance;
	uint32_t link;
	double cycles;
};

struct dep_graph {
	const struct body *b;
	size_t n_links;
	struct link *links; /* sorted by `to` */
	size_t n_results;
	uint32_t *first_result; /* first result of each op */
	uint32_t *op_of;        /* op of each result */
	size_t n_edges;
	struct edge *edges; /* sorted by the op of `to` */
};

/* Everything in *ret belongs to `a`; b must outlive it. */
void graph_build(struct arena *a, const struct body *b, struct dep_graph *ret);

/* A path or a cycle of the graph; its edges in the order of time. */
struct path {
	double cycles;       /* of a latency cycle: per iteration */
	double total;        /* sum over all edges */
	uint32_t iterations; /* iterations that a latency cycle spans */
	size_t n;
	uint32_t *edges;
	double *marks; /* cycles that each op contributes */
	bool *on;      /* is the op on the path? */
};

/* The longest path through one iteration. */
void graph_critical_path(struct arena *a, const struct dep_graph *g,
			 struct path *ret);

/* The latency cycle with the most cycles per iteration; n is 0 when the graph
 * has none. */
void graph_carried(struct arena *a, const struct dep_graph *g,
		   struct path *ret);

/* All chains of dependencies that the loop carries from iteration to
 * iteration. */
struct chains {
	size_t n;
	struct path *list; /* most cycles per iteration first */
	/* The graph is too large for a search; the list has the longest. */
	bool longest_only;
};

/* Find the chains. Each edge into a later iteration gives one: of the cycles
 * of the graph through it, the one that needs the fewest cycles more to be the
 * longest. Chains of the same instructions are listed once. `longest` is what
 * graph_carried() found. Everything in *ret belongs to `a`. */
void graph_chains(struct arena *a, const struct dep_graph *g,
		  const struct path *longest, struct chains *ret);

#endif
