/* The store: one SQLite file per machine or campaign, through which the stages
 * exchange data.
 *
 * A run has kernels; a kernel has samples or a fault; the solver derives claims
 * from them.  Samples are stored raw, so claims can be derived again at any
 * time.  The schema is schema.sql and its version is PRAGMA user_version; a
 * newer schema is refused, an older one is migrated in a transaction by the
 * commands that write. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "common/row.h"
#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/store/kernel_class.h"

struct buffer;
struct store;

/* Open a database; `create` makes a missing file.  ERR_INPUT if it cannot be
 * opened, is not an Anechoic database or is newer than this program, ERR_SYSTEM if
 * it cannot be written.  Free it with store_close(). */
int store_open(const char *path, bool create, struct store **ret_store,
	       struct err *e);
/* The same to read only.  A database of an older version is not changed: a
 * temporary copy is migrated and read, on disk where SQLite puts temporary
 * files. */
int store_open_to_read(const char *path, struct store **ret_store,
		       struct err *e);

/* Does the file begin like a database of SQLite? */
bool store_is_database(const char *path);

void store_close(struct store *s);

/* Transactions: all writes up to store_commit() are stored, or none. */
int store_begin(struct store *s, struct err *e);
int store_commit(struct store *s, struct err *e);
void store_rollback(struct store *s);

/* From now on write committed transactions to the disk in groups: in the first
 * store_commit() that is `ms` milliseconds (above 0) or more after the last
 * group, and in store_flush().  A crash, or store_close() without
 * store_flush(), loses the transactions since the last group; until it is
 * written the database is locked for other writers.  For many short
 * transactions: each by itself waits for the disk several times. */
void store_group(struct store *s, uint32_t ms);
/* Write what store_commit() kept back; nothing if there is none.  Not inside a
 * transaction. */
int store_flush(struct store *s, struct err *e);

/* ---- runs ------------------------------------------------------------ */

/* A run: one measurement of one board; a resumed run is the same run.  The
 * fields of the target's info record are stored as the run's environment. */
struct run {
	int64_t id;
	const char *board;
	const char *isa;
	const char *cpu;   /* LLVM CPU the catalogue was loaded for */
	const char *clock; /* core | ref */
	const char *what;  /* what is measured: "latency,throughput" */
	const char *forms; /* regular expression of the forms */
	const char *tool;  /* tool version */
	const char *date;  /* ISO 8601, UTC */
	uint64_t ref_hz;   /* rate of the ref clock, 0 if unknown */
	uint64_t kernel_cycles;
	bool finished;
};

/* Insert a run; sets r->id. */
int store_run_new(struct store *s, struct run *r, struct err *e);
/* The newest unfinished run with the same board, isa, what, forms and
 * kernel_cycles; ret->id is 0 if there is none.  Strings are owned by `a`. */
int store_run_resumable(struct store *s, struct arena *a,
			const struct run *like, struct run *ret, struct err *e);
int store_run_get(struct store *s, struct arena *a, int64_t id, struct run *ret,
		  struct err *e);
/* Ids of all runs, oldest first. */
int store_runs(struct store *s, struct arena *a, int64_t **ret_ids,
	       size_t *ret_n, struct err *e);
/* Store the clock and rate that the target reported. */
int store_run_clock(struct store *s, int64_t run, const char *clock,
		    uint64_t ref_hz, struct err *e);
int store_run_finish(struct store *s, int64_t run, struct err *e);
/* Add or replace one key of a run's environment. */
int store_env(struct store *s, int64_t run, const char *key, const char *value,
	      struct err *e);
/* Of the values of `key` in the environments of other runs with the same board, ISA,
 * core and version of this program that began no later than `run`: the one whose leading
 * number is smallest; "" if there is none.  ret: room bytes. */
int store_env_least(struct store *s, int64_t run, const char *key, char *ret,
		    size_t room, struct err *e);
/* Store a console line that is not a record. */
int store_text(struct store *s, int64_t run, const char *line, size_t n,
	       struct err *e);
/* Number of the last console line of any run; 0: none. */
int store_text_last(struct store *s, int64_t *ret_last, struct err *e);
/* Of a run's lines behind line `after` keep the last ones, of at most `most`
 * bytes together.  *ret_bytes: how many bytes are deleted. */
int store_text_trim(struct store *s, int64_t run, int64_t after, uint64_t most,
		    uint64_t *ret_bytes, struct err *e);

/* ---- cores ----------------------------------------------------------- */

/* The core of a run, from its environment: the view `identity` of store.c.
 * Values of two cores are never combined. */
struct core_id {
	const char *core;    /* x86_64/GenuineIntel/6.207.2/Xeon/-/0x1 */
	const char *machine; /* serial number or hash of the machine-id, "-" */
};
int store_run_core(struct store *s, struct arena *a, int64_t run,
		   struct core_id *ret, struct err *e);
/* Can two runs be of one core?  A part that one of them does not know may be
 * any. */
bool core_agrees(const char *a, const char *b);

