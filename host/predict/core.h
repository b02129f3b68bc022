/* A core out of order, between the two halves of its cycle: simulate_issue.c
 * starts instructions, simulate_oldest.c dispatches and retires them. */
#ifndef PREDICT_CORE_H
#define PREDICT_CORE_H

#include "host/predict/machine.h"

enum {
	CORE_MAX_UOPS = 64, /* of one instruction that are told apart */
	CORE_BUCKETS = 64,  /* cycles ahead that are told apart */
	/* A bound of our own: no loop needs as many cycles for its steps. */
	CORE_MAX_CYCLES = 20 * 1000 * 1000,
};

#define CORE_NOBODY UINT32_MAX

struct uop {
	model_ports ports; /* those of the best sharing */
	double cycles;
};

/* Who waits for an instruction: how many instructions later in the program. */
struct wake {
	uint64_t ahead;
	uint32_t result, slot;
	int64_t later;
};

/* What is the same of an instruction in every iteration. */
struct step {
	uint32_t slots, room, registers, n_uops, n_wakes;
	bool load, queued, early;
	const struct uop *uops;
	const struct wake *wakes;
	uint64_t left;     /* a bit for each uop */
	model_ports wants; /* ports of any of them */
};

struct entry {
	uint32_t op, iteration;
	uint32_t n_unknown; /* sources whose time is not known yet */
	uint32_t next;      /* in its bucket */
	int64_t dispatched, ready, started, done;
	uint64_t left;     /* uops without a port yet */
	model_ports wants; /* ports of these */
	/* Early results whose time is known, and those of them that nobody has
	 * been told of; the next entry that has such. */
	uint32_t known, untold, next_untold;
	bool finished; /* all started: `done` is known */
};

/* Places of the ring whose instructions could start if they had a port: sets of
 * bits, 64 places to a word.  Column 0: who needs none; 1 + p: who wants
 * port p.
 *
 *	word 0: | none | port 0 | port 1 | ...
 *	word 1: | none | port 0 | port 1 | ...
 */
struct waiters {
	size_t n_columns;
	uint64_t *words;
	uint32_t n_idle, n_wanting[MODEL_MAX_PORTS];
	model_ports wanted; /* ports that anybody wants */
};

struct core {
	struct machine *m;
	struct step *steps; /* of each op */
	size_t room;        /* instructions in flight */
	struct entry *ring;
	uint64_t mask;       /* of places in it: 2^k - 1 */
	uint64_t head, tail; /* retired and dispatched instructions */
	size_t n_waiting_uops, n_queued;
	uint32_t n_loads, n_registers; /* not retired */
	uint32_t in_window;            /* slots */
	uint32_t next_op, next_iteration;
	uint32_t owed; /* slots the next instruction still needs */
	bool begun;
	int64_t now;
	struct waiters waiters;
	/* Places of instructions that will be ready in that cycle, or in one
	 * of the same remainder; and which of these lists are not empty. */
	uint32_t buckets[CORE_BUCKETS];
	uint64_t in_buckets;
	uint32_t untold; /* place of the first entry with such results */
	model_ports ports, busy; /* those there are, and those taken now */
	double free_at[MODEL_MAX_PORTS];
	double used[MODEL_MAX_PORTS]; /* cycles taken so far */
	enum sim_hold hold;           /* of this cycle's dispatch */
	bool done;
};

/* Allocate what the functions below need. */
void core_open_issue(struct core *c);

/* The newest entry has been dispatched now: see what it waits for. */
void core_enqueue(struct core *c, struct entry *x);

/* Start what can start in this cycle, oldest first; did anything? */
bool core_issue(struct core *c);

/* The next cycle in which anything may start; INT64_MAX: in none. */
int64_t core_next_start(const struct core *c);

#endif
