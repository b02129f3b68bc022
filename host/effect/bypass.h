/* What the file of this effect offers to tests. */
#ifndef EFFECT_BYPASS_H
#define EFFECT_BYPASS_H

#include "host/experiment/experiment.h"

enum { BYPASS_MAX_REFERENCES = 24 };

/* The chain of a form on floating-point numbers that is not one of the n on the
 * list; integers would become numbers that cores are slow to add.  False: it
 * has none. */
bool bypass_other(const struct catalogue *c, const struct form *form,
		  const struct experiment *forms, size_t n,
		  struct experiment *ret);

/* The floating-point forms that each form that is not on the list alternates
 * with: the first two of each class of registers and type of numbers.  Returns
 * how many. */
size_t bypass_references(const struct catalogue *c,
			 struct experiment ret[BYPASS_MAX_REFERENCES]);

#endif
