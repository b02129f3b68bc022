/* State of the out-of-order simulator. simulate_issue.c starts instructions;
 * simulate_oldest.c dispatches and retires them, simulate_bind.c chooses ports. */
#ifndef PREDICT_CORE_H
#define PREDICT_CORE_H

#include "host/predict/machine.h"

enum {
	CORE_MAX_UOPS = 64, /* uops of one instruction, at most */
	CORE_BUCKETS = 64,  /* length of the timing wheel in cycles */
	/* Upper limit of the simulation; no loop needs this many cycles. */
	CORE_MAX_CYCLES = 20 * 1000 * 1000,
};

#define CORE_NONE UINT32_MAX

/* Wake-up list entry: a consumer of a result, given by its distance in
 * instructions. */
struct wake {
	uint64_t ahead;
	uint32_t result, slot;
	int64_t cycles;
	bool access; /* the consumer's access waits for the result */
};

/* Properties of an instruction that are the same in every iteration. */
struct sim_step {
	uint32_t slots, room, before, registers, n_uops, n_wakes;
	bool load, queued, early_result;
	const struct sim_uop *uops;
	const struct wake *wakes;
	uint64_t left; /* one bit per uop */
	/* Uops of the access, which wait for the address alone; 0: every uop
	 * waits for all sources. */
	uint64_t access;
};

struct rob_entry {
	uint32_t op, iteration;
	/* Sources whose time is still unknown: all, those of the access. */
	uint32_t n_unknown, n_unknown_access;
	uint32_t next; /* next entry in the same bucket */
	int64_t at;    /* cycle in which it leaves the bucket */
	/* ready: when the sources are there; `access_ready`: those of the
	 * access.  earliest: lower bound of the start from dispatch, ports and
	 * the access, for machine_results(). */
	int64_t dispatched, ready, access_ready, earliest, started, done;
	/* Uops that have not started, one bit each: those that may start, and
	 * those that follow once `left` is empty. */
	uint64_t left, later;
	model_ports wants; /* union of the ports of these uops */
	model_ports taken; /* ports that the others used */
	/* Bitmaps of early results: those whose time is known, and those whose
	 * consumers have not been notified. next_unnotified links entries with
	 * such results. */
	uint32_t known, unnotified, next_unnotified;
	bool finished;      /* all uops started; `done` is valid */
	enum sim_hold hold; /* what delayed its dispatch last */
};

/* Ready instructions that lack a port, as bitmaps over the places of the ring,
 * 64 places per word. Column 0 marks instructions that need no port; column 1 +
 * p marks those that want port p.
 *
 *	word 0: | none | port 0 | port 1 | ...
 *	word 1: | none | port 0 | port 1 | ... */
struct ready_set {
	size_t n_columns;
	uint64_t *words;
	uint32_t n_idle, n_wanting[MODEL_MAX_PORTS];
	model_ports wanted; /* ports that some ready instruction wants */
};

struct ooo_core {
	struct sim_machine *m;
	struct sim_step *steps; /* one per op of the body */
	size_t room;            /* instructions in flight, at most */
	struct rob_entry *ring;
	uint64_t mask; /* size of the ring - 1; the size is a power of two */
	/* Read with core_ports_of(): most_uops ports for each place of the ring.
	 * most_uops: of the instruction with the most. */
	model_ports *ports_of;
	uint32_t most_uops;
	uint64_t head, tail; /* instructions retired and dispatched so far */
	size_t n_waiting_uops, n_queued;
	uint32_t n_loads, n_registers; /* in flight */
	uint32_t in_window;            /* slots in use */
	uint32_t next_op, next_iteration;
	uint32_t owed; /* slots that the next instruction still needs */
	bool begun;
	int64_t now;
	struct ready_set ready_set;
	/* Timing wheel: bucket c % CORE_BUCKETS lists the entries that become
	 * ready in cycle c. in_buckets marks the buckets that are not empty. */
	uint32_t buckets[CORE_BUCKETS];
	uint64_t in_buckets;
	uint32_t unnotified; /* first entry with unnotified early results */
	model_ports busy;    /* in this cycle */
	double free_at[MODEL_MAX_PORTS];
	double used[MODEL_MAX_PORTS]; /* busy cycles so far */
	/* Uops bound to each port that have not started; the same when the
	 * dispatch of this cycle began, as keys that order the ports; and the
	 * number of uops bound in this cycle. */
	uint32_t n_bound[MODEL_MAX_PORTS], bound_keys[MODEL_MAX_PORTS];
	uint32_t n_bound_now;
	enum sim_hold hold; /* what stopped dispatch in this cycle */
	/* What stopped it in the cycle before, until an instruction is
	 * dispatched. */
	enum sim_hold held;
	bool done;
};

/* Allocate and initialise the state of the issue stage. c->m and c->mask must
 * be set. */
void core_open_issue(struct ooo_core *c);

/* The ports on which each uop of an entry may start. */
static inline model_ports *core_ports_of(const struct ooo_core *c,
					 const struct rob_entry *x)
{
	return &c->ports_of[(size_t)(x - c->ring) * c->most_uops];
}

/* simulate_bind.c: before the first dispatch of a cycle, count the uops that wait for
 * each port. */
void core_begin_binding(struct ooo_core *c);

/* At dispatch: find the ports on which each uop of an entry may start.  A core with
 * binds_ports chooses one for each. */
void core_bind(struct ooo_core *c, struct rob_entry *x);

/* Find the ports that the newest entry wants.  Compute when it becomes ready, or count
 * its unknown sources.
 * The entry was dispatched in this cycle. */
void core_enqueue(struct ooo_core *c, struct rob_entry *x);

/* Start ready instructions, oldest first. Returns whether any started. */
bool core_issue(struct ooo_core *c);

/* The next cycle in which an instruction may start; INT64_MAX: none. */
int64_t core_next_start(const struct ooo_core *c);

#endif
