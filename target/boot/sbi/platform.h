/* What the device tree and the firmware say about the machine, read once. */
#ifndef BOOT_SBI_PLATFORM_H
#define BOOT_SBI_PLATFORM_H

#include "common/wire.h"

/* A ns16550-compatible UART, as the tree describes it. */
struct platform_uart {
	uint64_t address; /* 0: none named */
	uint32_t shift;   /* registers are 1 << shift bytes apart */
	uint32_t width;   /* bytes of one access: 1 or 4 */
};

/* Read the tree at `blob` (may be NULL or damaged: then nothing is known)
 * for the hart this runs on. */
void platform_read(const void *blob, uint64_t hart);

/* Rate of the `time` CSR, 0 if unknown. */
uint64_t platform_timebase_hz(void);

const struct platform_uart *platform_uart(void);

/* Does the tree enable a hart of this number? */
bool platform_has_hart(uint64_t hart);

/* The boot arguments, or NULL. */
const char *platform_arguments(void);

/* Bytes [*ret_from, *ret_to) the tree itself occupies. */
void platform_tree(uintptr_t *ret_from, uintptr_t *ret_to);

/* hart, harts, board, isa string, firmware. */
void platform_describe(struct wire_line *w);

#endif
