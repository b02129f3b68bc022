/* What a node sustains: the clock, floating-point operations, bandwidth and
 * latency, over widths of registers, levels of memory and active cores.
 *
 * Each core runs a process of the runtime, pinned to it; all run one kernel at
 * the same time (target/core/sustain.h).  Prints nothing. */
#ifndef NODE_NODE_H
#define NODE_NODE_H

#include "host/campaign/campaign.h"
#include "host/node/levels.h"

enum node_kind {
	NODE_FLOPS,   /* multiply-adds in registers */
	NODE_LOAD,    /* = a[i] */
	NODE_COPY,    /* b[i] = a[i] */
	NODE_TRIAD,   /* c[i] = a[i] + s * b[i] */
	NODE_STORE,   /* a[i] = s */
	NODE_STREAM,  /* the same with stores that bypass caches */
	NODE_LATENCY, /* loads that depend on each other */
	NODE_N_KINDS,
};

/* "flops", "load", ... */
const char *node_kind_name(enum node_kind kind);

/* A value, and how sure it is. */
struct node_value {
	double value;     /* 0: there is none */
	double low, high; /* tenth and ninetieth percentile of its windows */
	size_t n_windows;
	bool steady; /* the best value recurs (recur.h) */
};

/* Bytes while a row was measured; zeros: not counted. */
struct node_traffic {
	double read, written; /* by the memory controllers, for all programs */
	double stored;        /* by the kernel */
};

struct node_row {
	enum node_kind kind;
	const char *width; /* of registers; "" for latency */
	const char *level; /* "L1", "memory"; "" in registers */
	uint64_t bytes;    /* of each array of each core */
	unsigned n_arrays;
	size_t n_cores; /* active */
	/* FLOPS: floating-point operations a second; LATENCY: nanoseconds a
	 * load; else bytes a second that the kernel loads and stores. */
	struct node_value value;
	struct node_value clock;     /* Hz, mean of the active cores; 0: none */
	size_t n_lost;               /* windows in which a core was disturbed */
	double per_iteration;        /* bytes or operations of an iteration */
	struct node_traffic traffic; /* of STORE in memory */
	const char *problem;         /* why there is no value, or NULL */
	const unsigned char *code;   /* of an iteration, and the return */
	size_t n_code;

	/* Set by node_theory(); 0: not known. */
	double in_core; /* cycles of an iteration with all data in the first
			 * cache, by the port model */
	double theory;  /* what that allows, in the unit of `value` */
	double ecm;     /* of loads and stores on one core: the rate if the time
			 * in the first cache and all transfers add up */
	double allocated; /* of STORE in memory: share of its lines that are
			   * read before they are written; below 0: not known */
	const char *allocated_from; /* "counters" of the memory controllers,
				     * "times" */
	bool is_outside;            /* the level does not hold the row's data */
};

struct node_request {
	const struct campaign_request *campaign;
	const char *levels;  /* "48K,1M,32M"; NULL: from sysfs */
	const char *root;    /* of /sys and /proc, "" as a rule */
	uint32_t most_cores; /* 0: all */
	uint32_t ms;         /* of each measurement; 0: the default */
	uint64_t memory;     /* of an array in memory, in bytes; 0: chosen */
	bool loads_of_all; /* measure nothing but loads of all cores at once */
	/* After each measurement. */
	void (*report)(void *context, size_t done, size_t total,
		       const struct node_row *row);
	void *context;
};

struct node_result {
	const struct board *board;
	const struct catalogue *catalogue;
	char cpu[128]; /* the core's name, "" if it does not say */
	char kernel[96];
	struct node_levels levels;
	size_t n_cores; /* of the node that were used */
	double ref_hz;
	double stolen; /* share of the time that the hypervisor took, 0..1 */
	bool has_stolen;
	size_t n;
	struct node_row *rows;
};

/* Measure.  Everything in *ret belongs to the campaign, which the caller
 * closes, also after an error.  ERR_USAGE, ERR_INPUT: the request; ERR_FAILED:
 * the board; ERR_INTERRUPTED. */
int node_run(const struct node_request *q, struct campaign *c,
	     struct node_result *ret, struct err *e);

/* Bytes that all cores together load in a cycle of one of them, from a level:
 * "L1", "memory".  Where a row has no clock of its own, that of the rows of the
 * same cores counts.  most_bytes: the level holds no more; 0: not known, of memory.
 * Not steady: the median of windows that differ, where others use the level.  NULL,
 * or why there is no value: a static text, or one of the result. */
const char *node_loads_of_all(const struct node_result *r, const char *level,
			      uint64_t most_bytes, struct node_value *ret);

#endif
