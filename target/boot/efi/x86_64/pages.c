/* The size of the firmware's pages: Intel SDM volume 3, 4.5; AMD APM volume 2, 5.3.
 * Long mode always translates, and firmware maps tables where they are. */
#include "target/boot/bare/memory.h"

enum {
	PAGE_SHIFT = 12,
	LEVEL_BITS = 9,
	ENTRIES = 1 << LEVEL_BITS,
	LEVELS = 4,
	CR4_LA57 = 1 << 12, /* five levels */
	PRESENT = 1 << 0,
	LARGE = 1 << 7, /* in the second level from the end, and the third */
	LARGEST = 3,
};

#define TABLE_ADDRESS UINT64_C(0x000ffffffffff000)

uint64_t memory_page_bytes(uint64_t address)
{
	uint64_t entry, cr4;

	__asm__ volatile("mov %%cr3, %0" : "=r"(entry));
	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	for (int left = LEVELS + !!(cr4 & CR4_LA57); left > 0; left--) {
		const uint64_t *table =
			(const void *)(uintptr_t)(entry & TABLE_ADDRESS);
		int shift = PAGE_SHIFT + LEVEL_BITS * (left - 1);

		entry = table[address >> shift & (ENTRIES - 1)];
		if (!(entry & PRESENT))
			return 0;
		if (left == 1 || (left <= LARGEST && (entry & LARGE)))
			return UINT64_C(1) << shift;
	}
	return 0;
}
