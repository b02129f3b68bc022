/* The numbers that the maker of this machine's core gave it. */
#ifndef ISA_NUMBERS_HERE_H
#define ISA_NUMBERS_HERE_H

#include "host/isa/facts.h"

/* Of the first processor that the kernel lists.  All words are NULL where the
 * system does not tell.  Owned by `a`. */
struct core_identity numbers_here(struct arena *a);

#endif
