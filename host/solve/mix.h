/* Time of a mix and its error, for solvers that compare many mixes and weigh
 * each by its error. */
#ifndef SOLVE_MIX_H
#define SOLVE_MIX_H

#include "host/solve/estimate.h"

struct mix_value {
	bool has_value;
	double cycles; /* of a body */
	double sigma;  /* relative standard error */
};

/* From samples of a core clock: each length's median, over all rows. */
struct mix_value mix_of_core(const struct shape *k, const struct sample *m,
			     size_t n);

/* An undisturbed row on a ref clock (visit_quiet_rows()). */
struct mix_row {
	double cycles;
	uint32_t visit; /* a number of its own for each visit */
};

/* The fastest time that enough of n rows have, of several visits: the mean of the rows
 * that share it.  Sorts them. */
struct mix_value mix_of_rows(struct mix_row *rows, size_t n);

#endif
