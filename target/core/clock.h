/* Durations for waits and watchdogs, in ticks of the REF clock. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include "target/arch.h"

/* Ask the architecture for the rate once; it may have to calibrate. */
void clock_init(void);

/* Ticks per second as the architecture told it, 0 if unknown. */
uint64_t clock_hz(void);

/* Ticks in a duration, at least 1.  Where the rate is unknown a tick is taken
 * for a nanosecond: durations are then guesses, measurements are not. */
uint64_t clock_ticks(uint64_t ns);

#endif
