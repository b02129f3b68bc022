/* From estimates to claims: combines the kernels of one form.  Pure functions
 * on an array of records. */
#ifndef SOLVE_JUDGE_H
#define SOLVE_JUDGE_H

#include "host/experiment/label.h"
#include "host/solve/estimate.h"
#include "host/store/store_claim.h"

/* The result of one kernel.  Claims are derived from it or checked with it. */
struct record {
	struct label label;
	const char *text;  /* the label as stored */
	const char *fault; /* its cause, or NULL */
	uint32_t index;
	uint32_t chains; /* of struct kernel_row */
	struct estimate estimate;
};

/* Receives claims: each() returns 0 to go on. */
struct judge_sink {
	uint32_t max_width; /* instructions per cycle that no core exceeds */
	/* The ISA's; NULL: none. */
	const struct isa_carrier *carriers;
	const struct isa_windows *windows;
	const struct isa_decoding *decoding;
	/* Instructions of a loop behind its body; one is before it. */
	unsigned loop_behind;
	const char *slot; /* struct isa_memory; NULL: none */
	bool in_order;    /* cores of the ISA may start in program order */
	bool latencies;   /* the run asks for latencies */
	int (*each)(void *context, struct claim *c, struct err *e);
	void *context;
};

/* Sorts the records and makes the claims: those of the core (width, short
 * loops, windows, order), then those of each form, kind and pair of operands,
 * then those of parts of latency cycles.  run, isa and board are left for the
 * sink to fill.  Strings in `a`. */
int judge_records(struct arena *a, struct record *records, size_t n,
		  const struct judge_sink *sink, struct err *e);

#endif
