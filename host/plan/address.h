/* Experiments from the registers of an address to the results of a form. */
#ifndef PLAN_ADDRESS_H
#define PLAN_ADDRESS_H

#include "host/experiment/experiment.h"

struct address_request {
	const struct catalogue *catalogue;
	bool measured; /* throughputs are measured: the controls */
	void (*add)(void *context, const struct experiment *x);
	/* Called for each pair without a chain, with the reason. */
	void (*skip)(void *context, const struct form *form, int src, int dst,
		     const char *why);
	void *context;
};

/* Make the chains of memory.h, and latency cycles from the base to each
 * result that has none of those and to one flag.  All other pairs have a
 * reason. */
void address_experiments(const struct address_request *q, const struct form *f);

#endif
