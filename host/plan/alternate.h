/* Which pairs of forms are measured together, as latencies: see forward.h. */
#ifndef PLAN_ALTERNATE_H
#define PLAN_ALTERNATE_H

#include "host/experiment/experiment.h"

struct alternate_request {
	const struct catalogue *catalogue;
	/* Is the form requested? */
	bool (*is_chosen)(const void *choice, const struct form *f);
	const void *choice;
	void (*add)(void *context, const struct experiment *x);
	void *context;
};

/* Add chains that alternate two forms, and consecutive chains of the ISA's list: the
 * forms of this list are paired with each other, all others with two of them.  Then
 * chains whose other source another form writes. */
void alternate_experiments(const struct alternate_request *q);

#endif
