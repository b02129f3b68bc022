/* What a latency alone does not tell: how it is while few instances wait, and
 * how it is when another form reads the result. */
#ifndef PLAN_FORWARD_H
#define PLAN_FORWARD_H

#include "host/experiment/experiment.h"

enum { FORWARD_MAX_FORMS = 64 };

/* The short chain of a form, where schedulers are known to give two true
 * latencies: vector registers, no memory, no mask unless it merges.  Of its
 * last source. */
bool forward_short(const struct catalogue *c, const struct form *form,
		   struct experiment *ret);

/* The forms of the ISA's list that can be measured, each as its own chain. */
size_t forward_forms(const struct catalogue *c,
		     struct experiment ret[FORWARD_MAX_FORMS]);

/* The chain of a form that computes on floating-point numbers and is not among
 * these; integers would become numbers that cores are slow to add. */
bool forward_other(const struct catalogue *c, const struct form *form,
		   const struct experiment *forms, size_t n,
		   struct experiment *ret);

/* Those that every other form is tried with: the first two of each class of
 * registers and type of numbers, none of which waits for its own kind as it
 * does for the other.  How many. */
size_t forward_references(const struct catalogue *c,
			  struct experiment ret[FORWARD_MAX_FORMS]);

/* Chains of the form at this place, one behind the other; false when a form
 * before it has the same class of registers. */
bool forward_queue(const struct catalogue *c, const struct experiment *forms,
		   size_t at, struct experiment *ret);

/* The chain that takes turns between two of them; false when they are one, no
 * register is of both, or one would read the other's numbers as those of
 * another type. */
bool forward_pair(const struct catalogue *c, const struct experiment *a,
		  const struct experiment *b, struct experiment *ret);

#endif
