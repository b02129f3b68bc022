/* A kernel run over and over for a time, on memory of its own size: what a core
 * sustains alone, or while other cores do the same.  In contrast to measure.h
 * nothing is subtracted: rows are long compared with the cost of a run. */
#ifndef CORE_SUSTAIN_H
#define CORE_SUSTAIN_H

#include "common/wire.h"
#include "target/arch.h"

enum {
	SUSTAIN_MAX_ROWS = 1024,
	/* Ticks from the begin to the start of the row; of the kernel; of the
	 * long chain of 1-cycle adds, and of the short one: their difference
	 * gives the core's clock. */
	SUSTAIN_ROW = 4,
};

/* Take the fields of a `stage` record (docs/wire.md).  Returns NULL or the
 * problem. */
const char *sustain_request(const struct wire_record *r, uint32_t n_kernels);

/* Get memory, fill it, and find the iterations that take the requested time.
 * `allocate` gives n bytes or NULL.  Reports `staged`, or an error or fault. */
void sustain_stage(const void *pack, void *(*allocate)(size_t n));

/* Run what is staged from the REF clock's `begin` on for `ticks`.  Reports the
 * rows and `sustained`, or an error or fault.  0 ticks: only `sustained`, with
 * the time. */
void sustain_run(const void *pack, uint64_t begin, uint64_t ticks);

#endif
