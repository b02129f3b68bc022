/* Physical addresses.  A system maps pages wherever memory is free, and most
 * caches below the first level choose sets by physical addresses.  So how many
 * lines of a program share a set there depends on chance. */
#ifndef CACHE_PHYSICAL_H
#define CACHE_PHYSICAL_H

#include "common/types.h"

/* The physical number of a virtual line.  Each piece of 1 << `shift` lines has a
 * pseudo-random place in physical memory, the same in each run, and its lines stay in order.
 * No two lines have the same number. */
uint64_t physical_line(uint64_t line, uint32_t shift);

#endif
