/* The machine model: the costs of all forms on a core. It is the same struct
 * for all sources: claims of this program, LLVM's scheduling tables, files of
 * other tools.
 *
 * The code that fills it records where the numbers come from; users (predict,
 * export, compare) do not depend on the source. Numbers are intervals: low ==
 * high is exact. An unknown number is absent, never zero. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/effect/effect.h"
#include "host/model/mark.h"

struct catalogue; /* host/isa/catalogue.h */

enum {
	MODEL_MAX_PORTS = 64,
	MODEL_MOST_RELEASE = 63, /* cycles */
	MODEL_MAX_CLASSES = 128,
	MODEL_MAX_LINE = 24, /* slots of a short loop */
	/* Any operand that is not listed separately, for tables with one
	 * latency for all operands. */
	MODEL_ANY = -1,
};

/* A set of ports, one bit each. */
typedef uint64_t model_ports;

/* Larger values mean "unknown": other tools write 2^63 where they failed. */
#define MODEL_MOST 1e9

/* An interval in cycles, low <= high; has_value is false when it is unknown. */
struct model_span {
	bool has_value;
	double low, high;
};

struct model_port {
	const char *name;
	/* The unit of forms that are not pipelined (a divider). It bounds their
	 * rate, but no uop is issued there. */
	bool pseudo;
	/* Its address unit adds base and displacement, but no index. */
	bool no_index;
};

/* n_uops uops, each of which uses any one of these ports and keeps it busy for
 * `cycles` cycles. */
struct model_use {
	model_ports ports;
	double n_uops;
	double cycles; /* per uop; 1 on a pipelined port */
};

/* Latency from a source operand to a destination operand. Both are indices into
 * form->operands of the catalogue: explicit operands in MCInst order, then
 * implicit ones. MODEL_ANY: all that are not listed. */
struct model_latency {
	int8_t source, destination;
	struct model_span cycles;      /* in a long chain */
	struct model_span short_chain; /* in a short chain, if it differs */
};

struct model_form {
	const char *name; /* from the catalogue: "ADD64rr", "VADD_VV/e32,m2" */
	struct model_span throughput;    /* reciprocal: cycles per instance */
	struct model_span slots;         /* front-end slots per instance */
	struct model_span indexed_slots; /* with an index in its address, if
					  * they are known to differ */
	/* Slots that must be free in the cycle in which it dispatches; 0:
	 * any. */
	uint32_t room;
	/* Fewer than this many slots of its cycle are taken before it; an
	 * earlier such access counts one slot less. 0: any number. */
	uint32_t before;
	/* Ports of its uops. has_ports with n_uses 0: it needs no port. */
	bool has_ports;
	size_t n_uses;
	const struct model_use *uses;
	struct model_mark mark; /* how certain its ports are */
	size_t n_latencies;
	const struct model_latency *latencies;
	/* Eliminated by the renamer; zero_idiom: only if its register sources
	 * are the same register. */
	bool eliminated, zero_idiom;
	bool first_decoder; /* no other one decodes it */
	uint8_t bypass;     /* class of model.bypass; 0: none */
	/* Bypass class per operand, as a consumer. 0, or an index of n_takes or
	 * more: the class of the form. */
	size_t n_takes;
	const uint8_t *takes;
	uint8_t pairing; /* class of model.pairs; 0: none */
	/* Where the values come from, in words; may be NULL. */
	const char *evidence;
	/* What the operands held while it was measured, in words; NULL: not
	 * known. */
	const char *values;
};

/* Store-to-load forwarding from this store form to this load form: cycles from
 * stored data to loaded register, including both instructions.  A form that
 * loads, computes and stores is both: cycles from the data that one instance
 * stores to what the next one stores at the same place. */
struct model_forward {
	const char *store, *load;
	struct model_span cycles;
	/* The form of an operation that follows the load and overwrites the
	 * loaded register; the cycles include it.  NULL: none. */
	const char *then;
	/* The cycles are the mean of instances that differ: the least time
	 * between loads of a chain through the place, not a latency. */
	bool mixed;
};

/* What the model has of one effect; the effect knows the type of the
 * records. */
struct model_list {
	size_t n;
	const void *list;
};

/* Measured cycles of n_loads plain loads and n_stores plain stores of one width
 * that run together. */
struct model_mix {
	const char *load, *store; /* names of forms */
	double n_loads, n_stores;
	struct model_span cycles; /* of the whole mix */
};

/* Facts for people; NULL: unknown. */
struct model_about {
	const char *core;   /* vendor, name, family, microcode ... */
	const char *system; /* hypervisor, kernel, clock ... */
	const char *date;   /* of the measurement, ISO 8601 */
	const char *tool;   /* the version of this program that measured */
	const char *noise;  /* how quiet the machine was */
	const char *share;  /* how many of the core's forms have values */
};

/* Do the lines of code that a short loop is in matter to the front end? */
enum model_lines_rule {
	MODEL_LINES_UNKNOWN,
	/* Only the number of all slots counts. */
	MODEL_LINES_TOGETHER,
	/* The cycles of the lines are added. */
	MODEL_LINES_EACH,
	MODEL_N_LINES_RULES,
};

/* The word of each rule in files: NULL, "together", "each". */
extern const char *const model_lines_rules[MODEL_N_LINES_RULES];

/* How long the front end takes for an iteration of a short loop, by the slots
 * in each line of code (64 bytes).  See
 * host/effect/lines. */
