/* Facts about the machine from device tree and environment, read once. */
#ifndef BOOT_HART_PLATFORM_H
#define BOOT_HART_PLATFORM_H

#include "common/wire.h"

/* Read the tree at `blob`; `hart` booted.  If `blob` is NULL or damaged, nothing
 * is known. */
void platform_read(const void *blob, uint64_t hart);

/* This hart runs now. */
void platform_enter(uint64_t hart);

/* The hart that booted, and the one that runs. */
uint64_t platform_first(void);
uint64_t platform_hart(void);

/* The i-th hart that the tree enables; without a tree the one that booted.
 * UINT64_MAX: there is none. */
uint64_t platform_hart_at(size_t i);

/* Rate of the `time` CSR, 0 if unknown. */
uint64_t platform_timebase_hz(void);

/* The same number for harts of one kind: of the environment's identity, and the
 * tree's `compatible` and ISA. */
uint64_t platform_kind(void);

/* The boot arguments, or NULL. */
const char *platform_arguments(void);

/* The tree itself, or NULL. */
const void *platform_tree(void);

/* Address of tohost of the tree's HTIF, 0 without one, and of fromhost. */
uint64_t platform_htif(uint64_t *ret_from);

/* hart, harts, memory, board, isa string, firmware. */
void platform_describe(struct wire_line *w);

#endif
