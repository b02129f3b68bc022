/* Predict the cycles of a loop, with the reasons. */
#ifndef PREDICT_PREDICT_H
#define PREDICT_PREDICT_H

#include "host/effect/effect.h"
#include "host/predict/simulate.h"

struct predict_options {
	/* Split each uop equally over its ports, like OSACA. */
	bool equal_split;
	bool bounds_only; /* no simulation */
	/* The alignment of streams is unknown: predict the worst case, too. */
	bool any_alignment;
	uint32_t timeline; /* iterations in the report's timeline; 0: none */
	size_t columns;    /* of the lines that text is for; 0: any number */
};

struct prediction {
	struct body body;
	struct dep_graph graph;
	struct pressure pressure;
	struct path critical, carried;
	struct simulation simulation; /* cycles is 0 when not simulated */
	struct sim_options how;       /* how it was simulated */
	uint32_t timeline;            /* iterations to print */
	size_t columns;               /* of the reader's lines; 0: any number */

	double width_bound;  /* slots / width; 0: width unknown */
	double branch_bound; /* limit of taken branches */
	/* Of each effect, by effect_number(), and the largest; 0: none. */
	double effect_bounds[EFFECT_MAX], effect_bound;
	double throughput; /* the largest of these bounds and of the ports */

	double cycles; /* predicted cycles per iteration */
	/* The same at the worst alignment of streams; 0: not asked for. */
	double worst_cycles;
	/* Cycles come from the simulation, else from the bounds. */
	bool simulated;
	const char *why; /* the limiting resource, in words */
	/* What of the loop's path is not predicted, for reports; set by the
	 * caller.  NULL: nothing. */
	const char *note;

	/* The same loop on other cores, for reports; set by the caller. */
	size_t n_others;
	const struct prediction *others;
};

/* Predict one loop. Everything in *ret belongs to `a`; the program, the loop
 * and the completion must outlive it. ERR_INPUT when the loop is too long. */
int predict(struct arena *a, const struct loop_on *l,
	    const struct predict_options *o, struct prediction *ret,
	    struct err *e);

/* The register through which a chain of dependencies enters the next iteration,
 * or "memory". */
const char *prediction_carrier(const struct prediction *p,
			       const struct path *chain);

#endif
