/* Loads and stores across the end of a cache line or a page. */
#ifndef ISA_STRADDLE_H
#define ISA_STRADDLE_H

#include "host/isa/variant.h"

enum {
	STRADDLE_LINE = 64, /* bytes; longer lines end at multiples of it */
	STRADDLE_PAGE = 4096,
	STRADDLE_MAX_VARIANTS = 2,
};

/* Add the variants of a form that accesses `bytes` bytes, half of them before
 * the boundary.  Adds none unless `bytes` is a power of two from 2 to 64. */
void straddle_variants(unsigned bytes, struct variant_list *ret);

#endif
