/* Physical addresses.  A system maps pages wherever memory is free, and most
 * caches below the first level choose sets by physical addresses.  So how many
 * lines of a program share a set there depends on chance. */
#ifndef CACHE_PHYSICAL_H
#define CACHE_PHYSICAL_H

#include "common/types.h"

/* The physical number of a virtual line.  `percent` of the pieces of 1 <<
 * `shift` lines, 1 to 100, have a pseudo-random place in physical memory, the
 * same in each run, and the lines of a piece stay in order.  The other pieces
 * lie as in virtual memory.  No two lines have the same number.  To find the
 * number of a line of a scattered piece takes 100 / percent permutations in the
 * mean. */
uint64_t physical_line(uint64_t line, uint32_t shift, uint32_t percent);

#endif
