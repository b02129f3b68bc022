/* State that all simulators share. Only simulate*.c include this. */
#ifndef PREDICT_SIM_H
#define PREDICT_SIM_H

#include "host/predict/simulate.h"

enum {
	SIM_MAX_ITERATIONS = 4096,
	/* Limit of simulated instructions; takes some milliseconds. */
	SIM_MAX_STEPS = 24000,
	SIM_MAX_UOPS = 64, /* of one instruction */
};

/* An operand dependency, precomputed in whole cycles. */
struct dependency {
	uint32_t result;   /* producer's result, numbered through the loop */
	uint32_t distance; /* iterations since the producer */
	uint32_t back;     /* instructions since the producer */
	uint32_t slot;     /* index of the result in its op */
	int64_t cycles;    /* cycles from the result to the consumer's start */
	bool access;       /* the consumer's access to memory waits for it */
	/* In order: the consumer waits for it in the queue of its unit, and not
	 * at the front end. */
	bool in_queue;
};

enum {
	SIM_FEW_PORTS = 4,
	SIM_NO_PORT = MODEL_MAX_PORTS, /* in sim_uop.few */
};

struct sim_uop {
	/* In order and with binds_ports all ports that it can use; else only
	 * those to which the best sharing assigns some of it. */
	model_ports ports;
	uint32_t n_ports;
	/* The first SIM_FEW_PORTS of the ports; SIM_NO_PORT where there are
	 * fewer. */
	uint8_t few[SIM_FEW_PORTS];
	bool unit;       /* the use of a pseudo port or a pool, and no uop */
	bool alternates; /* on the two ports of loads, in turn */
	double cycles;
};

/* Properties of an instruction that are the same in every iteration. */
struct sim_op {
	uint32_t slots;       /* of the front end */
	uint32_t room;        /* as op.room */
	uint32_t most_before; /* as op.max_slots_before */
	uint32_t registers;   /* vector registers that it writes */
	bool load;
	bool queued;  /* occupies the vector scheduler */
	bool general; /* occupies the one of general registers */
	/* Some of its results do not wait for all its sources, such as a base
	 * that is written back while the op waits for the data to store. */
	bool has_early;
	bool split_results; /* each result waits for its own operands */
	/* Its dependencies and `timed` results are those from these numbers up
	 * to those of the next op. */
	uint32_t first_dependency, first_timed;
	/* Cycles from dispatch until loaded data is available, if it computes
	 * with it. */
	int64_t load_to_use;
	/* Cycles from the start to the last of the results that are not timed;
	 * and to the end at least: 0 if it is eliminated, else 1. */
	int64_t other_latency, least_cycles;
	/* Cycles from its first uop to its last one that its latencies contain. */
	int64_t inside;
	uint32_t n_uops;
	const struct sim_uop *uops;
	uint64_t left; /* one bit per uop */
	/* Uops of the access, which wait for the address alone; 0: every uop
	 * waits for all sources. */
	uint64_t access;
	/* Out of order: the consumers of its results. */
	uint32_t n_wakes;
	const struct wake *wakes;
};

/* A result, numbered through the loop. */
struct sim_result {
	int64_t latency; /* cycles from the start of its op */
	/* Operand dependencies that can delay it further are those from this
	 * number up to that of the next result. */
	uint32_t first_extra;
	/* Of a latency that is no whole number: in how many of twelve
	 * iterations it is a cycle more. */
	uint8_t parts;
	bool is_early; /* does not wait for all sources of its op */
};

/* The end of an iteration: the cycle in which it retired, and a checksum of how
 * full all queues were then and, with binds_ports, of how many uops waited for
 * each port; always 0 where a simulator has none. */
struct sim_end {
	int64_t cycle;
	uint64_t state;
};

