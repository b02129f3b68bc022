/* The kernels that every run starts with: the solver needs them to interpret
 * all others. */
#ifndef PLAN_BEGIN_H
#define PLAN_BEGIN_H

#include "host/experiment/experiment.h"

typedef void begin_add(void *context, const struct experiment *x);

/* The ISA's two calibration chains and its probe, in this order, then a kernel
 * that keeps wide units awake if the catalogue has its form.  ERR_FAILED when
 * the catalogue lacks one of the first three forms. */
int begin_calibration(const struct catalogue *c, begin_add *add, void *context,
		      struct err *e);

/* Mixes of which at least one should start as many instructions per cycle as
 * the core can: instructions that only use the front end, and mixes that keep
 * every kind of unit busy.  A mix is left out if the catalogue lacks one of its
 * forms. */
void begin_width(const struct catalogue *c, begin_add *add, void *context);

#endif
