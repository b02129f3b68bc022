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

/* Records of `anechoic node`.  From the host:
 *
 *	stage k memory fill walk masked mask step line chunk_ns chain_ns regs at
 *		prepare kernel k.  memory: bytes, a multiple of 4096; fill 0: as
 *		it is, 1: numbers, 2: a chain of pointers in random order, one
 *		for each `line` bytes.  The registers `regs` point into it at
 *		the offsets `at`.  The register `walk` (32: none) holds an
 *		offset that moves on by `step` bytes from run to run, within
 *		mask + 1 bytes, or with fill 2 a pointer to a random place of
 *		the chain; `masked` (32: none) holds `mask`.  A run takes about
 *		chunk_ns, that of the chain chain_ns (0: none)
 *	sustain begin ticks
 *		run what is staged, from `begin` of the reference clock on (0:
 *		at once) for `ticks` (0: only `sustained` is answered)
 *
 * From the runtime:
 *
 *	staged n chain now	iterations of kernel and chain; the clock
 *	rows from d	from row `from` on, per row: ticks from `begin` to its
 *		start, of the kernel, of the long and of the short chain
 *	sustained rows now	a `sustain` is done */

/* Take the fields of a `stage` record.  Returns NULL or the
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
