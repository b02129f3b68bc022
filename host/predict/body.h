/* The body of a loop, bound to a model: what each instruction reads, writes
 * and costs. */
#ifndef PREDICT_BODY_H
#define PREDICT_BODY_H

#include "host/model/model.h"
#include "host/predict/loops.h"

enum {
	BODY_BANK_UNITS = 64,
	/* Registers as numbers: bank * BODY_BANK_UNITS + index; flags are one
	 * for each group that is renamed apart. */
	BODY_UNITS = 9 * BODY_BANK_UNITS,
	BODY_MAX_EFFECTS = 24,
	BODY_MAX_OPS = 4096,
};

/* A range of registers that an instruction reads or writes. */
struct effect {
	uint16_t unit;
	uint8_t span;
	uint8_t operand; /* of the form */
	bool address;    /* part of an address */
};

/* Where memory is accessed, as far as it is known: the same sum of names means
 * the same place in the same iteration. */
struct place {
	bool known;
	uint32_t base, index; /* names of values, 0: none */
	int64_t scale, offset;
	int64_t step;   /* bytes further in each iteration */
	unsigned bytes; /* 0: not known */
	const char *symbol;
};

struct op {
	const struct insn *insn;
	const struct model_form *form; /* NULL: the model lacks it */
	/* One of the same mnemonic, where the form lacks a latency or a
	 * throughput; may be NULL. */
	const struct model_form *kin;
	size_t n_reads, n_writes;
	struct effect reads[BODY_MAX_EFFECTS], writes[BODY_MAX_EFFECTS];
	bool load, store;
	struct place place;
	bool no_wait;    /* a zero idiom: reads nothing */
	bool fused;      /* one uop with the instruction before */
	bool eliminated; /* renamed away */
	bool straddles;  /* some accesses lie across the end of a line */
	double slots;    /* of the front end */
	uint32_t room;   /* that must be left in a cycle, 0: any */
	bool has_ports;  /* the model knows them, and they can be true */
	size_t n_uses;
	size_t n_access; /* of them, the first, that are its access to memory */
	const struct model_use *uses;
	/* Cycles from each read - reads[], then memory, then none at all - to
	 * each result - writes[], then memory; by op_latency().  Below zero:
	 * the result does not depend on it. */
	const double *latency;
	double store_end; /* until a store is done, when nothing waits for it */
	/* What was taken for granted, NULL: nothing. */
	const char *assumed;
};

struct body {
	struct arena *a;
	const struct program *program;
	const struct model *model;
	const struct loop *loop;
	size_t n_ports; /* of the model, the first; pools stand behind them */
	size_t n;
	struct op *ops;
	struct plains *plains; /* kin.c: what plain accesses cost */
};

/* ERR_INPUT when the loop is longer than BODY_MAX_OPS. */
int body_bind(struct arena *a, const struct program *p, const struct loop *loop,
	      const struct model *m, struct body *ret, struct err *e);

/* kin.c: the form in the model.  Tables that know no variants know the opcode;
 * NULL: it is not there. */
const struct model_form *body_find_form(const struct model *m,
					const struct form *f);

/* Is there something to go by, of its results and of its rate? */
bool body_is_whole(const struct model_form *f);

/* One of the mnemonic and variant that knows what the model does not of f, of
 * which it knows `known`: best of the same width and with the same access to
 * memory; NULL: none is beside it. */
const struct model_form *body_find_kin(const struct body *b,
				       const struct form *f,
				       const struct model_form *known);

/* For body_plain_access(), which fills it when it is asked first. */
struct plains *body_open_plains(struct arena *a);

/* What is wanted of a form that stands in for another. */
enum body_lend { LEND_RATE, LEND_PORTS, LEND_LATENCY };

/* Of plain accesses like this one, of as many bytes between memory and the same
 * bank of registers, the fastest that has what is wanted; NULL: none has. */
const struct model_form *body_plain_access(const struct body *b,
					   const struct form *of, bool store,
					   enum body_lend what);

/* A form of the mnemonic that computes the same between registers and has what
 * is wanted; NULL: there is none beside it in the catalogue. */
const struct model_form *body_in_registers(const struct body *b,
					   const struct form *f,
					   enum body_lend what);

/* latency.c: fill latencies and store_end. */
void body_fill_latencies(struct body *b, struct op *o);

/* What an instruction that loads computes with the data then: as long as it
 * takes from its other sources. */
double body_compute_cycles(const struct body *b, const struct op *o);

/* The cycles that a span stands for: measured ones lie beside whole ones. */
double body_cycles(struct model_span s);

/* Say what was taken for granted, if nothing was before. */
void body_assume(struct op *o, const char *what);

/* places.c: fill the places of all ops. */
void body_find_places(struct body *b);

/* indexed.c: what is known of such an access with an index; NULL: nothing, or
 * the address has none. */
const struct model_form *body_indexed(const struct body *b, const struct op *o);

/* indexed.c: take ports away that take no index from accesses that have one,
 * where others are left. */
void body_bar_ports(struct body *b);

/* pools.c: uses of forms without ports, and of accesses over the end of a
 * line; b->model may become a copy with more ports. */
void body_pool(struct body *b);

/* Index of memory among the reads and among the results of an op. */
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

/* Ports on which the form would take longer than it was seen to take are not
 * its ports. */
bool body_ports_can_be(const struct model_form *f);

/* Is a result in a vector register? */
bool op_writes_vectors(const struct op *o);

/* It moves data between memory and a register and computes nothing. */
bool op_is_plain_access(const struct op *o);

/* It waits where instructions on vector registers do. */
bool op_computes_vectors(const struct op *o);

/* Registers of one: (bank, index). */
static inline uint16_t unit_of(unsigned bank, unsigned index)
{
	return (uint16_t)(bank * BODY_BANK_UNITS + index);
}

#endif
