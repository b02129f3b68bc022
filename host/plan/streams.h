/* Mixes of loads and stores. */
#ifndef PLAN_STREAMS_H
#define PLAN_STREAMS_H

#include "host/experiment/experiment.h"

enum { STREAMS_MAX = 4 };

/* Mixes of a plain store and a plain load of the same width, from the ISA's
 * list (`at` counts from 0), in proportions that are common in loops. Returns
 * how many mixes; 0 if the catalogue lacks one of the two; -1 after the last
 * pair. */
int streams_mixes(const struct catalogue *c, size_t at,
		  struct experiment ret[STREAMS_MAX]);

#endif
