/* The instructions of a function that are executed, by single steps. */
#ifndef TESTS_VALIDATE_STEPS_H
#define TESTS_VALIDATE_STEPS_H

#include "common/types.h"

enum { STEPS_MAX = 400000 };

/* Runs call(context) in a process of its own.  order[] are the offsets from
 * `code` of the instructions within n bytes that were executed, *ret_n of them,
 * at most STEPS_MAX.  False: it cannot be traced. */
bool steps_trace(void (*call)(void *context), void *context, const void *code,
		 size_t n, uint32_t *order, size_t *ret_n);

#endif
