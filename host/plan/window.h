/* Experiments on how many instructions a core holds from dispatch to
 * retirement. */
#ifndef PLAN_WINDOW_H
#define PLAN_WINDOW_H

#include "host/experiment/experiment.h"

/* The form of the chains, NULL: the catalogue lacks it. */
const struct form *window_form(const struct catalogue *c);

/* Chains of the ISA's form alone, then with several numbers of fillers of
 * each kind.  Experiments whose forms the catalogue lacks are left out. */
void window_experiments(const struct catalogue *c,
			void (*add)(void *context, const struct experiment *x),
			void *context);

#endif
