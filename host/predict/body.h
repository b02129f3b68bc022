/* The body of a loop, bound to a model: what each instruction reads, writes and
 * costs. */
#ifndef PREDICT_BODY_H
#define PREDICT_BODY_H

#include "host/model/complete.h"
#include "host/predict/loops.h"

enum {
	BODY_BANK_UNITS = 64,
	/* Registers are numbered bank * BODY_BANK_UNITS + index. Flags that are
	 * renamed together share one number. */
	BODY_UNITS = BANK_N * BODY_BANK_UNITS,
	BODY_MAX_SPANS = 24,
	DECOUPLED_MAX = 32, /* instructions in the queue of a unit */
	BODY_MAX_OPS = 4096,
};

/* Name of the pseudo port of loads and stores together, also in reasons. */
#define LOAD_STORE_POOL "loads and stores"

/* Consecutive registers that an instruction reads or writes. */
struct reg_span {
	uint16_t unit;
	uint8_t span;
	uint8_t operand; /* index in op_form(); see op_operand() */
	bool address;    /* part of an address */
};

/* Symbolic address of an access. Two accesses of an iteration with equal fields
 * access the same memory. */
struct mem_place {
	bool known;
	/* Known within one iteration only: its registers get values that have
	 * no relation to those of other iterations. */
	bool fleeting;
	uint32_t base, index; /* symbolic values; 0: none */
	int64_t scale, offset;
	int64_t step;   /* stride: bytes per iteration */
	unsigned bytes; /* 0: unknown */
	const char *symbol;
};

struct op {
	const struct insn *insn;
	const struct completed_form *costs; /* NULL: no form */
	/* The form that names its operands; NULL: the instruction has none. */
	const struct form *operands;
	const struct model_form *form; /* &costs->costs, or NULL */
	/* Variant for one register as all sources, if its latencies count. */
	const struct model_form *same;
	/* Layers of the values that this instruction uses. */
	struct cost_origin origin[COST_N];
	size_t n_reads, n_writes;
	struct reg_span reads[BODY_MAX_SPANS], writes[BODY_MAX_SPANS];
	bool load, store;
	struct mem_place place;
	bool is_zero_idiom; /* zero idiom: reads no register */
	/* In order: cycles between the result before it in a register that it
	 * writes and its start, of other forms and of its own; 0: it does not
	 * wait. */
	double overwrite, overwrite_own;
	/* In order: so many instructions wait for registers of this bank in the
	 * queue of its unit, while others start; 0: it has no queue. */
	uint32_t decoupled;
	uint8_t decoupled_bank;
	/* It leaves the queue before its data is there. */
	bool late_data;
	bool fused;        /* macro-fused with the instruction before */
	bool eliminated;   /* eliminated by the renamer */
	bool straddles;    /* some of its accesses cross a cache line */
	bool may_straddle; /* at worst alignment they do */
	double slots;      /* front-end slots */
	double decoded;    /* slots when it leaves the decoders */
	uint32_t room;     /* slots that must be free in its cycle; 0: any */
	/* Slots of its cycle that are taken before it are fewer; 0: any. */
	uint32_t max_slots_before;
	size_t n_uses;
	size_t n_access; /* the first n_access uses are the memory access */
	const struct model_use *uses;
	/* Latencies in cycles, read with op_latency(). Rows: reads[], then
	 * memory, then one row for an op without reads. Columns: writes[], then
	 * memory. Negative: the result does not depend on this source. */
	const double *latency;
	/* Cycles until a store without a consumer completes. */
	double store_end;
	/* What was assumed about this instruction, for the user; NULL:
	 * nothing. */
	const char *assumed;
};

struct body {
	struct arena *a;
	const struct program *program;
	struct completion *completion;
	const struct model *model; /* completed, with the ports of this body */
	const struct loop *loop;
	/* Ports of the model; pseudo ports of pools follow them. */
	size_t n_ports;
	size_t n;
	struct op *ops;
	unsigned stack_top; /* of a stack of registers, while ops are bound */
	bool stores;        /* some op stores */
	bool worst;         /* streams are at the worst alignment */
	bool acts[EFFECT_MAX]; /* bind() of an effect sets it, for the rest */
};