/* Which core; NULL: any. */
struct core_query {
	const char *board, *isa;
	const char *core_of;  /* a prefix of "core/machine" */
	const char *option;   /* for messages; NULL: --core-of */
	const char *if_there; /* this core, if the database has it */
};
/* Choose the core whose newest claims are read from here on, by
 * store_chosen_runs() and by the readers of claims with run 0.  ERR_INPUT if
 * the database has claims of several such cores, or of none and q->core_of is
 * given; the message lists the cores. */
int store_choose_core(struct store *s, const struct core_query *q,
		      struct err *e);
/* The chosen core, in `a`; "" if no run is chosen. */
int store_chosen_core(struct store *s, struct arena *a, const char **ret,
		      struct err *e);
/* As store_runs(), of the chosen core; chooses the only one if
 * store_choose_core() was not called. */
int store_chosen_runs(struct store *s, struct arena *a, int64_t **ret_ids,
		      size_t *ret_n, struct err *e);
/* Append what distinguishes the cores with claims other than that of `run`, a
 * line each; nothing if there are none. */
int store_other_cores(struct store *s, int64_t run, struct buffer *ret,
		      struct err *e);

/* ---- kernels --------------------------------------------------------- */

/* A kernel as written to a pack. */
struct kernel_row {
	uint64_t id;       /* content id, as in the pack */
	const char *label; /* experiment label */
	uint32_t unroll[PACK_LENGTHS];
	uint32_t ops_per_body;
	/* Number of parallel chains, if the form reads the registers or the
	 * places in memory that its results rotate through; 0 if it does not.
	 * The form's latency divided by this is a lower bound of what the
	 * kernel can show.  In a latency kernel: instances until a register of
	 * the chain is written again, if another operand then depends on its
	 * old value; 0 or 1: four. */
	uint32_t chains;
	/* Instructions that a body retires; 0: unknown. */
	uint32_t instructions;
	bool calib;
	enum kernel_class class;
	const unsigned char *code[PACK_LENGTHS]; /* NULL: unknown (import) */
	uint32_t code_bytes[PACK_LENGTHS];
	const struct pack_image *image; /* NULL: unknown */
};

/* Store kernel `index` of a run's pack.  Equal code is stored once. */
int store_kernel(struct store *s, int64_t run, uint32_t index,
		 const struct kernel_row *k, struct err *e);

/* What a form is, in words. */
struct form_row {
	const char *isa, *form;
	const char *mnemonic;
	const char *assembly; /* an encoded example, disassembled */
	const char *operands; /* "0 write GPR64, 1 read GPR64, ..." */
};

/* Store the text of a form, once. */
int store_form(struct store *s, const struct form_row *f, struct err *e);

/* How many kernels a run has. */
int store_count_kernels(struct store *s, int64_t run, size_t *ret,
			struct err *e);

/* The kernel's number in the set that the run is a shard of. */
int store_kernel_place(struct store *s, int64_t run, uint32_t index,
		       uint32_t place, struct err *e);

/* ---- samples and faults ---------------------------------------------- */

/* One visit of one kernel: raw counter differences, as received.  `values` has
 * n_rows rows; common/row.h has their layout. */
struct sample {
	uint32_t kernel; /* index within the run's pack */
	uint32_t visit;
	uint32_t core;         /* number of the core in a parallel session */
	uint64_t n_iterations; /* iterations of each length */
	uint64_t calib_iterations[PACK_N_CALIB];
	uint32_t n_rows, row; /* numbers in a row */
	const uint64_t *values;
	/* Core clock: instructions retired during each value, in the same rows;
	 * NULL if the core does not count them. */
	const uint64_t *retired;
};

/* Store a sample; replaces one with the same kernel and visit. */
int store_sample(struct store *s, int64_t run, const struct sample *m,
		 struct err *e);

struct fault_row {
	uint32_t kernel;
	const char *cause; /* illegal, access, align, fpe, hang, lost ... */
	uint64_t code, pc, address;
};

int store_fault(struct store *s, int64_t run, const struct fault_row *f,
		struct err *e);

/* Delete a kernel's fault, if any, so that it is measured again. */
int store_fault_remove(struct store *s, int64_t run, uint32_t kernel,
		       struct err *e);

/* Set visits[i] for kernel first + i of a run, i < n, to the number of visits
 * that are stored without a gap from visit 0 on; UINT32_MAX if the kernel
 * faulted. */
int store_progress(struct store *s, int64_t run, uint32_t first, size_t n,
		   uint32_t *visits, struct err *e);

/* Call each() for every kernel of a run in index order, with its samples in
 * visit order and its fault (NULL if none).  Pointers are valid during the call
 * only. each() returns ERR_OK to continue; another value stops the walk and is
 * returned. */
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

/* The same for part of a run. */
struct store_part {
	uint32_t first;   /* kernel */
	uint32_t end;     /* the kernel behind the last; 0: all that follow */
	const bool *skip; /* skip[k]: leave kernel k out; n_skip entries */
	size_t n_skip;
	bool labels_only; /* read no samples */
	bool code;        /* read code and register images */
};
int store_kernels_of(struct store *s, int64_t run,
		     const struct store_part *part, store_each_kernel *each,
		     void *context, struct err *e);

