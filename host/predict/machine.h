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

/* How long after a result something is, at the earliest. */
struct wait {
	uint32_t result;   /* numbered through the loop */
	uint32_t distance; /* iterations ago */
	uint32_t back;     /* instructions ago */
	uint32_t slot;     /* of the result among those of its op */
	int64_t later;     /* whole cycles */
};

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
	uint32_t history; /* iterations whose results are remembered: 2^k */
	int64_t *ready;   /* by machine_row() */
	/* What each op waits for, [first_wait[op], first_wait[op + 1]). */
	uint32_t *first_wait;
	struct wait *waits;
	/* Of each result: cycles after the start, and what may still come later
	 * than that, [first_late[result], first_late[result + 1]). */
	int64_t *own;
	uint32_t *first_late;
	struct wait *late;
	/* Cycles from dispatch until what is loaded is there, of an op that
	 * computes with it. */
	int64_t *lead;
	/* Results that wait for less than their op does: a base that is
	 * written back beside the data of its store; and ops that have any. */
	bool *early, *has_early;
	bool *apart; /* ops whose results do not wait for one start */
	uint32_t *op_slots;
	int64_t *ends; /* retirement of each iteration */
	uint32_t n_ends;
	uint32_t least; /* iterations until the window has been full */
	struct simulation *out;
};

void machine_open(struct machine *m, struct arena *a, const struct graph *g,
		  const struct pressure *p, struct simulation *out);

/* simulate_waits.c: fill waits, late, own, lead and early. */
void machine_find_waits(struct machine *m);

/* When the results of an iteration are there, [result]. */
static inline int64_t *machine_row(const struct machine *m, uint32_t iteration)
{
	return &m->ready[(size_t)(iteration & (m->history - 1)) *
			 m->g->n_results];
}

/* When the sources of an op are there, all of which have been set: its earliest
 * start. */
int64_t machine_start(const struct machine *m, uint32_t op, uint32_t iteration);

/* Set its early results if they are begun on at `start`: one, or all. */
void machine_early_result(struct machine *m, uint32_t result,
			  uint32_t iteration, int64_t start);
void machine_early(struct machine *m, uint32_t op, uint32_t iteration,
		   int64_t start);

/* Set the other results of an op that starts then; returns the last of them.
 * `free`: no earlier for any other reason than its sources; a result waits for
 * those that it is computed from, and not for the start, which another result's
 * may have put off. */
int64_t machine_results(struct machine *m, uint32_t op, uint32_t iteration,
			int64_t start, int64_t free);

/* The iteration is over then; does the loop repeat, or is it enough? */
bool machine_iteration(struct machine *m, int64_t end);

void machine_event(struct machine *m, uint32_t iteration, uint32_t op,
		   int64_t dispatched, int64_t started, int64_t done,
		   int64_t retired);

void machine_run_in_order(struct machine *m);
void machine_run_ideal(struct machine *m);
void machine_run_oldest_first(struct machine *m);

#endif
