/* What the operands of an experiment start with, where a form says more than
 * its domain does. */
#ifndef GEN_INITIAL_H
#define GEN_INITIAL_H

#include "host/gen/assign.h"

/* Write the values of the experiment's operands into an image that holds the
 * domain's already; a helper that copies a register gives back what that one
 * started with. */
void initial_values(const struct catalogue *c, const struct experiment *x,
		    const struct assigned *a, struct pack_image *image);

#endif
