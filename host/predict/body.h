/* The body of a loop, bound to a model: what each instruction reads, writes and
 * costs. */
#ifndef PREDICT_BODY_H
#define PREDICT_BODY_H

#include "host/model/model.h"
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
	uint8_t operand; /* index of the form's operand */
	bool address;    /* part of an address */
};

/* Symbolic address of an access. Two accesses of an iteration with equal fields
 * access the same memory. */
struct mem_place {
	bool known;
	uint32_t base, index; /* symbolic values; 0: none */
	int64_t scale, offset;
	int64_t step;   /* stride: bytes per iteration */
	unsigned bytes; /* 0: unknown */
	const char *symbol;
};

struct op {
	const struct insn *insn;
	const struct model_form *form; /* NULL: not in the model */
	/* Fallback of the same mnemonic for a missing latency or throughput;
	 * may be NULL. */
	const struct model_form *fallback;
	size_t n_reads, n_writes;
	struct reg_effect reads[BODY_MAX_EFFECTS], writes[BODY_MAX_EFFECTS];
	bool load, store;
	struct mem_place place;
	bool is_zero_idiom; /* zero idiom: reads no register */
	bool fused;         /* macro-fused with the instruction before */
	bool eliminated;    /* eliminated by the renamer */
	bool straddles;     /* some of its accesses cross a cache line */
	double slots;       /* front-end slots */
	uint32_t room;      /* slots that must be free in its cycle; 0: any */
	bool has_ports;     /* the model's ports agree with its throughput */
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
	const struct model *model;
	const struct loop *loop;
	/* Ports of the model; pseudo ports of pools follow them. */
	size_t n_ports;
	size_t n;
	struct op *ops;
	/* fallback.c: plain loads and stores of the model. */
	struct plain_accesses *plain_accesses;
};

/* Bind the loop to the model. Everything in *ret belongs to `a`; p, loop and m
 * must outlive it. ERR_INPUT when the loop has more than BODY_MAX_OPS
 * instructions. */
int body_bind(struct arena *a, const struct program *p, const struct loop *loop,
	      const struct model *m, struct body *ret, struct err *e);

/* fallback.c: look the form up in the model, or its opcode without the variant,
 * for models that have no variants. NULL when both are missing. */
const struct model_form *body_find_form(const struct model *m,
					const struct form *f);

/* Does the model know a latency and a throughput or ports of the form? */
bool body_has_costs(const struct model_form *f);

/* fallback.c: find a form of the same mnemonic and variant that has the values
 * missing in `known`, the model's entry of f. Forms of the same width and the
 * same memory access come first. NULL when no form near it in the catalogue has
 * them. */
const struct model_form *body_find_fallback(const struct body *b,
					    const struct form *f,
					    const struct model_form *known);

/* fallback.c: an empty list that body_plain_access() fills on first use. */
struct plain_accesses *body_open_plain_accesses(struct arena *a);

/* The property that a fallback form must have. */
enum body_need { NEED_RATE, NEED_PORTS, NEED_LATENCY };

/* The fastest plain load (or store) of the same number of bytes and the same
 * register bank that has the wanted property; NULL when there is none. */
const struct model_form *body_plain_access(const struct body *b,
					   const struct form *of, bool store,
					   enum body_need what);

/* The register form of the same mnemonic and width that has the wanted
 * property; NULL when none is near it in the catalogue. */
const struct model_form *body_in_registers(const struct body *b,
					   const struct form *f,
					   enum body_need what);

/* latency.c: fill o->latency and o->store_end. */
void body_fill_latencies(struct body *b, struct op *o);

/* Cycles that an instruction with a load computes after its data has arrived:
 * its longest latency from a source outside the address. */
double body_compute_cycles(const struct body *b, const struct op *o);

/* The middle of the span, rounded to a whole number when it is within 0.1 of
 * one. Measured latencies scatter around whole cycles. */
double body_cycles(struct model_span s);

/* Record the first assumption about the instruction; later ones are dropped. */
void body_assume(struct op *o, const char *what);

/* places.c: fill `place` of all ops. */
void body_find_places(struct body *b);

/* indexed.c: the measured entry for an access of this shape with an index
 * register. NULL when there is none or the address has no index. */
const struct model_form *body_indexed(const struct body *b, const struct op *o);

/* indexed.c: remove ports without support for an index from accesses with an
 * index, unless no port would be left. */
void body_remove_ports(struct body *b);

/* pools.c: give pseudo ports to forms without ports, and a second access to
 * streams that cross cache lines. b->model may become a copy with more
 * ports. */
void body_pool(struct body *b);

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

/* Are the ports consistent with the measured throughput? False when the ports
 * alone would make the form slower than it was measured. */
bool body_ports_are_consistent(const struct model_form *f);

/* Does the instruction write a vector or floating-point register? */
bool op_writes_vectors(const struct op *o);

/* Does the instruction only move data between memory and a register? */
bool op_is_plain_access(const struct op *o);

/* Does the instruction occupy the vector scheduler? */
bool op_computes_vectors(const struct op *o);

/* Register number of (bank, index). */
static inline uint16_t unit_of(unsigned bank, unsigned index)
{
	return (uint16_t)(bank * BODY_BANK_UNITS + index);
}

#endif
