/* A model completed for prediction: the costs of every form of the catalogue,
 * and where each of them comes from.
 *
 * Layers, the first that has the value counts:
 *
 *	model	the model itself has it for this form
 *	class	the model has it for forms of the same class, which agree with
 *		each other and with what the model has of this form
 *	parts	the model has it for a plain access of the same width and for
 *		the same computation in registers, or for a pair of the form
 *		and another one
 *	tables	published tables of this core have it, and nothing measured
 *		contradicts it
 *	between	the model has an interval wider than half a cycle, and no layer
 *		above says where in it the latency is: its middle
 *	assumed	one slot, no port, the longest latency known for other operands
 *		of the form, else one cycle
 *
 * Of a latency for which the model has such an interval the first layer counts
 * whose value lies in it.  Ports that a search left open count behind the
 * form's own entry in the tables, and stand for no class.
 *
 * A class is a structure (mnemonic, kinds and widths of operands, access) or,
 * if no form of that structure has the value, LLVM's scheduling class with the
 * same width and access.
 *
 * Forms are completed when they are first asked for, and then kept. */
#ifndef MODEL_COMPLETE_H
#define MODEL_COMPLETE_H

#include "host/model/model.h"

struct form; /* host/isa/catalogue.h */

enum model_origin {
	ORIGIN_MODEL,
	ORIGIN_CLASS,
	ORIGIN_PARTS,
	ORIGIN_TABLES,
	ORIGIN_BETWEEN, /* latencies only */
	ORIGIN_ASSUMED,
	ORIGIN_N,
};

enum model_cost { COST_LATENCY, COST_THROUGHPUT, COST_PORTS, COST_N };

struct cost_origin {
	enum model_origin origin;
	const char *like; /* form that the value is of or follows from; NULL:
			   * itself, several */
};

/* A unit that forms share although its ports are unknown. A form keeps it busy
 * for `cycles`. Charges count only if a form of the loop `needs` the pool. */
struct model_charge {
	uint32_t pool;
	double cycles;
	bool needs;
};

/* Pools with names of their own. */
enum { POOL_LOADS, POOL_STORES, POOL_FIRST };

enum { COMPLETE_MAX_CHARGES = 16 };

struct completed_form {
	const struct form *form;
	/* All but latencies, which completed_latency() has. Ports are those of
	 * the completed model. */
	struct model_form costs;
	struct cost_origin origin[COST_N]; /* latency: of its longest */
	/* The first n_access uses are the memory access. */
	size_t n_access;
	/* Ports that are left out. own: they are slower than the throughput.
	 * table: they are slower or faster, or are a refuted set. */
	bool own_contradicted, table_contradicted;
	/* Cycles that a plain load and a plain store of this width take alone;
	 * 0: none is known, or no such access. */
	double load_cycles, store_cycles;
	size_t n_charges;
	struct model_charge charges[COMPLETE_MAX_CHARGES];
	/* Sources of latencies, each NULL if there is none: the model's entry,
	 * one of its class, a plain load, the computation in registers, the
	 * tables' entry. */
	const struct model_form *own, *like, *load, *registers, *table;
	const struct form *like_form;
	uint8_t class_of[EFFECT_MAX]; /* for each effect, effect.class_of() */
	/* A form of the same opcode with another condition, as fast as this
	 * one, whose latency from its flags is known; NULL: none. */
	const struct model_form *condition;
	const struct form *condition_form;
	bool like_same; /* it has the same operands */
	/* Of LLVM's tables: the latencies of forms that load and compute are at
	 * least this, from registers and from the address. */
	double least_compute, least_load;
	/* Largest difference in cycles between the table's latencies and `own`;
	 * INFINITY: the table has more slots than fit into the measured
	 * throughput. */
	double table_error;
	/* Cycles until a store without a consumer completes. */
	double store_end;
};

struct completion;

/* Complete `m` with published tables of its core, or without (NULL). Both must
 * outlive the completion, which belongs to `a`, like all that it returns. */
struct completion *model_complete(struct arena *a, const struct catalogue *c,
				  const struct model *m,
				  const struct model *tables);

/* The model with the ports that completed forms use. */
const struct model *completed_model(const struct completion *k);

/* Take sizes of queues that were measured apart from the model; 0: none was. */
void completed_set_queues(struct completion *k, uint32_t reorder_buffer,
			  uint32_t load_queue, uint32_t store_queue,
			  uint32_t vector_queue);

/* A copy of the model, completed by the layers above `between`: ports that it
 * lacks, and a number for a latency that is an interval.  model.completed
 * counts them by layer; the evidence of a form names its values that are from a
 * layer. */
const struct model *completed_fill(struct arena *a, struct completion *k);

/* The costs of a form of the catalogue. */
const struct completed_form *completed_form(struct completion *k,
					    const struct form *f);

/* Latency between two operands (indices into form->operands, or MODEL_ANY), and
 * its layer, if ret is not NULL. Unknown: the longest latency known for other
 * operands of the form, else 1 cycle. */
double completed_latency(const struct completed_form *f, int source,
			 int destination, enum model_origin *ret);

/* Cycles of the computation without the memory access; 0: unknown, or none. */
double completed_compute(const struct completed_form *f);

/* Name of a pool (from POOL_FIRST on) that stands for a set of ports of the
 * tables; NULL: it is the pool of a scheduling class or of one form. */
const char *completed_pool_name(const struct completion *k, uint32_t pool);

/* The published tables of the completion; NULL: none. */
const struct model *completed_tables(const struct completion *k);

/* Register bank that the access loads into or stores from: the bank of the
 * first register operand outside the address. BANK_NONE without one. */
uint8_t model_access_bank(const struct catalogue *c, const struct form *f);

/* Do both forms access as many bytes, of the same kind of register? */
bool model_accesses_alike(const struct catalogue *c, const struct form *x,
			  const struct form *y);

#endif
