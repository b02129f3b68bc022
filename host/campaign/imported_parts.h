/* Parts of imported.c; private to this room. */
#ifndef CAMPAIGN_IMPORTED_PARTS_H
#define CAMPAIGN_IMPORTED_PARTS_H

#include "host/campaign/imported.h"

/* Make a run of the labels in the log, in one transaction: with the board if it
 * is known, and with the kernels that have a record. */
int imported_new_run(struct imported *m, struct store *s, struct err *e);

/* Set m->stop.  A kernel at which the run's board stopped twice gets the fault
 * `lost`. first: number in the run of the pack's kernel 0. */
int imported_find_stop(struct imported *m, struct store *s, uint32_t first,
		       struct err *e);

#endif
