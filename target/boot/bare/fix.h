/* Applying what a board needs beyond its text file (target/fixup.h). */
#ifndef BOOT_BARE_FIX_H
#define BOOT_BARE_FIX_H

#include "common/wire.h"

/* Apply the fixups of the board that the tree (checked, or NULL) describes. */
void fix_board(const void *tree);

/* The field `fixup` for INFO, where there was one to apply. */
void fix_describe(struct wire_line *w);

#endif
