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

/* From an estimate on a ref clock. */
struct mix_value mix_of_estimate(const struct estimate *e);

#endif
