/* Chains of one form and of two, on latencies that depend on the situation. */
#ifndef PLAN_FORWARD_H
#define PLAN_FORWARD_H

#include "host/experiment/experiment.h"

enum { FORWARD_MAX_FORMS = 64 };

/* The short chain of a form's last source.  On some cores, instructions on
 * vector registers have one latency in a short chain and another in a long one.
 * False for other forms: with memory, or with a mask that does not merge. */
bool forward_short(const struct catalogue *c, const struct form *form,
		   struct experiment *ret);

/* The measurable forms of a list of the ISA ("FADD@2>0"; NULL: none), each as
 * its own chain, are appended to the n that are there; returns the new
 * number. */
size_t forward_forms(const struct catalogue *c, const char *const *list,
		     struct experiment ret[FORWARD_MAX_FORMS], size_t n);

/* Are the results of two chains of one form in registers of the same bank and
 * width? */
bool forward_same_registers(const struct catalogue *c,
			    const struct experiment *x,
			    const struct experiment *y);

/* The chain that alternates two of them; false if they are the same, share
 * no register class, or one would read the other's numbers as another type.
 * Its kind is that of `a`. */
bool forward_pair(const struct catalogue *c, const struct experiment *a,
		  const struct experiment *b, struct experiment *ret);

#endif
