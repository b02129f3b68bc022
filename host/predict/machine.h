/* State that all simulators share. Only simulate*.c include this. */
#ifndef PREDICT_MACHINE_H
#define PREDICT_MACHINE_H

#include "host/predict/simulate.h"

enum {
	MACHINE_MAX_ITERATIONS = 4096,
	/* Limit of simulated instructions; takes some milliseconds. */
	MACHINE_MAX_STEPS = 24000,
};

/* An operand dependency, precomputed in whole cycles. */
struct dependency {
	uint32_t result;   /* producer's result, numbered through the loop */
	uint32_t distance; /* iterations since the producer */
	uint32_t back;     /* instructions since the producer */
	uint32_t slot;     /* index of the result in its op */
	int64_t cycles;    /* cycles from the result to the consumer's start */
	bool access;       /* the consumer's access to memory waits for it */
};

enum {
	SIM_FEW_PORTS = 4,
	SIM_NO_PORT = MODEL_MAX_PORTS, /* in sim_uop.few */
};

struct sim_uop {
	/* With binds_ports all ports that it can use; else only those to which
	 * the best sharing assigns some of it. */
	model_ports ports;
	uint32_t n_ports;
	/* The first SIM_FEW_PORTS of the ports; SIM_NO_PORT where there are
	 * fewer. */
	uint8_t few[SIM_FEW_PORTS];
	bool unit; /* the use of a pseudo port or a pool, and no uop */
	double cycles;
};

/* The end of an iteration: the cycle in which it retired, and a checksum of how full
 * all queues were then and, with binds_ports, of how many uops waited for each port;
 * always 0 where a simulator has none. */
struct sim_end {
	int64_t cycle;
	uint64_t state;
};

struct sim_machine {
	struct arena *a;
	const struct dep_graph *g;
	const struct body *b;
	const struct pressure *pressure;
	uint32_t width;  /* slots per cycle */
	uint32_t window; /* slots between dispatch and retirement */
	/* Uops waiting for a port; 0: as many as `window`. */
	uint32_t scheduler;
	uint32_t queue; /* waiting ops that are `queued`; 0: no limit */
	bool *queued;   /* per op: occupies the vector scheduler */
	/* Limits of loads and of vector registers in flight; 0: no limit.
	 * refill: cycles after retirement during which the entry stays
	 * occupied. */
	uint32_t loads, registers, refill;
	uint32_t *op_registers; /* vector registers that each op writes */
	uint32_t slots;         /* slots per iteration */
	bool binds_ports;       /* of the model */
	bool assumed;
	double fetch; /* cycles per iteration; 0: no limit */
	bool record;
	/* Iterations whose results are kept; a power of two. */
	uint32_t history;
	int64_t *ready; /* access with machine_row() */
	/* Operand dependencies of each op: [first_dependency[op],
	 * first_dependency[op + 1]). */
	uint32_t *first_dependency;
	struct dependency *dependencies;
	/* Cycles from the op's start to each result, and operand dependencies
	 * that can delay the result further: [first_extra[result],
	 * first_extra[result + 1]). */
	int64_t *latency;
	/* Of a latency that is no whole number: in how many of twelve iterations
	 * it is a cycle more. */
	uint8_t *parts;
	bool has_parts; /* any? */
	uint32_t *first_extra;
	struct dependency *extra_dependencies;
	/* Per op: the results whose times matter, because an instruction reads
	 * them or operands delay them, [first_timed[op], first_timed[op + 1]) of
	 * `timed`, without early ones; the cycles from the start to the last of the
	 * others; and the least cycles from start to end, 0 if it is eliminated, else
	 * 1. */
	uint32_t *first_timed, *timed;
	int64_t *other_latency, *least_cycles;
	/* Cycles from dispatch until loaded data is available, for ops that
	 * compute with it. */
	int64_t *load_to_use;
	/* Results that do not wait for all sources of their op, such as a base
	 * that is written back while the op waits for the data to store; and
	 * ops that have such results. */
	bool *early_result, *has_early_result;
	/* Per op: each result waits for its own operands. */
	bool *split_results;
	uint32_t *op_slots;
	struct sim_end *ends; /* of each iteration */
	uint32_t n_ends;
	/* Iterations that are simulated at least; and the number of iterations
	 * after which the end is looked for next. */
	uint32_t least, check_at;
	struct simulation *out;
};

void machine_open(struct sim_machine *m, struct arena *a,
		  const struct dep_graph *g, const struct pressure *p,
		  const struct sim_options *o, struct simulation *out);

/* The first cycle in which this iteration may be dispatched. */
int64_t machine_fetched(const struct sim_machine *m, uint32_t iteration);

/* simulate_dependencies.c: does the result take a cycle more than its latency in this iteration? */
bool machine_takes_more(const struct sim_machine *m, uint32_t result,
			uint32_t iteration);

/* simulate_dependencies.c: precompute dependencies, extra_dependencies, latency, parts,
 * load_to_use, early_result, split_results, timed, other_latency and least_cycles. */
void machine_find_dependencies(struct sim_machine *m);

/* Cycle in which each result of an iteration is ready, indexed by result; only of
 * early ones and those in `timed`. */
static inline int64_t *machine_row(const struct sim_machine *m,
				   uint32_t iteration)
{
	return &m->ready[(size_t)(iteration & (m->history - 1)) *
			 m->g->n_results];
}

/* Earliest start of an op as far as its sources are concerned. The times of all
 * its sources must be set. */
int64_t machine_start(const struct sim_machine *m, uint32_t op,
		      uint32_t iteration);

/* Set the early results of an op as if it started at `start`: one result, or
 * all of them. */
void machine_early_result(struct sim_machine *m, uint32_t result,
			  uint32_t iteration, int64_t start);
void machine_early(struct sim_machine *m, uint32_t op, uint32_t iteration,
		   int64_t start);

/* Set the results in `timed` of an op that starts at `start`, and return the cycle
 * of the last of all its results. `earliest`: lower bound from everything except
 * operands (port, dispatch). With split_results, a result waits only for its
 * own operands, and the start does not delay it further. */
int64_t machine_results(struct sim_machine *m, uint32_t op, uint32_t iteration,
			int64_t start, int64_t earliest);

/* simulate_steady.c: the most iterations that are simulated. */
uint32_t machine_most_iterations(const struct sim_machine *m);

/* An iteration retired in cycle `end` and left `state`, a checksum as in struct
 * sim_end. Returns true when the simulation is over: the loop repeats, the means of
 * its parts agree (steady_settled()), or the most iterations were simulated. */
bool machine_iteration(struct sim_machine *m, int64_t end, uint64_t state);

/* Record an instruction that retires in cycle `retired`. */
void machine_event(struct sim_machine *m, uint32_t iteration, uint32_t op,
		   int64_t dispatched, enum sim_hold hold, int64_t started,
		   int64_t done, int64_t retired, model_ports taken);

/* simulate_stalls.c: fill out->stalls, and `ready` of all events. */
void machine_find_stalls(struct sim_machine *m);

void machine_run_in_order(struct sim_machine *m);
void machine_run_ideal(struct sim_machine *m);
void machine_run_oldest_first(struct sim_machine *m);

#endif
