/* Data memory of a machine without a system: from the firmware, or from what the
 * device tree leaves free. */
#ifndef BOOT_BARE_MEMORY_H
#define BOOT_BARE_MEMORY_H

#include "common/types.h"

enum { MEMORY_ALIGN = 2 << 20 };

/* n bytes at a multiple of MEMORY_ALIGN, readable and writable at their physical
 * address, with any content; NULL: there are none.  The bytes of the last call are
 * given back first; if n is 0, none are taken, and what is returned has no meaning. */
void *memory_take(size_t n);

/* Bytes of the same memory that code and the next packs take. */
extern const size_t memory_for_code;

/* Bytes of the page, or block of pages, that maps an address; 0: not known, or
 * nothing is translated. */
uint64_t memory_page_bytes(uint64_t address);

#endif