/* A loop on a core. */
struct loop_on {
	const struct program *program;
	const struct loop *loop;
	struct completion *completion;
};

/* Bind the loop to the completed model, with its streams at best or at worst
 * alignment. Everything in *ret belongs to `a`; what `l` points to must outlive
 * it. ERR_INPUT when the loop has more than BODY_MAX_OPS instructions. */
int body_bind(struct arena *a, const struct loop_on *l, bool worst,
	      struct body *ret, struct err *e);

/* places.c: the nearest earlier store of what a load reads, and how many
 * iterations ago it is; false: none. */
bool place_store_of(const struct body *b, uint32_t to, uint32_t *ret_from,
		    uint32_t *ret_distance);

/* places.c: the nearest earlier store of some, but not all, of what a load
 * reads, with no store of all of it behind it, and how many iterations ago it
 * is; false: none. */
bool place_blocks(const struct body *b, uint32_t to, uint32_t *ret_from,
		  uint32_t *ret_distance);

/* ---- instructions, body.c ---------------------------------------------- */

/* Index of memory in the rows and in the columns of op.latency. */
static inline size_t op_memory_read(const struct op *o)
{
	return o->n_reads;
}

static inline size_t op_memory_result(const struct op *o)
{
	return o->n_writes;
}

static inline size_t op_n_results(const struct op *o)
{
	return o->n_writes + (o->store ? 1 : 0);
}

static inline double op_latency(const struct op *o, size_t read, size_t result)
{
	return o->latency[read * (o->n_writes + 1) + result];
}

/* The form that has the operands; NULL: the instruction has none. */
static inline const struct form *op_form(const struct op *o)
{
	return o->operands;
}

/* The operand that a register is read or written as.  NULL: the form lists
 * none, as for some flags and entries of a stack. */
const struct operand *op_operand(const struct op *o, const struct reg_span *x);

/* The register of a read as the instruction names it; where it has no name,
 * that of its bank, "the x87 stack"; "memory".  Never NULL. */
const char *op_read_name(const struct body *b, const struct op *o,
			 uint32_t read);

/* Does an instruction read at least two explicit registers, all of them the
 * same? */
bool op_one_source(const struct instance *i);

/* Does its result not depend on its sources, which are one register? */
bool op_is_zero_idiom(const struct body *b, const struct op *o);

/* Is it known, and does it reach the execution units? */
static inline bool op_is_executed(const struct op *o)
{
	return o->costs && !o->eliminated && !o->is_zero_idiom;
}

/* Does its address have an index register? */
bool op_has_index(const struct op *o);

/* Does the instruction write a vector or floating-point register? */
bool op_writes_vectors(const struct op *o);

/* Does the instruction only move data between memory and a register? */
bool op_is_plain_access(const struct op *o);

/* Does the instruction occupy the vector scheduler until its sources are
 * there? A store of a vector does, too: on an Emerald Rapids, where 103
 * instructions on vectors can wait, a chain of 60 additions and 40 stores of
 * its result took 71 cycles when repeated, because one chain overlaps with
 * the next; with 50 stores it took 131. */
bool op_waits_with_vectors(const struct op *o);

/* Cycles that an instruction with a load computes after its data has arrived:
 * its longest latency from a source outside the address. */
double op_compute_cycles(const struct op *o);

/* Remove ports from the uses of an op, each unless none would be left. */
void op_remove_ports(const struct body *b, struct op *o, model_ports ports);

/* Are its ports those of LLVM's tables? */
bool op_has_llvm_ports(const struct body *b, const struct op *o);

/* Record the first assumption about the instruction; later ones are dropped. */
void op_assume(struct op *o, const char *what);

/* Register number of (bank, index). */
static inline uint16_t unit_of(unsigned bank, unsigned index)
{
	return (uint16_t)(bank * BODY_BANK_UNITS + index);
}

#endif
