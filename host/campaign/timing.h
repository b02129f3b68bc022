/* Where the time of a run went. */
#ifndef CAMPAIGN_TIMING_H
#define CAMPAIGN_TIMING_H

#include "host/store/store.h"

struct timing {
	size_t n_kernels, n_visits;
	double kernel_seconds; /* inside measured kernels */
	double calib_seconds;  /* inside the chains and probes around them */
	double ref_hz;         /* of a reference clock; 0: unknown, or none */
};

/* Add up all samples of a run.  Seconds are 0 if the rate of its clock is not
 * known (a core clock).  Errors are the store's. */
int timing_of(struct store *s, int64_t run, struct timing *ret, struct err *e);

#endif
