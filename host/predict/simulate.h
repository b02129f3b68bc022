/* Simulate the loop on the model until it repeats. */
#ifndef PREDICT_SIMULATE_H
#define PREDICT_SIMULATE_H

#include "host/predict/graph.h"
#include "host/predict/pressure.h"

/* The reason why the next instruction was not dispatched. */
enum sim_hold {
	SIM_HOLD_NOTHING,
	SIM_HOLD_WINDOW,    /* the reorder buffer is full */
	SIM_HOLD_SCHEDULER, /* too many uops wait for ports */
	SIM_HOLD_GENERAL,   /* as model.general_queue */
	SIM_HOLD_VECTORS,   /* too many vector ops wait for their sources */
	SIM_HOLD_LOADS,     /* too many loads are in flight */
	SIM_HOLD_REGISTERS, /* too many vector registers are in use */
	SIM_HOLD_FETCH,     /* the front end has no more iterations yet */
	/* In-order cores: a port is busy, or the instructions cannot pair. */
	SIM_HOLD_PORTS,
	SIM_N_HOLDS,
};

/* Timeline of one instruction, in cycles from the start. `ready`: its operands
 * are there. hold: what delayed its dispatch last. */
struct sim_event {
	uint32_t iteration, op;
	uint32_t dispatched, ready, started, done, retired;
	enum sim_hold hold;
	model_ports taken; /* ports that it used */
};

/* What takes the time. The last ones are full queues, in the order of enum
 * sim_hold. */
enum sim_stall {
	SIM_STALL_FRONT_END,  /* slots, taken branches, fetching of code */
	SIM_STALL_PORTS,      /* operands are there, ports are busy */
	SIM_STALL_DEPENDENCY, /* latencies of computations */
	SIM_STALL_LOADS,      /* latencies of loads */
	SIM_STALL_WINDOW,     /* the reorder buffer */
	SIM_STALL_SCHEDULER,
	SIM_STALL_VECTORS,
	SIM_STALL_LOAD_BUFFER,
	SIM_STALL_REGISTERS,
	SIM_N_STALLS,
};

struct simulation {
	double cycles;      /* per iteration, in the steady state */
	bool steady;        /* the loop repeats; otherwise `cycles` is a mean */
	uint32_t period;    /* iterations of which `cycles` is the mean */
	uint32_t simulated; /* number of iterations simulated */
	bool sizes_assumed; /* the model has no sizes of the core's queues */
	/* Cycles in which dispatch was held, by reason; only out of order. */
	uint64_t held[SIM_N_HOLDS];
	uint64_t elapsed;
	/* Only of a recorded simulation: all instructions that retired, in
	 * program order; and the share of each kind of stall (sum 1; all 0:
	 * not known). */
	size_t n_events;
	struct sim_event *events;
	double stalls[SIM_N_STALLS];
};

struct sim_options {
	/* Cycles in which the front end fetches one iteration; 0: unknown. */
	double fetch;
	/* Record events and stalls. Takes twice the time. */
	bool record;
};

/* Simulate the loop, out of order unless the model is in order: waiting uops
 * are tried oldest first in each cycle. They use the ports that the best
 * sharing uses. Everything in *ret belongs to `a`.
 *
 * Stalls are the longest path through the events of the second half of the
 * simulation: from the last retirement back, always to the event that was
 * waited for last. Latencies between a full queue and the dispatch of an
 * instruction count as that queue. */
void simulate(struct arena *a, const struct dep_graph *g,
	      const struct pressure *p, const struct sim_options *o,
	      struct simulation *ret);

#endif
