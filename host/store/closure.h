/* Which kernels of a run the claims of some forms depend on.  Uses labels
 * alone, no catalogue, and no values but the sums of circles. */
#ifndef STORE_CLOSURE_H
#define STORE_CLOSURE_H

#include "common/pack.h"
#include "host/base/arena.h"

/* Why a kernel is kept. */
enum closure_role {
	CLOSURE_NONE,   /* not kept */
	CLOSURE_COMMON, /* for the run: its clock and its issue width */
	CLOSURE_CHOSEN, /* it measures a wanted form */
	CLOSURE_NEEDED, /* the claim of a chosen one depends on it */
};

struct closure_kernel {
	uint32_t index; /* in its run */
	const char *label;
	bool calib;
	bool widest;   /* the claim of the issue width depends on it */
	double cycles; /* of a circle: its sum by the claims; 0: unknown */
	enum closure_role role;
};

/* The kernels of a run in index order. */
struct closure {
	struct arena *a;
	struct closure_kernel *list;
	size_t n;
};

/* Does the caller want the claims of this form? */
typedef bool closure_wants(void *context, const char *form);
/* Called for each chosen kernel: "latency", "ADD64rr". */
typedef void closure_found(void *context, const char *kind, const char *form);

/* Choose every kernel that measures a wanted form: one of its forms, or the
 * first of a circle, which is the form of the claim.  Returns how many kernels
 * were chosen. */
size_t closure_choose(const struct closure *c, closure_wants *wants,
		      closure_found *found, void *context);

/* Keep in addition what the solver reads to judge the chosen kernels:
 *	of each form that a kept label names, helpers included, the kernels
 *	of that form alone;
 *	of each part of a kept circle the circles that begin with it, and the
 *	cheapest circle with it, which bounds the part from above;
 *	one chain, if the run has any: the solver judges throughputs
 *	differently in a run without chains. */
void closure_complete(const struct closure *c);

#endif
