/* Durations for waits and watchdogs, in ticks of the REF clock. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include "target/arch.h"

/* Find rate and step once; the architecture may have to calibrate. */
void clock_init(void);

/* Ticks per second according to the architecture, 0 if unknown. */
uint64_t clock_hz(void);

/* Ticks in a duration, at least 1.  Where the rate is unknown a tick is taken
 * for a nanosecond: durations are then guesses, measurements are not. */
uint64_t clock_ticks(uint64_t ns);

/* Ticks the REF clock advances by at a time: more than one where it is read
 * from something slower than it pretends to be. */
uint64_t clock_step(void);

#endif
