/* Front-end slots that an index costs. */
#ifndef PLAN_SLOTS_H
#define PLAN_SLOTS_H

#include "host/experiment/experiment.h"

enum { SLOTS_MIXES = 7 };

/* Mixes of the variant with an index of a form that the ISA names (`at` counts
 * from 0): one and several of it, with several numbers of instructions of one
 * slot each. *ret_form is the form itself.  Returns how many mixes; 0 if the
 * catalogue lacks a form; -1 after the last form. */
int slots_mixes(const struct catalogue *c, size_t at,
		struct experiment ret[SLOTS_MIXES],
		const struct form **ret_form);

#endif
