/* Cycles of a loop, and the reasons. */
#ifndef PREDICT_PREDICT_H
#define PREDICT_PREDICT_H

#include "host/predict/simulate.h"

struct predict_options {
	bool equal_split; /* OSACA's way, not the best sharing */
	bool bounds_only; /* do not simulate */
	enum sim_policy policy;
};

struct prediction {
	struct body body;
	struct graph graph;
	struct pressure pressure;
	struct path critical, carried;
	struct simulation simulation; /* cycles 0: not simulated */

	double width_bound;  /* slots / width; 0: width unknown */
	double branch_bound; /* taken branches */
	double fetch_bound;  /* lines of code; 0: unknown, or one line */
	/* Forms without ports but with a throughput of their own. */
	double form_bound;
	size_t form_op;    /* the first such */
	double throughput; /* the largest of these and of the ports */

	double cycles;   /* of an iteration: what is predicted */
	bool simulated;  /* by simulation; else the largest bound */
	const char *why; /* what bounds it, in words */
};

/* Everything in *ret belongs to `a`; the program, the loop and the model must
 * outlive it.  ERR_INPUT when the loop is too long. */
int predict(struct arena *a, const struct program *p, const struct loop *loop,
	    const struct model *m, const struct predict_options *o,
	    struct prediction *ret, struct err *e);

#endif
