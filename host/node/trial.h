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

/* Append the rates of windows, of all cores together, to *rates (doubles), and
 * the clocks of rows, as Hz, to *clocks.  A rate is operations or bytes a
 * second; of latency, loads a second of one core.  *ret_lost grows by the
 * windows in which a core was disturbed, *traffic by the bytes of the run if
 * t->uncore is not NULL.  *ret_problem: why the kernel cannot run, a text in
 * one of the cores, else NULL. */
int trial_run(const struct node_trial *t, struct buffer *rates,
	      struct buffer *clocks, size_t *ret_lost,
	      struct node_traffic *traffic, const char **ret_problem,
	      struct err *e);

/* Do the cores' clocks agree?  *ret_problem: NULL, or a static text that says
 * that they do not. */
int trial_check_clocks(struct node_core *cores, size_t n,
		       const char **ret_problem, struct err *e);

#endif
