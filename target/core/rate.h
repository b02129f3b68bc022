/* Rate of the REF clock if no source gives it. */
#ifndef CORE_RATE_H
#define CORE_RATE_H

#include "common/types.h"

/* Ticks of arch_ref_now() in a second of boot_time_ns(), from two
 * milliseconds.  The error is at most the time to read the environment's clock:
 * half a microsecond of two milliseconds is 0.03 %. */
uint64_t rate_measure(void);

#endif
