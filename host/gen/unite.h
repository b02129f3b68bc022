/* Forms that share a kernel share what is set up before its loop: the vector
 * type, the length, predicates, upper halves.  What cannot be united is no
 * mix. */
#ifndef GEN_UNITE_H
#define GEN_UNITE_H

#include "host/experiment/experiment.h"

/* ERR_INPUT with the reason when the forms of a mix cannot stand in one
 * kernel.  Everything else stands. */
int unite_check(const struct catalogue *c, const struct experiment *x,
		struct err *e);

/* Does the form use more than the lowest 128 bits of a vector register? */
bool unite_is_wide(const struct catalogue *c, const struct form *f);

/* Does it compute on more than 256 of them, of which memory may be all? */
bool unite_is_widest(const struct catalogue *c, const struct form *f);

/* Do the results of a step merge with what another step of the mix left above
 * them? */
bool unite_merges(const struct catalogue *c, const struct experiment *x,
		  size_t step);

/* The form whose domain decides what all registers hold: the first that
 * computes on floats, for integers are added as fast whatever they are, and
 * bytes of 1 are no good floats. */
const struct form *unite_domain(const struct experiment *x);

#endif
