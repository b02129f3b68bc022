/* Own code: a region of a program becomes a kernel.
 *
 *	jumps		are encoded again; those that leave the region go to its end
 *	calls		of functions in the same program stay calls; the functions
 *			are in front of the region (snippet_calls.c)
 *	the loop	ends in its own branch (own_loop), whose trips the frame
 *			sets, or is straight code that is repeated
 *	registers	addresses point into memory of the kernel, to different
 *			places; indices are 0; other registers have the values
 *			of all kernels (isa.init_image)
 *
 * docs/time.md says this at length. */
#ifndef CAMPAIGN_SNIPPET_H
#define CAMPAIGN_SNIPPET_H

#include "host/gen/gen.h"
#include "host/predict/loops.h"

/* All addresses are in so many bytes if a shorter loop makes that possible: a
 * first-level cache of 32 KiB. */
enum { SNIPPET_NEAR = 28 * 1024 };

enum snippet_mode {
	SNIPPET_AUTO,   /* a loop if the region ends in a branch to its begin */
	SNIPPET_LOOP,   /* as AUTO, and nothing else: refused if it is none */
	SNIPPET_UNROLL, /* a branch at the end is left out */
};

/* What memory holds. */
enum snippet_fill {
	SNIPPET_FILL_AUTO, /* addresses if the code loads one, else ones */
	SNIPPET_FILL_ONES,
	/* Every 8 bytes their own address; in a process, where all memory that
	 * appears is one page, every 8 bytes the same address, a constant. */
	SNIPPET_FILL_SELF,
};

/* A register that the user sets. */
struct snippet_set {
	uint16_t reg;               /* of the catalogue: general or vector */
	uint64_t value;             /* of a general one */
	uint8_t bytes[VALUE_BYTES]; /* of a vector, repeated up to its width */
};

/* Bytes of memory that the user gives. */
struct snippet_data {
	const char *name; /* for messages */
	int reg;          /* GPR that points to them; -1: the first that does */
	bool is_address;  /* they are at `address` instead */
	uint64_t address;
	const uint8_t *value;
	uint32_t value_bytes;
	uint32_t bytes; /* the value is repeated to so many */
};

struct mc_parser; /* host/isa/mc_parse.h */

struct snippet_request {
	const struct program *program;
	const struct loop *loop;
	struct mc_parser *parser; /* of the catalogue's instruction set */
	const char *name;         /* for its label */
	enum snippet_mode mode;
	int trips_in; /* GPR whose value ends the loop after so many; -1: found */
	bool core_clock;
	double cycles; /* of a body, about; 0: not known */
	size_t n_sets;
	const struct snippet_set *sets;
	enum snippet_fill fill;
	bool pages; /* memory that is accessed appears: a process (docs/time.md) */
	int offset; /* of the code in a line of 64 bytes; -1: as placed, or 0 */
	/* The register that counts the repetitions; -1: one that is not used. */
	int counter;
	bool placed_at; /* the code is for an address: nothing in it may depend
			 * on where it is */
	/* Code that runs before each run of the repetitions; NULL: none. */
	const struct program *init;
	/* Bytes that addresses span at most, and that a loop walks through;
	 * 0: what its kernel has. */
	uint32_t memory_bytes;
	size_t n_data;
	const struct snippet_data *data;
};

/* What is known of a general register. */
struct snippet_gpr {
	bool read, written; /* by some instruction */
	bool narrow;        /* some result is less than the whole register */
	bool pointer;       /* its first value is an address */
	bool index;         /* its first value is part of an address */
	/* It becomes itself plus `step` in each body; else it is not known. */
	bool steps;
	int64_t step;
	/* Bytes around the address that are accessed, in all bodies together;
	 * low may be negative. */
	int64_t low, high;
	bool stored; /* some of them are written */
};

/* What the code of --init leaves. */
struct snippet_init {
	uint32_t reads, writes; /* GPRs, as bits */
	/* Of a GPR that it writes: it is the first value of `from` plus `add`;
	 * from -1: something else. */
	int8_t from[32];
	int64_t add[32];
	/* What it accesses itself around the first value of a GPR. */
	uint32_t pointers;
	int64_t low[32], high[32];
	/* What the code takes for addresses, as bits of GPRs. */
	uint32_t body_pointers;
};

struct snippet {
	struct gen_snippet gen;
	struct snippet_init init;
	const char *label;    /* below PACK_MAX_LABEL */
	const char *key;      /* NAME#HASH, the `form` of its claim */
	bool own_loop;        /* the region's own branch closes the loop */
	int trip;             /* GPR that ends the loop, -1: none */
	bool loads_addresses; /* some address comes out of memory */
	bool self;            /* memory holds addresses of itself */
	uint32_t used;        /* GPRs, as bits */
	int64_t room;         /* most bytes of data memory */
	/* The request wants memory of that size (--memory): loops get so many
	 * iterations that they go through all of it. */
	bool walks;
	struct snippet_gpr gprs[32];
	int moves; /* how many more accesses move up than down with each body */
	/* What is encoded: the region, and in front of it `n_called`
	 * instructions, the functions that it calls behind a jump over them; 0:
	 * it calls none.  Without them these are those of the request. */
	struct program program;
	struct loop loop; /* the region, in `program` */
	size_t n_called;
	const int8_t *places; /* as of struct snippet_region */
	/* Instructions of `program` in the order of one body, as far as that is
	 * known: no jump on a condition in a function is taken. */
	const uint32_t *order;
	size_t n_order;
	bool returns; /* some instruction is a return */
	/* Of each instruction, from the begin of the code. */
	const uint32_t *offsets;
	size_t n_insns; /* of the region */
};

