/* Events of own code, per body. */
#ifndef CAMPAIGN_CODE_EVENTS_H
#define CAMPAIGN_CODE_EVENTS_H

#include "host/campaign/code.h"

enum { CODE_MAX_EVENTS = 8 };

struct code_event {
	const char *name;
	struct code_count count; /* per body */
};

/* May the campaign's board count them all at once?  Of a process of this machine, the
 * kernel counts; a board that may have a clock of core cycles has `cycles` and
 * `instructions`.  ERR_USAGE, ERR_SYSTEM: no, and why. */
int code_events_check(const struct campaign *c, const struct code_event *list,
		      size_t n, struct err *e);

/* Count the events of the one snippet of q, of which r came.  In a process it is run
 * again.  Where nothing could be counted, count.known is false: the code faulted, or
 * the core has no counter.  Errors are of the board. */
int code_events_count(const struct code_run *q, const struct code_result *r,
		      struct code_event *list, size_t n, struct err *e);

#endif