struct model_lines {
	/* cycles[k], k from 1 to n: least cycles for k slots in one line; with
	 * MODEL_LINES_EACH those of fetch alone, without dispatch.  n is 0:
	 * unknown. */
	uint32_t n;
	double cycles[MODEL_MAX_LINE + 1];
	enum model_lines_rule rule;
	/* MODEL_LINES_EACH: the sum is one cycle less if the first line has
	 * at most so many slots. */
	uint32_t free;
	/* Least cycles if an instruction of the branch, which are two if it
	 * is fused, lies in two lines; 0: unknown. */
	double crossing;
};

struct model {
	const char *isa;    /* a name for isa_find() */
	const char *cpu;    /* name in the source */
	const char *source; /* "measured: run 3 on linux-process", "LLVM 19" */
	struct model_about about;
	/* How many values were completed, and from where, in words; NULL: the
	 * model is as it was read (completed_fill()). */
	const char *completed;
	/* The model is from LLVM's tables, whose entries of forms that load and
	 * whose advances of operands may have different latencies of a load. */
	bool llvm;

	/* Slots that the front end dispatches per cycle. */
	struct model_span width;
	/* The most instructions in a cycle that any kernel had: the width, if a
	 * port search has not found it. */
	struct model_span issue_width;
	/* Sizes of the machine's queues; 0: unknown. */
	uint32_t reorder_buffer, scheduler, load_queue, store_queue;
	/* Each uop gets its port at dispatch; which one depends on how many
	 * uops that were bound to each have not started.  Else it takes any of
	 * its ports that is free when its sources are ready. */
	bool binds_ports;
	/* Instructions of general registers that the scheduler holds, each
	 * until `general_release` cycles after its start; 0: unknown. */
	uint32_t general_queue, general_release;
	/* Vector instructions that can wait for their sources, measured between
	 * chains; 0: unknown. */
	uint32_t vector_queue;
	/* Instructions in flight that write a vector register; 0: unknown. */
	uint32_t vector_registers;
	/* Cycles from the release of an entry in a full queue to the start of
	 * the instruction that takes it; 0: unknown. */
	uint32_t refill;
	/* Limit of taken branches per cycle; 0: unknown. */
	double taken_branches;
	struct model_lines lines;

	size_t n_ports;
	const struct model_port *ports;

	/* Sorted by name, in the order of strcmp(). */
	size_t n_forms;
	const struct model_form *forms;

	/* A consumer of class c receives the result of a producer of class p
	 * bypass[p][c] cycles later than the producer's latency says. */
	size_t n_bypass; /* classes, [0] is none; 0: unknown */
	const char *const *bypass_names;
	double (*bypass)[MODEL_MAX_CLASSES];

	struct model_list effects[EFFECT_MAX]; /* by effect_number() */

	size_t n_forwards;
	const struct model_forward *forwards;

	size_t n_mixes;
	const struct model_mix *mixes;

	/* Instructions start in program order; order_known: this was measured,
	 * or is in the tables that the model is made of.  If not, in_order is
	 * false. */
	bool in_order, order_known;
	/* In-order cores that issue two instructions per cycle: pairs[a][b] is
	 * true when class b starts in the same cycle as class a right before
	 * it. */
	size_t n_pairs; /* classes, [0] is none */
	const char *const *pair_names;
	bool (*pairs)[MODEL_MAX_CLASSES];

	/* Of a file: entries that were read, entries that are not as the format
	 * asks and were left out, and why the first was (NULL: none). */
	size_t n_entries, n_skipped;
	const char *skipped;
	/* n_unused of n_named entries are of no form of the instruction set.
	 * An entry with a list of names counts once for each name. */
	size_t n_unused, n_named;

	/* What this source does not show, one sentence each. */
	size_t n_notes;
	const char *const *notes;
};

/* What the model has of an effect; *ret_n records. */
static inline const void *model_effect(const struct model *m,
				       const struct effect *x, size_t *ret_n)
{
	const struct model_list *l = &m->effects[effect_number(x)];

	*ret_n = l->n;
	return l->list;
}

/* What the evidence of a form of LLVM's tables begins with if a value was
 * corrected; where from follows. */
#define MODEL_CORRECTED "corrected: "
bool model_is_corrected(const struct model_form *f);

/* The form of this name; NULL when the model does not have it. */
const struct model_form *model_find(const struct model *m, const char *name);

/* Latency in cycles between two operands in a long chain. Entries for this pair
 * take precedence over those with MODEL_ANY. Without a value when the model has
 * no entry. */
struct model_span model_latency(const struct model_form *f, int source,
				int destination);

/* The middle of the span, rounded to a whole number when it is within 0.1 of
 * one. Measured latencies scatter around whole cycles. */
double model_cycles(struct model_span s);

/* Cycles by which a result of `producer` reaches the source operand of
 * `consumer` later than their latencies say; negative: earlier. */
double model_bypass(const struct model *m, const struct model_form *producer,
		    const struct model_form *consumer, int source);

/* Cycles that these uses keep the busiest set of ports busy under the best
 * sharing: the maximum over sets Q of (cycles confined to Q) / |Q|. *ret_set is
 * the smallest such Q; ret_set may be NULL. 0 without uses. */
double model_port_bound(const struct model_use *uses, size_t n,
			model_ports *ret_set);

/* Names of the ports in a set, "p0|p1"; the string belongs to `a`. */
char *model_ports_text(struct arena *a, const struct model *m,
		       model_ports ports);

/* Number of ports in a set. */
unsigned model_ports_count(model_ports ports);

/* Validate a model: names are sorted, port sets lie within the ports, intervals
 * are in order, operands exist in the catalogue. ERR_INPUT with the place.
 * Every reader of foreign tables calls this last. */
int model_check(const struct model *m, const struct catalogue *c,
		struct err *e);

#endif
