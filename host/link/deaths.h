/* The kernel at which a run's board died last, in the run's environment: a
 * later session of the run - the board was reset by hand, or this is the next
 * round - counts on where this one ended. */
#ifndef LINK_DEATHS_H
#define LINK_DEATHS_H

#include "host/link/live.h"

/* Take the deaths of earlier sessions over into a plan. */
int deaths_read(struct plan_work *w, const struct session *q, struct err *e);

/* Store the deaths of kernel k. */
int deaths_note(struct live *s, uint32_t k, struct err *e);

/* Forget them if the kernel has a result now. */
int deaths_forget(struct live *s, struct err *e);

#endif
