/* Which pairs of forms are measured together, as latencies: see forward.h. */
#ifndef PLAN_TURNS_H
#define PLAN_TURNS_H

#include "host/experiment/experiment.h"

struct turns_request {
	const struct catalogue *catalogue;
	/* Is the form requested? */
	bool (*is_chosen)(const void *choice, const struct form *f);
	const void *choice;
	void (*add)(void *context, const struct experiment *x);
	void *context;
};

/* Add chains that alternate two forms, and consecutive chains of the ISA's list: the
 * forms of this list are paired with each other, all others with two of them.  Then
 * chains of which another form has written the other source. */
void turns_experiments(const struct turns_request *q);

#endif
