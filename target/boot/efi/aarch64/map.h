/* Access to the registers of devices. */
#ifndef BOOT_EFI_AARCH64_MAP_H
#define BOOT_EFI_AARCH64_MAP_H

#include "common/wire.h"

/* Make the page at `address` accessible as device memory; *ret_by: who mapped
 * it, in a word: firmware, runtime, none. */
bool map_device(uint64_t address, const char **ret_by);

/* Add `uart_map` to INFO: firmware, runtime, or none (it is not accessible);
 * nothing if no UART is named. */
void map_describe(struct wire_line *w);

#endif
