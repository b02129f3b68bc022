/* The store: one SQLite file per machine or campaign.  Stages meet here.
 *
 * machine -> run -> kernel -> sample | fault, and claims derived from them.
 * Everything measured is kept raw; claims can be derived again at any time.
 * The schema is schema.sql, its version PRAGMA user_version; a newer schema
 * is refused, an older one migrated in a transaction. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "common/row.h"
#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/isa/isa.h"
#include "host/store/kernel_class.h"

struct buffer;
struct store;

/* Open (create: true makes a missing file).  ERR_INPUT: not a database of
 * ours, or newer than this program; ERR_SYSTEM: cannot write. */
int store_open(const char *path, bool create, struct store **ret_store,
	       struct err *e);
void store_close(struct store *s);

/* Transactions: everything between is stored or nothing. */
int store_begin(struct store *s, struct err *e);
int store_commit(struct store *s, struct err *e);
void store_rollback(struct store *s);

/* ---- runs ------------------------------------------------------------ */

/* A run: one board measured once (resumed runs stay one run).  Words of the
 * target's INFO record are kept as environment, key by key. */
struct run {
	int64_t id;
	const char *board;
	const char *isa;
	const char *cpu;   /* LLVM CPU the catalogue was loaded for */
	const char *clock; /* core | ref */
	const char *what;  /* latency,throughput */
	const char *forms; /* regular expression of the forms */
	const char *tool;  /* tool version */
	const char *date;  /* ISO 8601, UTC */
	uint64_t ref_hz;   /* rate of the ref clock, 0 if unknown */
	uint64_t kernel_cycles;
	bool finished;
};

/* Insert; fills r->id. */
int store_run_new(struct store *s, struct run *r, struct err *e);
/* Newest run with the same board, isa, what, forms and kernel_cycles that is
 * not finished; ret->id 0 when there is none.  Strings in `a`. */
int store_run_resumable(struct store *s, struct arena *a,
			const struct run *like, struct run *ret, struct err *e);
int store_run_get(struct store *s, struct arena *a, int64_t id, struct run *ret,
		  struct err *e);
/* Ids of all runs, oldest first. */
int store_runs(struct store *s, struct arena *a, int64_t **ret_ids,
	       size_t *ret_n, struct err *e);
/* Clock and rate as the target told them. */
int store_run_clock(struct store *s, int64_t run, const char *clock,
		    uint64_t ref_hz, struct err *e);
int store_run_finish(struct store *s, int64_t run, struct err *e);
/* Add or replace an environment fact of a run. */
int store_env(struct store *s, int64_t run, const char *key, const char *value,
	      struct err *e);
/* Keep a line of the console that was not a record. */
int store_text(struct store *s, int64_t run, const char *line, size_t n,
	       struct err *e);

/* ---- kernels --------------------------------------------------------- */

/* A kernel as it went into a pack.  n_ops: instances of the measured form per
 * body (chain steps of a latency kernel count as one body each). */
struct kernel_row {
	uint64_t id;       /* content id, as in the pack */
	const char *label; /* experiment label */
	uint32_t unroll[PACK_LENGTHS];
	uint32_t ops_per_body;
	/* Registers that results rotate through while the form also reads
	 * them: so many chains run side by side, and the form's latency over
	 * this number bounds what can be measured.  0: results are not read. */
	uint32_t chains;
	/* Instructions a body retires when nobody else runs; 0: unknown. */
	uint32_t instructions;
	bool calib;
	enum kernel_class class;
	const unsigned char *code[PACK_LENGTHS]; /* NULL: unknown (import) */
	uint32_t code_bytes[PACK_LENGTHS];
	const struct pack_image *image; /* NULL: unknown */
};

/* Make kernel `index` of a run's pack known; the same content is stored
 * once. */
int store_kernel(struct store *s, int64_t run, uint32_t index,
		 const struct kernel_row *k, struct err *e);

/* ---- samples and faults ---------------------------------------------- */

/* One visit of one kernel: raw counter differences as they came over the
 * wire.  `values` are n_rows rows as common/row.h lays them out. */
struct sample {
	uint32_t kernel; /* index within the run's pack */
	uint32_t visit;
	uint32_t core;         /* number of the core, of several at once */
	uint64_t n_iterations; /* of each length */
	uint64_t calib_iterations[PACK_N_CALIB];
	uint32_t n_rows, row; /* numbers in a row */
	const uint64_t *values;
	/* Core clock: instructions retired while each value was counted, in
	 * the same rows; NULL where the core does not count them. */
	const uint64_t *retired;
};

/* Store; a (kernel, visit) already there is replaced. */
int store_sample(struct store *s, int64_t run, const struct sample *m,
		 struct err *e);

struct fault_row {
	uint32_t kernel;
	const char *cause; /* illegal, access, align, fpe, hang, lost ... */
	uint64_t code, pc, address;
};

int store_fault(struct store *s, int64_t run, const struct fault_row *f,
		struct err *e);

