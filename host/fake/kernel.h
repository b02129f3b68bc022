/* Kernels as an invented core sees them: machine code decoded into operations
 * with register dependencies, and the time a loop of them takes. */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include "common/pack.h"
#include "host/base/arena.h"
#include "host/base/file.h"
#include "host/fake/core.h"
#include "host/isa/catalogue.h"

enum {
	FAKE_MAX_REGS = 24, /* read, and written, by one instruction */
	FAKE_MAX_BYTES = 16,
	FAKE_BANK_SLOTS = 64,
	FAKE_REG_SLOTS = BANK_N * FAKE_BANK_SLOTS,
	FAKE_CELLS = 1536, /* of memory, in one kernel */
	FAKE_SLOTS = FAKE_REG_SLOTS + FAKE_CELLS,
};

/* Registers are slots of one table, bank * FAKE_BANK_SLOTS + index.  The
 * memory cells of the kernel follow them. */
struct fake_reg {
	uint16_t slot;
	uint16_t span;
};

/* One distinct instruction of a kernel. */
/* Buffers in which an instruction holds an entry while it is in the window. */
enum fake_entries { FAKE_LOAD, FAKE_STORE, FAKE_VECTOR, FAKE_N_ENTRIES };

/* Bits: is a fused multiply-add; negates the product; subtracts the addend; is
 * of single precision. */
enum fake_fuse {
	FAKE_FUSES = 1 << 0,
	FAKE_NEGATES = 1 << 1,
	FAKE_SUBTRACTS = 1 << 2,
	FAKE_SINGLE = 1 << 3,
};

struct fake_op {
	size_t n_bytes;
	size_t n_next; /* from its start to what runs after it */
	unsigned char bytes[FAKE_MAX_BYTES];
	const struct core_form *core; /* NULL: costs nothing */
	size_t n_src, n_dst;
	struct fake_reg src[FAKE_MAX_REGS], dst[FAKE_MAX_REGS];
	uint16_t latency[FAKE_MAX_REGS][FAKE_MAX_REGS]; /* src first */
	uint16_t longest[FAKE_MAX_REGS]; /* latency to each dst */
	uint32_t listed[FAKE_MAX_REGS];  /* of src: bit d, its latency to d is
					  * the same in any state */
	/* How many cycles after the start a source may arrive without a delay:
	 * of any result, and of the result that needs it last. */
	uint16_t slack[FAKE_MAX_REGS], most_slack[FAKE_MAX_REGS];
	/* Memory is the last source, and the last result. */
	bool loads, stores;
	/* It accesses memory or writes a vector register: by enum
	 * fake_entries. */
	bool takes[FAKE_N_ENTRIES];
	uint64_t address;
	bool no_wait; /* zero idiom: reads nothing, needs no port */
	/* The effect on values: 0 if a source is 0, the other source if one
	 * is 0, or the product of two numbers (the ISA's carriers). */
	bool clears, adds, multiplies;
	uint8_t fuse;  /* enum fake_fuse */
	bool unlinked; /* a call through another link register */
	bool jumps;    /* it needs a target of struct core */
	bool taken;    /* a branch to somewhere else, in whole code */
	/* Its address counts from the stack pointer, which earlier instructions
	 * had moved by so many bytes. */
	bool on_stack;
	int64_t moved;
	int moves; /* bytes by which it moves the stack pointer itself */
};

/* A decoded kernel; everything is valid until the next fake_decode(). */
struct fake_kernel {
	const struct fake_op *ops;
	size_t n[PACK_LENGTHS]; /* instructions of one iteration */
	const uint16_t *sequence[PACK_LENGTHS]; /* indices into ops */
	const char *fault;                      /* cause, "die", or NULL */
	uint32_t fault_pc;
	double slow_share; /* percent of rows in its second state */
	bool uncached;     /* decoded each time, even if short */
	/* Registers at the start; NULL: unknown. */
	const struct pack_image *image;
};

/* A loop that no pack holds. */
struct fake_code {
	/* Code that runs once before the loop and sets up variants of forms;
	 * may be empty. */
	const unsigned char *setup;
	size_t setup_bytes;
	const unsigned char *loop;
	size_t loop_bytes;
};

struct fake_decoder;

/* Decoder of the kernels of one pack for one core.  All three must outlive
 * it.  The pack may be NULL for loops without one. */
struct fake_decoder *fake_decoder_new(const struct catalogue *c,
				      const struct core *core,
				      const void *pack);
void fake_decoder_free(struct fake_decoder *d);
void fake_decode(struct fake_decoder *d, uint32_t index,
		 struct fake_kernel *ret);

/* Decode a loop as length 0 of a kernel, without its end. */
void fake_decode_loop(struct fake_decoder *d, const struct fake_code *code,
		      struct fake_kernel *ret);

/* Cycles of 1, 2, 3 ... iterations of a loop.  They are simulated until the
 * state of the core repeats, and computed exactly from there on. */
struct fake_timing {
	uint32_t n_known;  /* cycles[0..n_known) of 1..n_known iterations */
	uint32_t n_period; /* the last n_period of them repeat ... */
	uint64_t period_cycles; /* ... each this much later */
	const uint32_t *cycles;
	/* Lower bound per iteration by the ports. */
	uint64_t bound_cycles;
	uint32_t bound_ports;
	/* Cycles to find targets of jumps: in the first iteration, and in each
	 * later one. */
	uint32_t jumps_first, jumps_again;
};

/* The clock of a core; keeps no state between kernels. */
struct fake_simulator;
struct fake_simulator *fake_simulator_new(const struct core *core);
void fake_simulator_free(struct fake_simulator *s);

/* Simulate one length of a kernel.  `slow`: forms with two states are in the
 * second.  *ret->cycles is owned by `a`. */
void fake_simulate(struct fake_simulator *s, struct arena *a,
		   const struct fake_kernel *k, int length, bool slow,
		   struct fake_timing *ret);

/* Cycles of n iterations. */
uint64_t fake_cycles(const struct fake_timing *t, uint64_t n);

#endif
