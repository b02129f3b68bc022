/* What an image was made for, which the host wrote into its slot. */
#ifndef BOOT_BARE_ABOUT_H
#define BOOT_BARE_ABOUT_H

#include "common/wire.h"

/* Add the fields of the n bytes at `about` (common/slot.h) to INFO.  A list that
 * has no end adds what is whole; a field that does not fit in the line is left out. */
void about_describe(struct wire_line *w, const char *about, size_t n);

#endif
