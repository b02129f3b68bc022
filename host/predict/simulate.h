/* Simulate the loop on the model until it repeats. */
#ifndef PREDICT_SIMULATE_H
#define PREDICT_SIMULATE_H

#include "host/predict/graph.h"
#include "host/predict/pressure.h"

enum sim_policy {
	/* Waiting uops are tried oldest first in each cycle. They use the ports
	 * that the best sharing uses. */
	SIM_OLDEST_FIRST,
	/* Every uop finds a port in time: only width, window and dependencies
	 * limit the loop. The result is at least the bound of the ports. */
	SIM_IDEAL_PORTS,
};

/* The reason why the next instruction was not dispatched. */
enum sim_hold {
	SIM_HOLD_NOTHING,
	SIM_HOLD_WINDOW,    /* the reorder buffer is full */
	SIM_HOLD_SCHEDULER, /* too many uops wait for ports */
	SIM_HOLD_VECTORS,   /* too many vector ops wait for their sources */
	SIM_HOLD_LOADS,     /* too many loads are in flight */
	SIM_HOLD_REGISTERS, /* too many vector registers are in use */
	SIM_N_HOLDS,
};

/* Timeline of one instruction, in cycles from the start. */
struct sim_event {
	uint32_t iteration, op;
	uint32_t dispatched, started, done, retired;
};

struct simulation {
	double cycles;      /* per iteration, in the steady state */
	bool steady;        /* the loop repeats; otherwise `cycles` is a mean */
	uint32_t period;    /* of the steady state, in iterations */
	uint32_t simulated; /* number of iterations simulated */
	bool sizes_assumed; /* the model has no sizes of the core's queues */
	/* Cycles in which dispatch was held, by reason; only with
	 * SIM_OLDEST_FIRST. */
	uint64_t held[SIM_N_HOLDS];
	uint64_t elapsed;
	size_t n_events;
	struct sim_event *events; /* of the first iterations */
};

/* Simulate the loop. In-order models are always simulated in order. Everything
 * in *ret belongs to `a`. */
void simulate(struct arena *a, const struct dep_graph *g,
	      const struct pressure *p, enum sim_policy policy,
	      struct simulation *ret);

#endif
