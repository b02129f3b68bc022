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
	BODY_UNITS = 9 * BODY_BANK_UNITS,
	BODY_MAX_EFFECTS = 24,
	BODY_MAX_OPS = 4096,
};

/* Consecutive registers that an instruction reads or writes. */
struct reg_effect {
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
	const struct model_form *form;      /* &costs->costs, or NULL */
	const struct model_form *same;      /* body_same_latencies() */
	/* Layers of the values that this instruction uses. */
	struct cost_origin origin[COST_N];
	size_t n_reads, n_writes;
	struct reg_effect reads[BODY_MAX_EFFECTS], writes[BODY_MAX_EFFECTS];
	bool load, store;
	struct mem_place place;
	bool is_zero_idiom; /* zero idiom: reads no register */
	bool fused;         /* macro-fused with the instruction before */
	bool eliminated;    /* eliminated by the renamer */
	bool straddles;     /* some of its accesses cross a cache line */
	bool may_straddle;  /* at worst alignment they do */
	double slots;       /* front-end slots */
	uint32_t room;      /* slots that must be free in its cycle; 0: any */
	uint32_t before;    /* fewer slots are taken before it; 0: any number */
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
	bool closes;        /* some op closes ports to other vectors */
};

/* Bind the loop to the completed model, with its streams at best or at worst
 * alignment. Everything in *ret belongs to `a`; p,
 * loop and k must outlive it. ERR_INPUT when the loop has more than
 * BODY_MAX_OPS instructions. */
int body_bind(struct arena *a, const struct program *p, const struct loop *loop,
	      struct completion *k, bool worst, struct body *ret,
	      struct err *e);

/* variants.c: the costs of an instruction.  First choice: its variant because of an
 * immediate, or of ah, bh, ch or dh.  Second: its variant `same`, if all sources are one
 * register and the variant's throughput is better than the ports of the form allow.
 * Else: its form. */
const struct completed_form *body_costs(const struct body *b,
					const struct instance *i);

/* Does its result not depend on its sources, which are one register? */
bool body_is_zero_idiom(const struct body *b, const struct op *o);

/* The costs that have the ports and slots of an instruction with costs: of the
 * variant with one register, if it is that and the model has its ports; else
 * o->costs. */
const struct completed_form *body_port_costs(const struct body *b,
					     const struct op *o);

/* The variant `same`, for its latencies.  It reads its register once, so it has those of
 * one source.  NULL: the sources are several registers; the model has no latency of the
 * variant, or less than half a cycle; or the costs are those of another variant. */
const struct model_form *body_same_latencies(const struct body *b,
					     const struct op *o);

/* Is it a zero idiom that needs no port, although its costs have ports? */
bool body_idiom_is_free(const struct body *b, const struct op *o);

/* latency.c: fill o->latency and o->store_end. */
void body_fill_latencies(struct body *b, struct op *o);

/* Cycles that an instruction with a load computes after its data has arrived:
 * its longest latency from a source outside the address. */
double body_compute_cycles(const struct op *o);

/* Record the first assumption about the instruction; later ones are dropped. */
void body_assume(struct op *o, const char *what);

/* written.c: lengthen the latencies of ops with a source that another unit wrote.  Comes
 * after graph_forward(), which needs those of the form. */
void body_wait_written(struct body *b);

/* places.c: fill `place` of all ops. */
void body_find_places(struct body *b);

/* closed.c: if the loop has 512-bit instructions, remove the ports that these close from
 * all vector instructions, unless none would be left.  Comes before body_pool(). */
void body_close_ports(struct body *b);

/* closed.c: names of these ports, "p1", in b->a; NULL: the loop closes none to others. */
const char *body_closed_text(const struct body *b);

/* closed.c: the charge without the closed ports.  In another pool: it is added to the given
 * charge.  In the same pool: it replaces it.  0 cycles: no change. */
struct model_charge op_closed_charge(const struct body *b, const struct op *o,
				     const struct model_charge *x);

/* indexed.c: remove ports from the uses of an op, each unless none would be left. */
void op_remove_ports(const struct body *b, struct op *o, model_ports ports);

/* indexed.c: remove ports without support for an index from accesses with an
 * index, unless no port would be left. */
void body_remove_ports(struct body *b);

/* pools.c: make pseudo ports of the pools that forms of the body need. b->model
 * becomes a copy with the ports that the body uses. Requires costs. */
void body_pool(struct body *b);

/* lines.c: a second access for streams that cross cache lines, at best or at
 * worst alignment. Requires places and pools. */
void body_cross_lines(struct body *b, bool worst);

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

/* The form that has the costs and the operands; NULL: the instruction has none. */
static inline const struct form *op_form(const struct op *o)
{
	return o->costs ? o->costs->form : o->insn->instance.form;
}

/* The operand that a register is read or written as.  NULL: the form lists none, as for
 * some flags and entries of a stack. */
const struct operand *op_operand(const struct op *o,
				 const struct reg_effect *x);

/* The register of a read as the instruction names it; where it has no name, that of
 * its bank, "the x87 stack"; "memory".  Never NULL. */
const char *op_read_name(const struct body *b, const struct op *o,
			 uint32_t read);

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

/* Register number of (bank, index). */
static inline uint16_t unit_of(unsigned bank, unsigned index)
{
	return (uint16_t)(bank * BODY_BANK_UNITS + index);
}

#endif
