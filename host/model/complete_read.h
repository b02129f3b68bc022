/* State shared by the files that complete models. complete*.c and
 * effects (host/effect) include this. */
#ifndef MODEL_COMPLETE_READ_H
#define MODEL_COMPLETE_READ_H

#include "host/isa/facts.h"
#include "host/model/complete.h"

/* A form that a model has, of a list that ends with a form NULL. */
struct known_form {
	const struct form *form;
	const struct model_form *own;   /* in that model */
	const struct model_form *table; /* of the same name in the tables; NULL:
					 * none */
};

/* A form of the model under one of its keys. */
struct class_entry {
	uint64_t key;
	uint32_t form; /* index in model.forms */
};

struct class_index {
	size_t n;
	struct class_entry *list; /* by key, then form */
};

/* What forms are looked up by. */
enum class_kind {
	CLASS_STRUCTURE, /* mnemonic, operands, width, access */
	CLASS_SCHEDULE,  /* LLVM's scheduling class, width, access */
	CLASS_REGISTERS, /* the same computation without an access */
	CLASS_KINDS,
};

struct plain_access {
	const struct form *form;
	const struct model_form *known;
	uint16_t bytes;
	uint8_t bank;
	bool store;
	bool usual; /* the ISA names it as the plain one of its width */
};

/* A set of ports in published tables that uops of measured forms use. */
struct port_group {
	model_ports ports; /* of the tables */
	/* Cycles that a uop takes of the whole set: what was measured for the
	 * faster forms of one uop; 0: there are none. */
	double cycles;
	const char *name;
	/* Forms that were measured, and those that were measured faster than a
	 * uop on this set can be. */
	uint32_t n_forms, n_faster;
	/* Bit set of complete_kind() of the measured forms that use this set
	 * alone.  Forms of several uops do not count: tables pad them with
	 * uops on wide sets. */
	uint64_t kinds; /* of this size the structure has no padding */
};

enum { COMPLETE_MAX_GROUPS = 64 };

struct completion {
	struct arena *a;
	const struct catalogue *c;
	const struct model *given, *tables;
	struct model m; /* with the completed ports */
	struct class_index index[CLASS_KINDS];
	size_t n_plain;
	struct plain_access *plain;
	/* Ports of m for each port of the tables; 0: none corresponds. */
	model_ports mapped[MODEL_MAX_PORTS];
	/* Ports of the tables that only memory accesses use. */
	model_ports memory;
	size_t n_groups;
	struct port_group groups[COMPLETE_MAX_GROUPS];
	/* What is published about the core; only while effect.complete()
	 * fills `effects`, NULL after it or if nothing is. */
	const struct known_core *core;
	const void *effects[EFFECT_MAX]; /* what effect.complete() filled */
	struct completed_form **forms;   /* by the catalogue's index */
};

/* complete.c: what is published about the core under this key, for
 * effect.complete(); NULL: nothing. */
const char *completed_fact(const struct completion *k, const char *key);

/* complete.c: the form of this name; NULL: none.  For names in the order of the
 * catalogue, as models have them; *at begins at 0. */
const struct form *complete_next(const struct catalogue *c, size_t *at,
				 const char *name);

/* complete_class.c: fill the indices and the plain accesses. */
void complete_index(struct completion *k, const struct known_form *given);

/* Does it lock memory?  Then it takes far longer than the same without. */
bool class_is_locked(const struct catalogue *c, const struct form *f);

uint64_t class_key(const struct completion *k, const struct form *f,
		   enum class_kind kind);

/* The entries with this key. */
size_t class_members(const struct completion *k, enum class_kind kind,
		     uint64_t key, const struct class_entry **ret);

/* A form that stands for the class of f in one cost: has it, agrees with `own`
 * (the model's entry of f, or NULL) and with three quarters of its class. NULL:
 * none. */
const struct model_form *class_stand_in(const struct completion *k,
					const struct form *f,
					const struct model_form *own,
					enum model_cost cost);

