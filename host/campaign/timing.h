/* Where the time of a run went. */
#ifndef CAMPAIGN_TIMING_H
#define CAMPAIGN_TIMING_H

#include "host/store/store.h"

struct timing {
	size_t n_kernels, n_visits;
	double kernel_seconds; /* inside measured kernels */
	double calib_seconds;  /* inside calibration kernels */
};

/* Add up the ticks of a run's samples; seconds are 0 when the clock's rate is
 * not known (a core clock). */
int timing_of(struct store *s, int64_t run, struct timing *ret, struct err *e);

#endif
