/* Shared by the simulators; nobody else includes this. */
#ifndef PREDICT_MACHINE_H
#define PREDICT_MACHINE_H

#include "host/predict/simulate.h"

enum {
	MACHINE_MAX_ITERATIONS = 4096,
	/* Instructions simulated in all: some milliseconds. */
	MACHINE_MAX_STEPS = 24000,
	MACHINE_TIMELINE_STEPS = 600,
};

#define MACHINE_UNKNOWN INT64_MAX /* a time nobody knows yet */

struct machine {
	struct arena *a;
	const struct graph *g;
	const struct body *b;
	const struct pressure *pressure;
	uint32_t width;     /* slots in a cycle */
	uint32_t window;    /* slots between dispatch and retirement */
	uint32_t scheduler; /* uops that wait for a port; 0: the window */
	uint32_t queue;     /* waiting ops of which `queued`; 0: any number */
	bool *queued;       /* of each op */
	/* Between dispatch and retirement, 0: any number; and how long after it
	 * an entry lets nobody start. */
	uint32_t loads, registers, refill;
	uint32_t *op_registers; /* of vectors, that each op writes */
	uint32_t slots;         /* of an iteration */
	bool assumed;
	uint32_t history;     /* iterations whose results are remembered */
	int64_t *ready;       /* [iteration % history * n_results + result] */
	uint32_t *first_link; /* of each op */
	/* How much later than the start of its op a source may come, by link;
	 * cycles from the start to each result; and those from dispatch until
	 * what is loaded is there, of an op that computes with it. */
	int32_t *slack, *own, *lead;
	/* Results that wait for less than their op does: a base that is
	 * written back beside the data of its store; and ops that have any. */
	bool *early, *has_early;
	uint32_t *op_slots;
	int64_t *ends; /* retirement of each iteration */
	uint32_t n_ends;
	uint32_t least; /* iterations until the window has been full */
	struct simulation *out;
};

void machine_open(struct machine *m, struct arena *a, const struct graph *g,
		  const struct pressure *p, struct simulation *out);

/* When the sources of an op are there: the earliest start, or
 * MACHINE_UNKNOWN. */
int64_t machine_start(const struct machine *m, uint32_t op, uint32_t iteration);

/* Set its early results, as far as their sources are known, if they are begun
 * on at `start`. */
void machine_early(struct machine *m, uint32_t op, uint32_t iteration,
		   int64_t start);

/* Set the other results of an op that starts then, behind machine_early();
 * returns the last of them. */
int64_t machine_results(struct machine *m, uint32_t op, uint32_t iteration,
			int64_t start);

/* The iteration is over then; does the loop repeat, or is it enough? */
bool machine_iteration(struct machine *m, int64_t end);

void machine_event(struct machine *m, uint32_t iteration, uint32_t op,
		   int64_t dispatched, int64_t started, int64_t done,
		   int64_t retired);

void machine_run_in_order(struct machine *m);
void machine_run_ideal(struct machine *m);
void machine_run_oldest_first(struct machine *m);

#endif
