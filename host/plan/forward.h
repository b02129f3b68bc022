/* Experiments on latencies that depend on the situation: while few instances
 * wait, and with another form as reader. */
#ifndef PLAN_FORWARD_H
#define PLAN_FORWARD_H

#include "host/experiment/experiment.h"

enum { FORWARD_MAX_FORMS = 64 };

/* The short chain of a form's last source, if schedulers are known to give
 * such forms two true latencies: vector registers, no memory, no mask unless
 * it merges. */
bool forward_short(const struct catalogue *c, const struct form *form,
		   struct experiment *ret);

/* The measurable forms of the ISA's list, each as its own chain. */
size_t forward_forms(const struct catalogue *c,
		     struct experiment ret[FORWARD_MAX_FORMS]);

/* The chain of a form on floating-point numbers that is not on the list;
 * integers would become numbers that cores are slow to add. */
bool forward_other(const struct catalogue *c, const struct form *form,
		   const struct experiment *forms, size_t n,
		   struct experiment *ret);

/* The floating-point forms that every other form alternates with: the first
 * two of each class of registers and type of numbers.  Returns how many. */
size_t forward_references(const struct catalogue *c,
			  struct experiment ret[FORWARD_MAX_FORMS]);

/* Consecutive chains of the form at this place; false if an earlier form has
 * the same class of registers. */
bool forward_queue(const struct catalogue *c, const struct experiment *forms,
		   size_t at, struct experiment *ret);

/* The measurable forms of the ISA's list for forward_written(). */
size_t forward_written_forms(const struct catalogue *c,
			     struct experiment ret[FORWARD_MAX_FORMS]);

/* The chain of `a` whose other source is a result of `b`; false if `a` has no other
 * source, they are the same form, share no register class, or one would read the
 * other's numbers as another type. */
bool forward_written(const struct catalogue *c, const struct experiment *a,
		     const struct experiment *b, struct experiment *ret);

/* The chain that alternates two of them; false if they are the same, share
 * no register class, or one would read the other's numbers as another type. */
bool forward_pair(const struct catalogue *c, const struct experiment *a,
		  const struct experiment *b, struct experiment *ret);

#endif
