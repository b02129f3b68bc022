/* Runs of a store: what they are, their environment and their console text. */
#ifndef STORE_STORE_RUN_H
#define STORE_STORE_RUN_H

#include "host/base/arena.h"
#include "host/base/clock_kind.h"
#include "host/store/store.h"

/* A run: one measurement of one board; a resumed run is the same run.  The
 * fields of the target's info record are stored as the run's environment. */
struct run {
	int64_t id;
	const char *board;
	const char *isa;
	const char *cpu; /* LLVM CPU the catalogue was loaded for */
	enum clock clock;
	/* The word of CLOCK_UNKNOWN, as the database has it; not read for
	 * others. */
	const char *clock_text;
	const char *what;  /* what is measured: "latency,throughput" */
	const char *forms; /* regular expression of the forms */
	const char *tool;  /* tool version */
	const char *date;  /* ISO 8601, UTC */
	uint64_t ref_hz;   /* rate of the ref clock, 0 if unknown */
	uint64_t kernel_cycles;
	bool finished;
};

/* The word of its clock. */
const char *run_clock(const struct run *r);

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
int store_run_clock(struct store *s, int64_t run, enum clock clock,
		    uint64_t ref_hz, struct err *e);
int store_run_finish(struct store *s, int64_t run, struct err *e);
/* Add or replace one key of a run's environment. */
int store_env(struct store *s, int64_t run, const char *key, const char *value,
	      struct err *e);
/* Call each() for the environment of a run, ordered by key. */
typedef int store_each_env(void *context, const char *key, const char *value,
			   struct err *e);
int store_envs(struct store *s, int64_t run, store_each_env *each,
	       void *context, struct err *e);
/* The value of a key in the environment of a run, in `a`; NULL: it has none. */
int store_env_get(struct store *s, struct arena *a, int64_t run,
		  const char *key, const char **ret, struct err *e);
/* Of the values of `key` in the environments of other runs with the same board,
 * ISA, core and version of this program that began no later than `run`: the one
 * whose leading number is smallest; "" if there is none.  ret: room bytes. */
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

#endif
