/* The state of an invented core while it runs a loop, shared by the parts of
 * its clock: sim.c (instructions and loops), ports.c (ports of a
 * core out of order) and order.c (issue in order). */
#ifndef FAKE_SIM_H
#define FAKE_SIM_H

#include "host/fake/kernel.h"

enum {
	PORT_RING = 1 << 13, /* cycles ahead a port can be reserved */
};

/* The instructions that started in the front end's cycle, on an in-order
 * core. */
struct fake_group {
	const struct fake_op *last; /* NULL: nothing yet */
	uint32_t n_uops;            /* of them, those that need a port */
	uint32_t ports[CORE_MAX_PORTS], busy_cycles[CORE_MAX_PORTS];
	uint8_t taken_by[CORE_MAX_PORTS]; /* uop, 1 and up; 0: free */
};

/* Buffer entries of the window's instructions, in order of release. */
struct fake_buffer {
	uint32_t next;
	int64_t free_at[CORE_MAX_WINDOW]; /* retirement of the last owner */
};

/* The operands of the last instruction of a form. */
struct fake_last {
	uint64_t kernel; /* of this one; 0: none */
	size_t n;
	uint64_t id[FAKE_MAX_REGS];
};

/* The value of a register: a number, or an identity without one. */
struct fake_value {
	uint64_t id; /* the number, if known */
	bool known;
	bool wide; /* no sign-extended 32-bit number */
};

/* Time never decreases: each kernel starts long after the previous one, so
 * nothing need be cleared. */
struct fake_simulator {
	const struct core *core;
	bool slow;     /* forms with two states are in the second */
	bool decodes;  /* no instruction comes from the cache */
	int64_t cycle; /* of the front end */
	uint32_t slot; /* issue slots used in it, of so many */
	uint32_t width;
	uint32_t next; /* place of the next uop in the window */
	int64_t retired;
	int64_t redirected; /* what a taken branch leads to, not before */
	int64_t ready[FAKE_SLOTS];
	uint8_t class_id[FAKE_SLOTS];    /* of the producer */
	int64_t window[CORE_MAX_WINDOW]; /* retirement of the last uops */
	struct fake_buffer entries[FAKE_N_ENTRIES];
	/* When each place of the scheduler of general registers is free. */
	int64_t general[CORE_MAX_WINDOW];
	/* In order: what starts in the current cycle, and until when ports
	 * are busy. */
	struct fake_group group;
	int64_t free_at[CORE_MAX_PORTS];
	/* In order, a unit with a queue: when each of its last instructions
	 * left room for another, and when the last one started. */
	int64_t room_at[CORE_MAX_QUEUE], unit_at;
	uint32_t next_queued;
	/* least-loaded: busy[p][c % PORT_RING] == c when port p is taken in
	 * cycle c; reserved and passed count such cycles. */
	int64_t (*busy)[PORT_RING];
	int64_t reserved[CORE_MAX_PORTS], passed[CORE_MAX_PORTS];
	int64_t passed_until, horizon;
	int64_t started; /* the last uop of the latest instruction */
	int64_t reach;   /* how long ago a result still matters */
	/* Values of registers, in a kernel with forms whose costs depend on
	 * how wide they are, or on whether they are the same again. */
	bool has_width, has_identity;
	struct fake_value value[FAKE_SLOTS];
	struct fake_last *last; /* of each form line */
	uint64_t kernel;        /* counts kernels, from 1 */
	/* For the current instruction: cycles of the first uop on its port,
	 * and latency; 0: as its form says. */
	uint32_t held, latency;
	size_t n_used; /* registers of this kernel */
	uint16_t used[FAKE_SLOTS];
};

static inline int64_t fake_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The place before this one in the window. */
static inline uint32_t fake_before(const struct fake_simulator *s,
				   uint32_t place)
{
	return place == 0 ? s->core->window - 1 : place - 1;
}

/* Entries of a buffer; 0: no limit.  An op holds some from its issue to its
 * retirement, in addition to its places in the window. */
static inline uint32_t fake_n_entries(const struct core *core,
				      enum fake_entries kind)
{
	const uint32_t sizes[FAKE_N_ENTRIES] = {
		[FAKE_LOAD] = core->load_buffer,
		[FAKE_STORE] = core->store_buffer,
		[FAKE_VECTOR] = core->vector_registers,
	};

	return sizes[kind];
}

/* FNV-1a on words. */
static inline uint64_t fake_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x100000001b3ull;
	return h ^ h >> 29;
}

/* buffers.c: wait until there is a place for an op in each buffer that it takes
 * one of, and keep these places; its start is `start`, and s->retired is set. */
void fake_wait_for_entries(struct fake_simulator *s, const struct fake_op *op);
void fake_keep_entries(struct fake_simulator *s, const struct fake_op *op,
		       int64_t start);

/* order.c: when the queue has room for an op, and when the op starts that came
 * to it then, if its sources are ready in cycle `sources`. */
int64_t fake_queue_room(const struct fake_simulator *s,
			const struct fake_op *op);
int64_t fake_queue_start(struct fake_simulator *s, const struct fake_op *op,
			 int64_t came, int64_t sources);

/* Does an op of the unit wait for this register in the queue? */
bool fake_queue_waits(const struct core *core, const struct fake_op *op,
		      const struct fake_reg *r);

/* state.c: a hash of everything that later costs depend on, with times relative
 * to the front end. */
uint64_t fake_state(const struct fake_simulator *s);

/* values.c: the values of registers at the start of a kernel of this length,
 * the extra cycles of an op for its values, and the values after it. */
void fake_values_open(struct fake_simulator *s, const struct fake_kernel *k,
		      int length);
void fake_values_cost(struct fake_simulator *s, const struct fake_op *op);
void fake_values_pass(struct fake_simulator *s, const struct fake_op *op);
/* floats.c: whether a factor of an op is zero, infinite or no number; and the
 * result of a fused multiply-add, if its sources are known. */
bool fake_floats_are_idle(const struct fake_simulator *s,
			  const struct fake_op *op);
bool fake_floats_fuse(const struct fake_simulator *s, const struct fake_op *op,
		      struct fake_value *ret);
/* Hash the part of the state that later costs depend on. */
uint64_t fake_values_state(const struct fake_simulator *s, uint64_t h);

/* Cycles uop u of a form holds its port. */
static inline uint32_t fake_held(const struct core_form *f, uint32_t u,
				 bool slow)
{
	if (u > 0)
		return 1;
	return slow && f->slow_occupancy ? f->slow_occupancy : f->occupancy;
}

/* Bind the uops of a form to the least loaded ports, none before `from`.
 * Returns the cycle in which the first one starts. */
int64_t fake_reserve(struct fake_simulator *s, const struct core_form *f,
		     int64_t from);

/* Compute the best assignment of uops to ports, into t->bound_*. */
void fake_port_bound(const struct fake_kernel *k, int length, bool slow,
		     struct fake_timing *t);

/* Out of order, taken branches are one more bound of t->bound_*: what they lead
 * to is fetched ahead. */
void fake_taken_bound(const struct core *core, const struct fake_kernel *k,
		      int length, struct fake_timing *t);

/* Start an op in order, not before `from`.  Returns its cycle; the front end
 * moves to it. */
int64_t fake_start_in_order(struct fake_simulator *s, const struct fake_op *op,
			    int64_t from);

#endif