/* ---- claims ----------------------------------------------------------- */

/* A solved value. low == high means exact within the residual.  The verdict is
 * one of the list in docs/method.md, "ok" if nothing is in doubt.  If has_value
 * is false, the verdict gives the reason. */
struct claim {
	int64_t run;
	const char *isa, *form, *board;
	/* A value (docs/method.md): latency, latency-short, forward,
	 * throughput, dependent ...; or a kind of host/model/claims.h. */
	const char *kind;
	const char *source, *destination; /* "" for throughput */
	bool has_value;
	double low_cycles, high_cycles;
	double residual; /* residual of the line fit, relative */
	uint32_t visits; /* visits that agree; core clock: undisturbed visits */
	const char *verdict;
	const char *label; /* label of the main kernel */
	uint32_t kernel;   /* its index in the run */
	int solver_version;
	const char *detail; /* one line of text: how the value was derived, or
			     * why there is none */
};

/* Begin a transaction that replaces all values of a run, or all its port claims
 * (the kinds of host/model/claims.h).  End it with store_claims_commit(). */
int store_claims_begin(struct store *s, int64_t run, struct err *e);
int store_port_claims_begin(struct store *s, int64_t run, struct err *e);
int store_claim(struct store *s, const struct claim *c, struct err *e);
int store_claims_commit(struct store *s, struct err *e);

/* Call each() for every value of a run, ordered by isa, form, kind, source,
 * destination. run 0: the newest run of the chosen core for each board, isa, form
 * and kind. form NULL: all forms. */
typedef int store_each_claim(void *context, const struct claim *c,
			     struct err *e);
int store_claims(struct store *s, int64_t run, const char *form,
		 store_each_claim *each, void *context, struct err *e);

/* The same for port claims. */
int store_port_claims(struct store *s, int64_t run, const char *form,
		      store_each_claim *each, void *context, struct err *e);

/* All claims of a run in the order above, with only the fields that a machine
 * model needs: without board, ISA, label, residual, visits; `detail` only for
 * claims without a form.  `ports`: it is a port claim. */
typedef int store_each_model_claim(void *context, const struct claim *c,
				   bool ports, struct err *e);
int store_model_claims(struct store *s, int64_t run,
		       store_each_model_claim *each, void *context,
		       struct err *e);

/* Call each() for the environment of a run, ordered by key. */
typedef int store_each_env(void *context, const char *key, const char *value,
			   struct err *e);
int store_envs(struct store *s, int64_t run, store_each_env *each,
	       void *context, struct err *e);

/* ---- subsets ---------------------------------------------------------- */

/* A part of a store to copy.  Solving the copy gives the same claims for the
 * wanted forms. */
struct store_subset {
	bool (*wants)(void *context, const char *form);
	void *context;
	uint32_t visits; /* number of visits of each kernel to copy; 0: all */
	bool code;       /* copy machine code and register images */
};

struct store_subset_counts {
	size_t n_runs, n_forms, n_kernels, n_samples, n_faults;
	size_t n_claims; /* claims of these runs in the store */
};

/* Append the bytes of a database with a part of `s` to *ret.  For each wanted
 * form it has the newest run that measured it (as in the view `latest`), the
 * run's environment, and the kernels that the form's claims depend on, with
 * samples and faults.  It has no console text, no claims and no runs of a port
 * search.
 *
 * The store's claims determine which latency cycles and which issue-width
 * kernel are copied.  Without claims (n_claims is 0) some intervals of the copy
 * may be wider.  With a reference clock the copy is calibrated from its own
 * samples, so values may differ as much as those of two runs. */
int store_subset(struct store *s, const struct store_subset *q,
		 struct buffer *ret, struct store_subset_counts *ret_counts,
		 struct err *e);

/* ---- merging ---------------------------------------------------------- */

/* Has the file another schema version than this program?  ERR_INPUT if it does
 * not exist or is no database. */
int store_is_older(const char *path, bool *ret, struct err *e);

/* Write a copy of a database, of any schema version, to a new file. */
int store_copy(const char *path, const char *to, struct err *e);

struct store_merged {
	size_t n_parts;  /* runs of the sources */
	size_t n_runs;   /* of the result */
	int64_t *united; /* runs made of several parts: they have no claims */
	size_t n_united;
};

/* Write the runs of several databases of this schema version to the new file
 * `path`, which is not flushed to the disk.  Equal runs are written once.  Runs
 * that differ but are of one measurement - two states of it, or shards of one
 * set on one kind of core - become one run with the samples of all.  The result
 * does not depend on the order of the sources, and merging it again with one of
 * them adds nothing.  Memory: the text of each source's environment. */
int store_merge(struct arena *a, const char *path, const char *const *sources,
		size_t n, struct store_merged *ret, struct err *e);

#endif
