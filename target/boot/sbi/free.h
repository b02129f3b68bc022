/* Free memory, as UEFI listed it before it was left. */
#ifndef BOOT_SBI_FREE_H
#define BOOT_SBI_FREE_H

#include "target/boot/bare/tree.h"
#include "target/boot/efi/efi.h"

/* Make of a memory map, `bytes` of it in items of `item` bytes, a list of the regions
 * that are free without boot services (UEFI 2.10, 7.2), in its place, sorted, apart
 * from each other.  Returns their number; 0 if the map cannot be read. */
size_t free_list(struct efi_memory *map, uint64_t bytes, uint64_t item);

/* The i-th region that the list does not have: what the map does not list is not
 * free.  False behind the last. */
bool free_gap_at(const struct efi_memory *list, size_t n, size_t i,
		 struct tree_region *ret);

#endif