/* Instruction k of what is encoded. */
static inline const struct insn *snippet_insn(const struct snippet *s, size_t k)
{
	return &s->program.insns[s->loop.first - s->n_called + k];
}

/* What messages call instruction k: those of the region are 1 to n_insns, those of
 * functions have the numbers behind. */
static inline size_t snippet_number(const struct snippet *s, size_t k)
{
	return k < s->n_called ? s->n_insns + k : k - s->n_called + 1;
}

/* Plan the kernel.  Strings and arrays of *ret are in `a`.  ERR_INPUT, with the
 * line, why this code cannot be measured so. */
int snippet_plan(struct arena *a, const struct snippet_request *q,
		 struct snippet *ret, struct err *e);

/* ---- parts, in this order ------------------------------------------------ */

struct snippet_bytes {
	bool calls_system;
	const uint8_t *code;
	size_t n;
	const uint32_t *offsets;         /* of each instruction, and the end */
	const struct form *const *forms; /* of each instruction */
};

/* Instructions of a program. */
struct snippet_region {
	const struct program *program;
	size_t first, n;
	bool may_call; /* the system: that is a fault where it runs */
	/* Of each instruction: at which byte of a line of code (64 bytes) it must
	 * begin, -1: directly behind the one before.  The first instruction begins
	 * a line.  NULL: -1 for all. */
	const int8_t *places;
	/* Instructions of functions in front; a return behind them has no call,
	 * which is a fault where `may_return`. */
	size_t n_called;
	bool may_return;
};

/* snippet_code.c: instructions as bytes, with jumps encoded again. */
int snippet_encode_region(struct arena *a, const struct snippet_region *r,
			  struct snippet_bytes *ret, struct err *e);
int snippet_encode(struct arena *a, const struct snippet_request *q,
		   struct snippet *ret, struct err *e);

/* snippet_calls.c, before snippet_encode(): what is encoded.  ERR_INPUT, with the
 * line, of a function that cannot be measured, or if there is no loop. */
int snippet_gather(struct arena *a, const struct snippet_request *q,
		   struct snippet *s, struct err *e);

/* Copies of the region behind its functions, for each length: s->gen.whole.  Does
 * nothing to code that calls none, or that is a loop. */
int snippet_copy(struct arena *a, const struct snippet_request *q,
		 struct snippet *s, struct err *e);

/* Where the region begins in a line of code. */
uint8_t snippet_place_in_line(const struct snippet_request *q);

/* "line 12", or "address 1f0" of code without lines; in `a`. */
const char *snippet_place(struct arena *a, const struct program *p,
			  const struct insn *i);

/* The GPRs that an instruction reads and writes, as bits. */
struct snippet_uses {
	uint32_t reads, writes;
};
struct snippet_uses snippet_uses(const struct catalogue *c,
				 const struct insn *i);

/* snippet_follow.c: the number of a general register; -1: it is none. */
int snippet_gpr(const struct catalogue *c, uint16_t reg);

/* Into s->gprs: which registers are addresses, and by how much each moves. */
void snippet_follow(const struct snippet_request *q, struct snippet *s);

/* snippet_loop.c: the register that ends the loop, and how. */
struct snippet_trip {
	int reg;          /* whose first value decides; -1: none */
	int like;         /* register whose first value it gets, -1: 0 */
	int64_t first;    /* added */
	int64_t per_trip; /* added for each trip */
};
/* Does the jump depend on flags or registers? */
bool snippet_is_conditional(const struct catalogue *c, const struct insn *i);

int snippet_find_trip(struct arena *a, const struct snippet_request *q,
		      const struct snippet *s, struct snippet_trip *ret,
		      struct err *e);

/* snippet_init.c: the code of --init; behind snippet_follow(), whose addresses
 * become those that it computes them from. */
int snippet_begin(struct arena *a, const struct snippet_request *q,
		  struct snippet *s, struct err *e);
void snippet_begin_extents(struct snippet *s);

/* snippet_data.c: what the bytes of the request add to the extents; then the
 * bytes, where the registers point to. */
void snippet_data_extents(const struct snippet_request *q, struct snippet *s);
int snippet_place_data(struct arena *a, const struct snippet_request *q,
		       struct snippet *s, struct err *e);

/* snippet_frame.c: the register that counts the repetitions, and the stack. */
int snippet_choose_counter(struct arena *a, const struct snippet_request *q,
			   struct snippet *s, struct err *e);
void snippet_choose_stack(const struct isa *isa, struct snippet *s);

/* snippet_memory.c: extents of all addresses for so many bodies, then values of
 * all registers in the image and the frame. */
void snippet_extents(const struct snippet_request *q, struct snippet *s,
		     const struct snippet_trip *trip, int64_t bodies);
int snippet_values(struct arena *a, const struct snippet_request *q,
		   struct snippet *s, const struct snippet_trip *trip,
		   struct err *e);

/* Bytes that the extents take, with a line before and behind them. */
int64_t snippet_span(const struct snippet_request *q, const struct snippet *s);

#endif
