/* What is measured: rows without values, and the kernel of each. */
#ifndef NODE_PLAN_H
#define NODE_PLAN_H

#include "host/node/code.h"

enum { NODE_MAX_CODES = 32, NODE_MAX_ROWS = 4096 };

struct node_plan {
	size_t n_codes;
	struct node_code codes[NODE_MAX_CODES];
	size_t n;
	struct node_row *rows; /* in the arena */
	uint8_t *code;         /* of each row, in codes */
};

struct node_plan_request {
	const struct catalogue *c;
	const struct node_levels *levels;
	size_t n_cores;
	uint64_t memory;   /* bytes of an array in memory, 0: by the caches */
	bool loads_of_all; /* no rows but loads of all cores at once */
};

/* Kernels that exist for the catalogue's CPU, and rows for 1..n_cores active
 * cores. */
int node_plan_make(struct arena *a, const struct node_plan_request *q,
		   struct node_plan *ret, struct err *e);

/* Complete the kernels and rows of scalable widths for vectors of `bytes` bytes
 * (0: not known): "SVE" becomes "SVE256".  If there is no kernel for this
 * length, the rows get a problem. */
void node_plan_scale(struct arena *a, struct node_plan *p, uint64_t bytes);

#endif
