/* Firmware that no package has, as an EFI application: started in the place of
 * the runtime, it changes the firmware, then starts \anechoic.efi. */
#ifndef TESTS_QEMU_FIRMWARE_SHIM_H
#define TESTS_QEMU_FIRMWARE_SHIM_H

#include "target/boot/efi/efi.h"

typedef efi_status allocate_fn(unsigned how, unsigned type, uint64_t pages,
			       uint64_t *address);

/* Of each variant: change the firmware; not 0: it could not. */
efi_status shim_install(struct efi_system_table *st);

/* Is this an address of code of the application? */
bool shim_is_application(const void *code);

/* tables.c: the firmware's translation tables.  Set and clear bits in the
 * descriptors of pages; blocks are split.  `allocate`: the firmware's own. */
efi_status tables_change(allocate_fn *allocate, uint64_t from, uint64_t bytes,
			 uint64_t set, uint64_t clear);

#endif