/* Forget a kernel's fault, if it has one: it is measured again. */
int store_fault_remove(struct store *s, int64_t run, uint32_t kernel,
		       struct err *e);

/* Which of the kernels 0..n_kernels of a run are done: visits 0..visits[i]-1
 * are stored, without a gap; UINT32_MAX when it faulted. */
int store_progress(struct store *s, int64_t run, size_t n_kernels,
		   uint32_t *visits, struct err *e);

/* Call each() for every kernel of a run in index order, with its samples in
 * visit order and its fault (NULL if none).  Pointers are valid during the
 * call only.  each() returns 0 to go on. */
struct kernel_result {
	uint32_t index;
	struct kernel_row kernel;
	size_t n_samples;
	const struct sample *samples;
	const struct fault_row *fault;
};
typedef int store_each_kernel(void *context, const struct kernel_result *r,
			      struct err *e);
int store_kernels(struct store *s, int64_t run, store_each_kernel *each,
		  void *context, struct err *e);

/* The same for a part, without code and register images. */
struct store_part {
	uint32_t first;   /* kernel */
	const bool *skip; /* leave kernel k out; n_skip of them */
	size_t n_skip;
	bool labels_only; /* without samples */
};
int store_kernels_of(struct store *s, int64_t run,
		     const struct store_part *part, store_each_kernel *each,
		     void *context, struct err *e);

/* ---- claims ----------------------------------------------------------- */

/* A solved value.  low == high: exact within the residual.  Verdicts are the
 * closed list of docs/method.md; "ok" for a value without reservation.  A
 * claim without a value has has_value false and a verdict that says why. */
struct claim {
	int64_t run;
	const char *isa, *form, *board;
	/* latency | latency-short | forward | throughput | dependent: values,
	 * docs/method.md; or one of host/model/claims.h. */
	const char *kind;
	const char *source, *destination; /* "" for throughput */
	bool has_value;
	double low_cycles, high_cycles;
	double residual; /* of the line fit, relative */
	uint32_t visits; /* that agree on the value; core clock: undisturbed */
	const char *verdict;
	const char *label; /* label of the main kernel */
	uint32_t kernel;   /* its index in the run */
	int solver_version;
	const char
		*detail; /* one line in words: how it came about, or why not */
};

/* Replace all values of a run in one transaction, and apart from them all that
 * it says of ports: claims of the kinds of host/model/claims.h. */
int store_claims_begin(struct store *s, int64_t run, struct err *e);
int store_port_claims_begin(struct store *s, int64_t run, struct err *e);
int store_claim(struct store *s, const struct claim *c, struct err *e);
int store_claims_commit(struct store *s, struct err *e);

/* Every value (run 0: of the newest run per board, isa, form
 * and kind; else of that run; form NULL: all), ordered by isa, form, kind,
 * source, destination. */
typedef int store_each_claim(void *context, const struct claim *c,
			     struct err *e);
int store_claims(struct store *s, int64_t run, const char *form,
		 store_each_claim *each, void *context, struct err *e);

/* The same for all other kinds. */
int store_port_claims(struct store *s, int64_t run, const char *form,
		      store_each_claim *each, void *context, struct err *e);

/* All claims of a run in one pass, in the order above, as far as a machine
 * model needs them: without board, ISA, label and evidence, and with `detail`
 * of those that are about no form.  `ports`: store_port_claims() has it. */
typedef int store_each_model_claim(void *context, const struct claim *c,
				   bool ports, struct err *e);
int store_model_claims(struct store *s, int64_t run,
		       store_each_model_claim *each, void *context,
		       struct err *e);

/* Environment of a run, key order. */
typedef int store_each_env(void *context, const char *key, const char *value,
			   struct err *e);
int store_envs(struct store *s, int64_t run, store_each_env *each,
	       void *context, struct err *e);

/* ---- subsets ---------------------------------------------------------- */

/* What of a store makes a smaller one that solves to the same claims of some
 * forms. */
struct store_subset {
	bool (*wants)(void *context, const char *form);
	void *context;
	uint32_t visits; /* of each kernel the first so many; 0: all */
	bool code;       /* with machine code and register images */
};

struct store_subset_counts {
	size_t n_runs, n_forms, n_kernels, n_samples, n_faults;
	size_t n_claims; /* that the store has of these runs */
};

/* Append the bytes of a database with a part of `s` to *ret: of each form the
 * newest run that measured it as the view `latest` has it, their environment,
 * and the kernels that claims of these forms rest on, with samples and faults.
 * Without console text, claims, and runs of a search for ports.
 *
 * Which kernels bound the latencies of several forms in a chain, and which one
 * showed the issue width, is read from the claims.  Without them (n_claims 0)
 * some values of the part may be wider.  The calibration of a reference clock
 * is estimated from the samples that are left: values may differ by as much as
 * two runs do. */
int store_subset(struct store *s, const struct store_subset *q,
		 struct buffer *ret, struct store_subset_counts *ret_counts,
		 struct err *e);

#endif
