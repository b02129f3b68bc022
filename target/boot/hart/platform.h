/* Facts about the machine from device tree and environment, read once. */
#ifndef BOOT_HART_PLATFORM_H
#define BOOT_HART_PLATFORM_H

#include "common/wire.h"

/* Read the tree at `blob` for this hart.  If `blob` is NULL or damaged, nothing
 * is known. */
void platform_read(const void *blob, uint64_t hart);

/* Rate of the `time` CSR, 0 if unknown. */
uint64_t platform_timebase_hz(void);

/* Does the tree enable a hart of this number? */
bool platform_has_hart(uint64_t hart);

/* The boot arguments, or NULL. */
const char *platform_arguments(void);

/* The tree itself, or NULL. */
const void *platform_tree(void);

/* Address of tohost of the tree's HTIF, 0 without one, and of fromhost. */
uint64_t platform_htif(uint64_t *ret_from);

/* hart, harts, memory, board, isa string, firmware. */
void platform_describe(struct wire_line *w);

#endif
