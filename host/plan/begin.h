/* What every run begins with: kernels that say how the rest is to be read. */
#ifndef PLAN_BEGIN_H
#define PLAN_BEGIN_H

#include "host/experiment/experiment.h"

typedef void begin_add(void *context, const struct experiment *x);

/* The ISA's two calibration chains and its probe, in this order, and what keeps
 * wide units awake where the catalogue has it.  ERR_FAILED when the catalogue
 * lacks one of the first three forms. */
int begin_calibration(const struct catalogue *c, begin_add *add, void *context,
		      struct err *e);

/* Mixes of which one is likely to start as many instructions per cycle as
 * the core can: instructions that only use the front end, and mixes that
 * keep every kind of unit busy.  Mixes with a form that the catalogue lacks
 * are left out. */
void begin_width(const struct catalogue *c, begin_add *add, void *context);

#endif
