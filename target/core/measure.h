/* Measuring one kernel: repeats, iterations and order. */
#ifndef CORE_MEASURE_H
#define CORE_MEASURE_H

#include "common/row.h"
#include "target/arch.h"

enum {
	MEASURE_MAX_ROWS = 64, /* the limit of pack_check() */
};

/* The result of one visit of a kernel, in counter ticks. */
struct measurement {
	uint64_t n;               /* iterations of each length */
	uint64_t c[PACK_N_CALIB]; /* iterations of the calibration kernels */
	uint64_t empty;           /* ref clock: ticks of an empty kernel */
	uint32_t visit;
	uint32_t n_rows, row; /* of common/row.h */
	uint64_t values[MEASURE_MAX_ROWS * ROW_REF_WIDE];
	/* Core clock: instructions retired while each value was counted, all
	 * zero where the core does not count them. */
	uint64_t retired[MEASURE_MAX_ROWS * ROW_CORE];
	/* After a fault: */
	struct arch_fault fault;
	uint32_t length; /* which length faulted */
};

/* Take a pack that pack_check() accepted: place its code, prepare its
 * calibration kernels.  Returns NULL, or the reason why it cannot run. */
const char *measure_open(const void *pack, enum arch_clock clock);

/* Take figures of the host, in thousandths of a cycle: an iteration of the
 * sibling's probe on an undisturbed core, 0 if not known; the cost of a
 * reading; and the probes to ignore (row_ignored()). */
void measure_expect(uint32_t probe, uint32_t reading, uint32_t ignored);

/* Give code and memory another place, and calibrate there: some states of a core
 * last as long as both stay where they are.  Returns NULL, or what failed; the
 * caller may try again. */
const char *measure_move(void);

/* True: later visits neither wait for a quiet core nor end early.  Initially
 * false. */
void measure_any(bool any);

/* Was the core disturbed when the last row began? */
bool measure_was_disturbed(void);

/* Visit kernel `index` once.  Visits count from 0.  On a disturbed core a visit
 * ends early: the first two after at least three rows, later ones after one.
 * Returns true and *ret, or false with the fault in *ret. */
bool measure_kernel(uint32_t index, uint32_t visit_number,
		    struct measurement *ret);

#endif
