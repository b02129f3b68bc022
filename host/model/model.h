/* The machine model: what a core costs, in one struct, whatever it came from:
 * claims of this program, LLVM's scheduling tables, files of other tools.
 *
 * Who fills it says where every number is from; who reads it (predict, export,
 * compare) does not care.  Numbers are intervals: low == high is exact, and a
 * number nobody knows is absent, never zero. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct catalogue; /* host/isa/isa.h */

enum {
	MODEL_MAX_PORTS = 64,
	MODEL_MAX_CLASSES = 128,
	/* Any operand of the form that is not listed on its own: tables that
	 * know one latency for all of them. */
	MODEL_ANY = -1,
};

/* A set of ports, one bit each. */
typedef uint64_t model_ports;

/* An interval in cycles; low <= high.  Unknown: has_value false. */
struct model_span {
	bool has_value;
	double low, high;
};

struct model_port {
	const char *name;
	/* The unit of forms that are not pipelined (a divider): bounds their
	 * rate, but is no place where a uop is issued. */
	bool pseudo;
	/* Its address unit adds a base and a displacement, but no index. */
	bool no_index;
};

/* n uops, each of which any one of these ports can take, and then keeps busy
 * for so many cycles. */
struct model_use {
	model_ports ports;
	double n_uops;
	double cycles; /* of each; 1 where the port is pipelined */
};

/* From an operand that is read to one that is written, as indices into
 * form->operands of the catalogue: explicit ones in MCInst order, then the
 * implicit ones.  MODEL_ANY: all that are not listed. */
struct model_latency {
	int8_t source, destination;
	struct model_span cycles;      /* in an endless chain */
	struct model_span short_chain; /* in a short one, where it differs */
};

struct model_form {
	const char *name; /* of the catalogue: "ADD64rr", "VADD_VV/e32,m2" */
	struct model_span throughput; /* reciprocal: cycles per instance */
	struct model_span slots;      /* of the front end, per instance */
	/* So many must be left of the cycle that it begins in; 0: any. */
	uint32_t room;
	/* Where its uops go.  n_uses 0 and has_ports: it needs no port. */
	bool has_ports;
	size_t n_uses;
	const struct model_use *uses;
	size_t n_latencies;
	const struct model_latency *latencies;
	/* Renamed away; zero_idiom: only if its register sources are one
	 * register. */
	bool eliminated, zero_idiom;
	uint8_t bypass; /* class of model.bypass, 0: none */
	/* By operand: the class in which it takes results; 0, or beyond
	 * n_takes: that of the form. */
	size_t n_takes;
	const uint8_t *takes;
	uint8_t pairing;      /* class of model.pairs, 0: none */
	const char *evidence; /* in words, may be NULL */
};

/* A result of this form's store taken over by that form's load: cycles from
 * stored data to loaded register, store and load together. */
struct model_forward {
	const char *store, *load;
	struct model_span cycles;
};

/* Cycles of so many plain loads and stores of one width beside each other. */
struct model_mix {
	const char *load, *store; /* forms */
	double n_loads, n_stores;
	struct model_span cycles; /* of all of them */
};

struct model {
	const char *isa;    /* of isa_find() */
	const char *cpu;    /* as its source names it */
	const char *source; /* "measured: run 3 on linux-process", "LLVM 19" */

	/* Slots the front end dispatches per cycle; absent: unknown. */
	struct model_span width;
	/* Sizes of the machine's queues; 0: unknown. */
	uint32_t reorder_buffer, scheduler, load_queue, store_queue;
	/* Instructions that compute on vector registers and wait for their
	 * sources, seen from one chain to the next; 0: unknown. */
	uint32_t vector_queue;
	/* Instructions between dispatch and retirement that write a vector
	 * register; 0: unknown. */
	uint32_t vector_registers;
	/* Cycles from the end of what has an entry of a queue that is full to
	 * the start of what waits for it; 0: unknown. */
	uint32_t refill;
	/* Taken branches per cycle; 0: unknown. */
	double taken_branches;

	size_t n_ports;
	const struct model_port *ports;

	/* Forms in the order of strcmp() of their names. */
	size_t n_forms;
	const struct model_form *forms;

	/* A consumer of class c takes the result of a producer of class p
	 * bypass[p][c] cycles later than the producer's latency says. */
	size_t n_bypass; /* classes, [0] is none; 0: not known */
	const char *const *bypass_names;
	double (*bypass)[MODEL_MAX_CLASSES];

	size_t n_forwards;
	const struct model_forward *forwards;

	size_t n_mixes;
	const struct model_mix *mixes;

	/* In-order cores that issue two at once: does an instruction of class
	 * b start in the same cycle as one of class a right before it? */
	bool in_order;
	size_t n_pairs; /* classes, [0] is none */
	const char *const *pair_names;
	bool (*pairs)[MODEL_MAX_CLASSES];

	/* What this source cannot tell, one sentence each. */
	size_t n_notes;
	const char *const *notes;
};

/* The form of this name, NULL if the model does not know it. */
const struct model_form *model_find(const struct model *m, const char *name);

/* Cycles from one operand to another in an endless chain: the pair's own, else
 * that of MODEL_ANY; without value when the model does not know. */
struct model_span model_latency(const struct model_form *f, int source,
				int destination);

/* Cycles by which a result of `producer` comes later to that source operand of
 * `consumer` than the latencies of the two say; negative: earlier. */
double model_bypass(const struct model *m, const struct model_form *producer,
		    const struct model_form *consumer, int source);

/* Cycles that these uses keep the busiest set of ports busy, under the best
 * sharing there is: max over sets Q of (cycles confined to Q) / |Q|.
 * *ret_set: the smallest such Q; NULL: not wanted.  0 without uses. */
double model_port_bound(const struct model_use *uses, size_t n,
			model_ports *ret_set);

/* Names of a set, "p0|p1", in `a`. */
char *model_ports_text(struct arena *a, const struct model *m,
		       model_ports ports);

/* How many ports a set has. */
unsigned model_ports_count(model_ports ports);

/* Is it whole: names sorted, masks within the ports, intervals in order,
 * operands those of the catalogue?  ERR_INPUT with the place; every reader of
 * foreign tables calls it last. */
int model_check(const struct model *m, const struct catalogue *c,
		struct err *e);

#endif
