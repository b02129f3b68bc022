/* Code before the loop, and its shared state: the vector type, the length,
 * predicates, upper halves.  Forms that need different state cannot be
 * mixed. */
#ifndef GEN_UNITE_H
#define GEN_UNITE_H

#include "host/experiment/experiment.h"

/* Why a mix cannot hold both forms, a constant text; NULL: it can. */
const char *unite_clash(const struct catalogue *c, const struct form *a,
			const struct form *b);

/* Combine the needs of a mix's forms; ERR_INPUT with the reason if they
 * cannot share a kernel.  All other mixes are possible. */
int unite_check(const struct catalogue *c, const struct experiment *x,
		struct err *e);

/* Does it compute on more than 256 bits, possibly in memory? */
bool unite_is_widest(const struct catalogue *c, const struct form *f);

/* Does a step preserve upper bits that another step of the mix writes? */
bool unite_merges(const struct catalogue *c, const struct experiment *x,
		  size_t step);

/* The form whose domain chooses the register image: the first that computes on
 * floats.  The values of integers do not change their cost, but bytes of 1 are
 * unsuitable floats. */
const struct form *unite_domain(const struct experiment *x);

#endif
