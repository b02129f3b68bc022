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

/* What kept the next instruction from being dispatched. */
enum sim_hold {
	SIM_HOLD_NOTHING,
	SIM_HOLD_WINDOW,    /* the reorder buffer was full, */
	SIM_HOLD_SCHEDULER, /* uops waited for ports wherever they can, */
	SIM_HOLD_VECTORS,   /* or those on vectors for their sources; */
	SIM_HOLD_LOADS,     /* as many loads as can be were on their way */
	SIM_HOLD_REGISTERS, /* the same of what writes vector registers */
	SIM_N_HOLDS,
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
	/* Cycles of all iterations, oldest first; else zero. */
	uint64_t held[SIM_N_HOLDS];
	uint64_t elapsed;
	size_t n_events;
	struct sim_event *events; /* of the first iterations */
};

/* In-order models are simulated in order, whatever the policy. */
void simulate(struct arena *a, const struct graph *g, const struct pressure *p,
	      enum sim_policy policy, struct simulation *ret);

#endif
