/* How many instructions a core holds from dispatch to retirement. */
#ifndef PLAN_WINDOW_H
#define PLAN_WINDOW_H

#include "host/experiment/experiment.h"

/* The form whose chains show that, NULL: the catalogue lacks it. */
const struct form *window_form(const struct catalogue *c);

/* Chains of the ISA's form alone, then with fillers of each kind in several
 * numbers.  Those whose forms the catalogue lacks are left out, and all where
 * it lacks the chain. */
void window_experiments(const struct catalogue *c,
			void (*add)(void *context, const struct experiment *x),
			void *context);

#endif
