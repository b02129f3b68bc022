/* How many kernels of a run were settled after how many seconds of measuring,
 * in its environment: points of all its sessions, one a round. */
#ifndef CAMPAIGN_ROUNDS_LOG_H
#define CAMPAIGN_ROUNDS_LOG_H

#include "host/base/file.h"
#include "host/store/store.h"

/* Of all kernels, and of those of rank 0. */
enum { ROUNDS_LOG_ALL, ROUNDS_LOG_BASE, ROUNDS_N_LOGS };

/* Zero-initialise. */
struct rounds_log {
	struct buffer points[ROUNDS_N_LOGS]; /* struct pace_point */
};

/* Read the points that earlier sessions of the run stored; *seconds is set to
 * the last one's, if there is one.  Text that cannot be read is ignored: points
 * are only displayed. */
int rounds_log_read(struct rounds_log *log, struct store *s, int64_t run,
		    double *seconds, struct err *e);

/* Add a point to each list, and store both. */
int rounds_log_add(struct rounds_log *log, struct store *s, int64_t run,
		   double seconds, const size_t n_settled[ROUNDS_N_LOGS],
		   struct err *e);

/* Seconds until 95 % of the kernels that are now settled were settled. */
double rounds_log_most(const struct rounds_log *log, int which);

void rounds_log_free(struct rounds_log *log);

#endif
