/* A clock that only goes forward, for durations. */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

#include <stdint.h>

/* Nanoseconds, or seconds, of CLOCK_MONOTONIC. */
uint64_t monotonic_ns(void);
double monotonic_s(void);

#endif
