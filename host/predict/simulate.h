/* The loop played on the model, iteration after iteration, until it repeats. */
#ifndef PREDICT_SIMULATE_H
#define PREDICT_SIMULATE_H

#include "host/predict/graph.h"
#include "host/predict/pressure.h"

enum sim_policy {
	/* Uops that wait are tried oldest first in each cycle, and take a port
	 * in the proportions of the best sharing. */
	SIM_OLDEST_FIRST,
	/* As if ports were always found in time: width, window and
	 * dependencies alone; never faster than the busiest ports. */
	SIM_IDEAL_PORTS,
};

/* What became of an instruction, in cycles from the first. */
struct sim_event {
	uint32_t iteration, op;
	uint32_t dispatched, started, done, retired;
};

struct simulation {
	double cycles;      /* of an iteration, once the loop repeats */
	bool steady;        /* it did; else the mean of what was seen */
	uint32_t period;    /* in iterations */
	uint32_t simulated; /* iterations */
	bool sizes_assumed; /* the model does not know the core's queues */
	size_t n_events;
	struct sim_event *events; /* of the first iterations */
};

/* In-order models are simulated in order, whatever the policy. */
void simulate(struct arena *a, const struct graph *g, const struct pressure *p,
	      enum sim_policy policy, struct simulation *ret);

#endif
