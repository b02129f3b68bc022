/* State of the out-of-order simulator. simulate_issue.c starts instructions;
 * simulate_out_of_order.c dispatches and retires them, simulate_bind.c chooses
 * ports. */
#ifndef PREDICT_OOO_H
#define PREDICT_OOO_H

#include "host/predict/sim.h"

enum {
	OOO_LEAVES = 64,  /* more than MODEL_MOST_RELEASE */
	OOO_BUCKETS = 64, /* length of the timing wheel in cycles */
	/* What a uop that waits adds to ooo_core.bound. */
	OOO_BOUND = MODEL_MAX_PORTS,
	/* Upper limit of the simulation; no loop needs this many cycles. */
	OOO_MAX_CYCLES = 20 * 1000 * 1000,
};

#define OOO_NONE UINT32_MAX

/* Wake-up list entry: a consumer of a result, given by its distance in
 * instructions. */
struct wake {
	uint64_t ahead;
	uint32_t result, slot;
	int64_t cycles;
	bool access; /* the consumer's access waits for the result */
};

/* What most cycles need of an instruction in flight, in 64 bytes.  Times are in
 * cycles (ooo_time()). */
struct rob_entry {
	/* Uops that have not started, one bit each: those that may start, and
	 * those that follow once `left` is empty. */
	uint64_t left, later;
	model_ports wants; /* union of the ports of the uops in `left` */
	uint32_t op, iteration;
	/* ready: when the sources are there; `access_ready`: those of the
	 * access.  earliest: lower bound of the start from dispatch, ports and
	 * the access, for sim_results(). */
	int32_t ready, access_ready, earliest, done;
	uint32_t next;  /* next entry in the same bucket */
	uint32_t known; /* early results whose time is known, one bit each */
	/* Sources whose time is still unknown: all, those of the access. */
	uint16_t n_unknown, n_unknown_access;
	bool finished; /* all uops started; `done` is valid */
};

/* What few cycles need of it.  Only written if the simulation records, or for
 * ops with early results. */
struct rob_more {
	/* Early results whose consumers have not been notified, one bit each;
	 * next_unnotified links entries with such results. */
	uint32_t unnotified, next_unnotified;
	int32_t dispatched, started;
	model_ports taken;  /* ports that its uops used */
	enum sim_hold hold; /* what delayed its dispatch last */
};

/* Ready instructions that have not started, as bitmaps over the places of the
 * ring, 64 places per word.
 *
 *	word 0: | idle | several | port 0 | port 1 | ...
 *	word 1: | idle | several | port 0 | port 1 | ...
 *
 * idle: instructions that need no port; several: those that want more than one;
 * port p: those that want it. */
enum { READY_IDLE, READY_SEVERAL, READY_PORTS };

struct ready_set {
	uint32_t shift; /* a word has 1 << shift bitmaps */
	uint64_t *words;
	uint32_t n_idle, n_wanting[MODEL_MAX_PORTS];
	model_ports wanted; /* ports that some ready instruction wants */
	/* An instruction was added since issue_start_word() cleared it. */
	bool grown;
};

struct ooo_core {
	struct sim *m;
	const struct sim_op *ops; /* of m */
	size_t room;              /* instructions in flight, at most */
	struct rob_entry *ring;
	struct rob_more *more; /* of each place of the ring */
	uint64_t mask; /* size of the ring - 1; the size is a power of two */
	/* With binds_ports: the ports of the uops, most_uops for each place of
	 * the ring.  most_uops: of the instruction with the most. */
	uint8_t *bound_to;
	uint32_t most_uops;
	uint64_t head, tail; /* instructions retired and dispatched so far */
	size_t n_waiting_uops, n_queued;
	uint32_t n_general;
	/* Of them those that leave in cycle c: leaves[c % OOO_LEAVES]. */
	uint32_t leaves[OOO_LEAVES];
	int64_t next_leave;            /* those of earlier cycles have left */
	uint32_t n_loads, n_registers; /* in flight */
	uint32_t in_window;            /* slots in use */
	uint32_t next_op, next_iteration;
	uint32_t owed; /* slots that the next instruction still needs */
	bool begun;
	int64_t now;
	struct ready_set ready_set;
	/* Timing wheel: bucket c % OOO_BUCKETS lists the entries that become
	 * ready in cycle c. in_buckets marks the buckets that are not empty. */
	uint32_t buckets[OOO_BUCKETS];
	uint64_t in_buckets;
	uint32_t unnotified; /* first entry with unnotified early results */
	/* Ports that are in use in this cycle; and of them those that may be in
	 * the next one, too. */
	model_ports busy, busy_longer;
	double free_at[MODEL_MAX_PORTS];
	double used[MODEL_MAX_PORTS]; /* busy cycles so far */
	/* With binds_ports, for each port: OOO_BOUND times the uops bound to it
	 * that have not started, plus a number that orders ports with equally
	 * many. */
	uint32_t bound[MODEL_MAX_PORTS];
	/* The same when the dispatch of this cycle began; SIM_NO_PORT is above
	 * all ports. */
	uint32_t bound_keys[MODEL_MAX_PORTS + 1];
	uint32_t n_bound_now; /* uops bound in this cycle */
	uint32_t turn;        /* of the ports of loads */
	enum sim_hold hold;   /* what stopped dispatch in this cycle */
	/* What stopped it in the cycle before, until an instruction is
	 * dispatched. */
	enum sim_hold held;
	bool done;
};

/* Allocate and initialise the state of the issue stage. c->m and c->mask must
 * be set. */
void ooo_open_issue(struct ooo_core *c);

/* A time as entries keep it, never negative.  All later times become
 * OOO_MAX_CYCLES, at which the simulation ends. */
static inline int32_t ooo_time(int64_t time)
{
	return (int32_t)(time < OOO_MAX_CYCLES ? time : OOO_MAX_CYCLES);
}

static inline struct rob_more *ooo_more(const struct ooo_core *c,
					const struct rob_entry *x)
{
	return &c->more[x - c->ring];
}

/* Ports of the uops of an entry, one for each; only with binds_ports. */
static inline uint8_t *ooo_bound_to(const struct ooo_core *c,
				    const struct rob_entry *x)
{
	return &c->bound_to[(size_t)(x - c->ring) * c->most_uops];
}

/* The ports on which uop i of an entry may start. */
static inline model_ports ooo_ports_of(const struct ooo_core *c,
				       const struct rob_entry *x, int i)
{
	return c->m->binds_ports ? (model_ports)1 << ooo_bound_to(c, x)[i]
				 : c->ops[x->op].uops[i].ports;
}

/* simulate_bind.c: set all ports to no waiting uops. */
void ooo_open_binding(struct ooo_core *c);

/* Before the first dispatch of a cycle: remember how many uops wait for each
 * port. */
void ooo_begin_binding(struct ooo_core *c);

/* At dispatch, only with binds_ports: choose the port of each uop of an entry,
 * and set its `wants`. */
void ooo_bind(struct ooo_core *c, struct rob_entry *x);

/* Find the ports that the uops in `left` want. */
void ooo_find_wants(const struct ooo_core *c, struct rob_entry *x);

/* Compute when the newest entry becomes ready, or count its unknown sources.
 * It was dispatched in this cycle, and its ports are known. */
void ooo_enqueue(struct ooo_core *c, struct rob_entry *x);

/* Start ready instructions, oldest first. Returns true if some instruction has
 * started its last uop. */
bool ooo_issue(struct ooo_core *c);

/* The next cycle in which an instruction may start; INT64_MAX: none. */
int64_t ooo_next_start(const struct ooo_core *c);

#endif
