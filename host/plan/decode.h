/* Beside forms that are slow to decode: what tells whether they were decoded.
 */
#ifndef PLAN_DECODE_H
#define PLAN_DECODE_H

#include "host/experiment/experiment.h"

enum { DECODE_MAX = 2 };

/* Independent instances of the form in bodies that no cache holds, and of its
 * like without the prefix, as controls: how many, 0 for all other forms. */
size_t decode_controls(const struct catalogue *c, const struct form *form,
		       struct experiment ret[DECODE_MAX]);

#endif
