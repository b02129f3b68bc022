/* The measuring routine of an invented board: the same estimators as the
 * runtime's, on a clock that is simulated together with its disturbances. */
#ifndef FAKE_MEASURE_H
#define FAKE_MEASURE_H

#include "common/row.h"
#include "host/fake/kernel.h"
#include "host/isa/catalogue.h"

enum {
	FAKE_MAX_ROWS = 64, /* pack_check() admits no more */
};

/* One visit of a kernel, in the terms of the sample record. */
struct fake_sample {
	uint64_t n, c[PACK_N_CALIB], empty;
	uint32_t n_rows, row;
	uint64_t values[FAKE_MAX_ROWS * ROW_REF];
	const char *fault; /* cause, "die", or NULL */
	uint32_t fault_pc; /* in length 0 */
};

struct fake_board;

/* The pack must have been checked; all three must outlive the board. */
struct fake_board *fake_board_new(const struct catalogue *c,
				  const struct core *core, const void *pack);
void fake_board_free(struct fake_board *b);

/* Find the iterations of the calibration kernels.  NULL, or in words why the
 * pack cannot be run. */
const char *fake_board_calibrate(struct fake_board *b);

void fake_board_measure(struct fake_board *b, uint32_t index,
			struct fake_sample *ret);

/* A number of 0..1 from the core's seed. */
double fake_board_random(struct fake_board *b);

#endif
