/* Applies a board's fixups (target/fixup.h). */
#ifndef BOOT_BARE_FIX_H
#define BOOT_BARE_FIX_H

#include "common/wire.h"

/* On each hart that runs, first of all: start it as the board needs (checked
 * tree, or NULL). */
void fix_start(const void *tree);

/* Apply the fixups of the board that the tree (checked, or NULL) describes. */
void fix_board(const void *tree);

/* The fields `chip`, `fixup` and `unread` for INFO, if a fixup was applied. */
void fix_describe(struct wire_line *w);

#endif
