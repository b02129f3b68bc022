/* Layouts: the distance between the accesses of a kernel, and whether each lies
 * across the end of a cache line or a page. */
#ifndef ISA_LAYOUT_H
#define ISA_LAYOUT_H

#include "host/isa/isa.h"
#include "host/isa/variant.h"

enum layout {
	LAYOUT_USUAL,       /* the form's own layout, see below */
	LAYOUT_CONSECUTIVE, /* each behind the one before */
	LAYOUT_LINES,       /* each access in another line and another bank */
	LAYOUT_ONE_PLACE,   /* all in one place */
};

enum {
	LAYOUT_LINE = 64, /* bytes; longer lines end at multiples of it */
	LAYOUT_PAGE = 4096,
};

/* Bytes from one access to the next. */
unsigned layout_step(const struct form *f);

/* Add the other layouts of a form that isa_memory.layouts names; and of one
 * that straddles (isa.straddles) with a power of two of bytes, from 2 to 64,
 * the variants with half of them before the end of a line and of a page. */
void layout_variants(const struct isa *isa, const struct form *f,
		     struct variant_list *ret);

#endif
