/* Finds the kernels of a run that the claims of some forms depend on.  Uses
 * only labels, and the sums of latency cycles; needs no catalogue. */
#ifndef STORE_CLOSURE_H
#define STORE_CLOSURE_H

#include "common/pack.h"
#include "host/base/arena.h"

/* Why a kernel is kept. */
enum closure_role {
	CLOSURE_NONE,   /* not kept */
	CLOSURE_COMMON, /* needed by every claim of the run: clock, issue
			 * width */
	CLOSURE_CHOSEN, /* it measures a wanted form */
	CLOSURE_NEEDED, /* the claim of a chosen kernel depends on it */
};

struct closure_kernel {
	uint32_t index; /* index in the run */
	const char *label;
	bool calib;
	bool widest;   /* the claim of the issue width depends on it */
	double cycles; /* sum of a latency cycle, from the claims; 0: unknown */
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

/* Choose every kernel that measures a wanted form.  A latency cycle measures
 * its first form only, as its claim does.  Returns the number of chosen
 * kernels. */
size_t closure_choose(const struct closure *c, closure_wants *wants,
		      closure_found *found, void *context);

/* Keep also the kernels that the solver needs to judge the chosen ones:
 *	for each form in a kept label, helpers included, the kernels of that
 *	form alone;
 *	for each part of a kept latency cycle, the cycles that begin with it,
 *	and the cheapest cycle that contains it, which is its upper bound;
 *	one chain if the run has any, because the solver judges throughputs
 *	differently in a run without chains. */
void closure_complete(const struct closure *c);

#endif
