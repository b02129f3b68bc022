/* Clocks that only go forward, for durations. */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

#include <stdint.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t monotonic_ns(void);
/* The same in seconds. */
double monotonic_s(void);
/* CPU time of this process in seconds. */
double monotonic_cpu_s(void);

#endif
