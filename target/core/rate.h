/* How fast the REF clock ticks, where nothing says so. */
#ifndef CORE_RATE_H
#define CORE_RATE_H

#include "common/types.h"

/* Ticks of arch_ref_now() in a second of boot_time_ns(), from two
 * milliseconds.  Off by the time that a read of the environment's clock takes
 * at most: a half microsecond of two milliseconds is 0.03 %. */
uint64_t rate_measure(void);

#endif
