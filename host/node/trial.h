/* One measurement: a kernel on some cores at once. */
#ifndef NODE_TRIAL_H
#define NODE_TRIAL_H

#include "host/node/code.h"
#include "host/node/core.h"

struct node_trial {
	struct node_core *cores;
	size_t n_cores;
	const struct isa_stream *stream;
	const struct node_code *code;
	uint32_t kernel;                  /* in the pack */
	uint32_t chain_long, chain_short; /* 1-cycle adds of the chains, in an
					   * iteration */
	uint64_t array;                   /* bytes of each array; 0: none */
	uint64_t line;                    /* bytes of a cache line */
	uint32_t ms;
	bool clock;                  /* measure the clock too */
	const struct uncore *uncore; /* NULL: memory's traffic is not counted */
};

/* What trials of a row found.  A rate is operations or bytes a second; of
 * latency, loads a second of one core. */
struct trial_result {
	struct buffer rates;  /* doubles, of windows, of all cores together */
	struct buffer clocks; /* doubles, Hz, of the cores' rows */
};

/* Add to the result, to the windows in which a core was disturbed, and to the
 * traffic of the row if t->uncore is not NULL.  *ret_problem: why the kernel
 * cannot run, a text in one of the cores, else NULL. */
int trial_run(const struct node_trial *t, struct trial_result *to,
	      struct node_row *row, const char **ret_problem, struct err *e);

/* Do the cores' clocks agree?  *ret_problem: NULL, or a static text that says
 * that they do not. */
int trial_check_clocks(struct node_core *cores, size_t n,
		       const char **ret_problem, struct err *e);

#endif
