/* Mixes of loads and stores. */
#ifndef PLAN_STREAMS_H
#define PLAN_STREAMS_H

#include "host/experiment/experiment.h"

enum { STREAMS_MAX = 4 };

/* Mixes of a plain store and a plain load as wide, of those the ISA names, in
 * the shares that loops have; `at` counts the ISA's list from 0.  Returns how
 * many, 0 where the catalogue lacks one of the two; -1 behind the last. */
int streams_mixes(const struct catalogue *c, size_t at,
		  struct experiment ret[STREAMS_MAX]);

#endif