struct sim {
	struct arena *a;
	const struct dep_graph *g;
	const struct body *b;
	const struct pressure *pressure;
	uint32_t width;  /* slots per cycle */
	uint32_t window; /* slots between dispatch and retirement */
	/* Uops waiting for a port; 0: as many as `window`. */
	uint32_t scheduler;
	uint32_t queue; /* waiting ops that are `queued`; 0: no limit */
	/* Ops that are `general` from dispatch until so many cycles after their
	 * start; 0: no limit. */
	uint32_t general, release;
	/* Limits of loads and of vector registers in flight; 0: no limit.
	 * refill: an entry comes free so many cycles after the end of its
	 * instruction, less one. */
	uint32_t loads, registers, refill;
	uint32_t slots;   /* slots per iteration */
	bool binds_ports; /* of the model */
	double fetch;     /* cycles per iteration; 0: no limit */
	bool record;
	struct sim_op *ops;         /* one more than the body has */
	struct sim_result *results; /* one more than the graph has */
	bool has_parts;             /* some result has */
	struct dependency *dependencies, *extra_dependencies;
	/* Results whose times matter, because an instruction reads them or
	 * operands delay them, without early ones. */
	uint32_t *timed;
	/* When results were ready, of so many iterations, a power of two; see
	 * sim_row(). */
	uint32_t history;
	int64_t *ready;
	struct sim_end *ends; /* of each iteration */
	uint32_t n_ends;
	/* Iterations that are simulated at least; and the number of iterations
	 * after which the end is looked for next. */
	uint32_t least, check_at;
	struct simulation *out;
};

static inline int64_t sim_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Begin a simulation: everything that the simulators share.  It belongs to
 * `a`. */
void sim_open(struct sim *m, struct arena *a, const struct dep_graph *g,
	      const struct pressure *p, const struct sim_options *o,
	      struct simulation *out);

/* simulate_dependencies.c: does the result take a cycle more than its latency
 * in this iteration? */
bool sim_takes_more(const struct sim *m, uint32_t result, uint32_t iteration);

/* simulate_dependencies.c: fill results, dependencies, extra_dependencies,
 * timed, and what ops have of them. */
void sim_find_dependencies(struct sim *m);

/* simulate_uops.c: fill the uops of all ops. */
void sim_split_uops(struct sim *m);

/* Cycle in which each result of an iteration is ready, indexed by result; only
 * of early ones and those in `timed`. */
static inline int64_t *sim_row(const struct sim *m, uint32_t iteration)
{
	return &m->ready[(size_t)(iteration & (m->history - 1)) *
			 m->g->n_results];
}

/* Earliest start of an op as far as its sources are concerned. The times of all
 * its sources must be set. */
int64_t sim_start(const struct sim *m, uint32_t op, uint32_t iteration);

/* When this source of an op is ready; 0: before the first iteration. */
static inline int64_t sim_source(const struct sim *m,
				 const struct dependency *x, uint32_t iteration)
{
	return x->distance > iteration
		       ? 0
		       : sim_row(m, iteration - x->distance)[x->result] +
				 x->cycles;
}

/* Set the early results of an op as if it started at `start`: one result, or
 * all of them. */
void sim_set_early(struct sim *m, uint32_t result, uint32_t iteration,
		   int64_t start);
void sim_early(struct sim *m, uint32_t op, uint32_t iteration, int64_t start);

/* Set the results in `timed` of an op that starts at `start`, and return the
 * cycle of the last of all its results. `earliest`: lower bound from everything
 * except operands (port, dispatch). With split_results, a result waits only for
 * its own operands, and the start does not delay it further. */
int64_t sim_results(struct sim *m, uint32_t op, uint32_t iteration,
		    int64_t start, int64_t earliest);

/* simulate_steady.c: the first cycle in which this iteration may be
 * dispatched. */
int64_t sim_fetched(const struct sim *m, uint32_t iteration);

/* simulate_steady.c: the most iterations that are simulated. */
uint32_t sim_most_iterations(const struct sim *m);

/* An iteration retired in cycle `end` and left `state`, a checksum as in struct
 * sim_end. Returns true when the simulation is over: the loop repeats, the
 * means of its parts agree (steady_settled()), or the most iterations were
 * simulated. */
bool sim_iteration(struct sim *m, int64_t end, uint64_t state);

/* Record an instruction, if events are recorded. */
static inline void sim_record(struct sim *m, struct sim_event e)
{
	if (m->record)
		m->out->events[m->out->n_events++] = e;
}

/* simulate_stalls.c: fill out->stalls, and `ready` of all events. */
void sim_find_stalls(struct sim *m);

void sim_run_in_order(struct sim *m);
void sim_run_out_of_order(struct sim *m);

#endif
