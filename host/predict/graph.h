/* Who waits for whom: results of instructions, and the results computed from
 * them, within an iteration and in later ones. */
#ifndef PREDICT_GRAPH_H
#define PREDICT_GRAPH_H

#include "host/predict/body.h"

/* A result that an instruction reads. */
struct link {
	uint32_t from, from_result; /* op, and which of its results */
	uint32_t to, to_read;       /* op, and which of its reads */
	uint32_t distance;          /* iterations later */
	double extra; /* cycles beside the reader's latency: bypass */
};

/* From a result to one computed from it. */
struct edge {
	uint32_t from, to; /* results, numbered through the loop */
	uint32_t distance;
	uint32_t link;
	double cycles;
};

struct graph {
	const struct body *b;
	size_t n_links;
	struct link *links; /* in the order of `to` */
	size_t n_results;
	uint32_t *first_result; /* of each op */
	uint32_t *op_of;        /* of each result */
	size_t n_edges;
	struct edge *edges; /* in the order of `to` */
};

void graph_build(struct arena *a, const struct body *b, struct graph *ret);

/* A path or a circle: edges in the order of time. */
struct path {
	double cycles;       /* of a circle: per iteration */
	double total;        /* of all its edges */
	uint32_t iterations; /* that a circle spans */
	size_t n;
	uint32_t *edges;
	double *marks; /* cycles that each op adds to it */
	bool *on;      /* is the op on it? */
};

/* The longest path through one iteration. */
void graph_critical_path(struct arena *a, const struct graph *g,
			 struct path *ret);

/* The circle that needs most cycles per iteration; n 0: there is none. */
void graph_carried(struct arena *a, const struct graph *g, struct path *ret);

#endif
