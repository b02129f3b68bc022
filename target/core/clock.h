/* Durations for waits and watchdogs, in ticks of the REF clock. */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include "target/arch.h"

/* Find rate and step once; the architecture may have to calibrate. */
void clock_init(void);

/* Ticks per second according to the architecture, 0 if unknown. */
uint64_t clock_hz(void);

/* Ticks in a duration, at least 1.  If the rate is unknown, a tick is taken as
 * a nanosecond: then durations are guesses; measurements are not affected. */
uint64_t clock_ticks(uint64_t ns);

/* Ticks by which the REF clock advances at a time: more than one if its source
 * is slower than its nominal rate. */
uint64_t clock_step(void);

#endif
