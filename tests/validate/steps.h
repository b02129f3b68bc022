/* How often each byte of a function's code is executed, by single steps. */
#ifndef TESTS_VALIDATE_STEPS_H
#define TESTS_VALIDATE_STEPS_H

#include "common/types.h"

/* Runs call(context) in a process of its own; hits[i] counts how often the
 * instruction at code + i was executed.  False: it cannot be traced. */
bool steps_count(void (*call)(void *context), void *context, const void *code,
		 size_t n, uint32_t *hits);

#endif
