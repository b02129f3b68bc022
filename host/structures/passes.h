/* What a probe takes, from the rows of its kernel and from several passes over the
 * probes of a question: those in doubt are asked again. */
#ifndef STRUCTURES_PASSES_H
#define STRUCTURES_PASSES_H

#include "host/solve/estimate.h"

struct core_probe;
struct probe_value;

/* Cycles of what a body of kernel k does per_body times, from the rows of its n
 * samples.  On a reference clock only rows count whose chains agree, and of those
 * the ones without another thread of the core, if they are four; `c` tells them
 * apart as for kernels of instructions (rows.h). */
struct probe_value passes_value(const struct calibration *c,
				const struct kernel_row *k,
				const struct sample *m, size_t n,
				double per_body);

/* Who answers a pass. */
struct passes {
	/* Ask the probes that are not settled; of the others ret is ignored. */
	int (*ask)(void *context, const struct core_probe *list,
		   const bool *settled, size_t n, struct probe_value *ret,
		   struct err *e);
	void *context;
	/* Called before a pass that another thread of the core is to be idle in;
	 * NULL: nothing is. */
	void (*pause)(void);
	size_t n_pauses; /* so far */
	/* Once so many probes were asked, two passes over a question are enough;
	 * that many were so far. */
	size_t n_enough, n_probes;
	/* Values, those that no other pass agreed with, and those only while
	 * another thread of the core was busy. */
	size_t n_values, n_alone, n_busy;
};

/* Ask n probes until a second pass agrees with each, up to six times, or more while
 * another thread of the core is busy.  Disturbances only add time, and last longer than
 * a pass: the lowest value counts.  ERR_OK, or the error of a pass. */
int passes_ask(struct passes *q, const struct core_probe *list, size_t n,
	       struct probe_value *ret, struct err *e);

#endif