/* The same computation in registers: a form without an access. */
const struct form *class_in_registers(const struct completion *k,
				      const struct form *f,
				      enum model_cost cost);

/* The fastest plain load (or store) of the same number of bytes and register
 * bank that has the cost, of those that the ISA names if there is one. NULL:
 * none. */
const struct plain_access *complete_plain(const struct completion *k,
					  const struct form *f, bool store,
					  enum model_cost cost);

/* Width of the first register outside the address, in bits. */
unsigned class_bits(const struct catalogue *c, const struct form *f);

/* Have both forms the same uops on the same ports? */
bool class_same_ports(const struct model_form *x, const struct model_form *y);

/* LLVM's scheduling class. */
unsigned class_schedule(const struct completion *k, const struct form *f);

/* complete_match.c: find the ports of the completed model and the groups of the
 * tables. */
void complete_open_ports(struct completion *k, const struct known_form *given,
			 const struct known_form *published);

/* complete_ports.c: ports of the form and their origin, its charges, and
 * n_access. Its throughput must be there.  `complete` gives the forms of which
 * it is made; these are completed first. */
typedef const struct completed_form *complete_other(struct completion *k,
						    const struct form *f);
void complete_ports(struct completion *k, struct completed_form *f,
		    complete_other *complete);

/* The kind of a form's operands: 0 general registers, from 1 on vectors by
 * width; below 32.  A core may execute kinds on different ports. */
unsigned complete_kind(const struct catalogue *c, const struct form *f);

/* complete_match.c: does the set of the tables exist on this core, as far as
 * was measured? */
bool group_is_refuted(const struct completion *k, model_ports ports);

/* complete_latency.c: the sources of latencies. */
void complete_latencies(struct completion *k, struct completed_form *f);

/* Is the operand a flag, or a part of the form's address? False for
 * MODEL_ANY. */
bool form_flag(const struct form *f, int operand);
bool form_address(const struct form *f, int operand);

/* Which latencies of a form count: all, if none is set. */
enum ends {
	FROM_ADDRESS = 1 << 0, /* from a part of the address */
	NOT_FROM_ADDRESS = 1 << 1,
	FROM_NAMED = 1 << 2, /* not MODEL_ANY */
	FROM_FLAG = 1 << 3,
	NOT_TO_FLAG = 1 << 4,
	FROM_DATA = FROM_NAMED | NOT_FROM_ADDRESS,
};

/* What is known of them, in cycles. */
struct known_latencies {
	size_t n, n_exact;  /* exact: is_exact() */
	double least, most; /* without any: INFINITY, -1 */
};

/* complete_values.c: the latencies that `x` (NULL: none) has of the form. */
struct known_latencies latencies_between(const struct form *f,
					 const struct model_form *x,
					 unsigned ends);

/* Does a form that only moves data take longer than a plain access, or is its
 * data there later?  Then it does more: it extends, shuffles or converts what it
 * loads. */
bool completed_does_more(const struct completed_form *f);

/* The longest known latency of all; negative: none. */
double longest_latency(const struct model_form *x);

/* Measured throughputs of the same cost differ by up to a tenth. */
static const double slower = 1.1, faster = 0.9;

/* Latencies of the same cost differ by up to so many cycles. */
static const double latency_error = 0.6;

/* An interval is one number if it is no wider, in cycles. */
static const double one_number = 0.5;

static inline bool is_exact(const struct model_span *s)
{
	return s->has_value && s->high - s->low <= one_number;
}

/* No operand waits for a fraction of a cycle: the front end takes this time for
 * an eliminated instruction. */
static const double eliminated = 0.5;

/* The table's entry of the form, or of its opcode. */
const struct model_form *complete_find(const struct model *m,
				       const struct form *f);

/* Does it load, store, or do anything but move data between memory and a
 * register? A plain access does not. */
bool form_loads(const struct form *f);
bool form_stores(const struct form *f);
bool form_computes(const struct form *f);

/* Do two spans of throughput agree within the tolerance? */
bool rates_agree(struct model_span x, struct model_span y);

#endif
