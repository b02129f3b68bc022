/* Controls of forms that are slow to decode: they show whether decoding limited
 * the throughput. */
#ifndef PLAN_DECODE_H
#define PLAN_DECODE_H

#include "host/experiment/experiment.h"

enum { DECODE_MAX = 2 };

/* Independent instances of the form in bodies that no cache holds, and of
 * the same form without the prefix.  Returns how many; 0 for all other
 * forms. */
size_t decode_controls(const struct catalogue *c, const struct form *form,
		       struct experiment ret[DECODE_MAX]);

#endif
