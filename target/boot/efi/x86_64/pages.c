/* The size of the firmware's pages: Intel SDM volume 3, 4.5; AMD APM volume 2, 5.3.
 * Long mode always translates, and firmware maps tables where they are. */
#include "target/arch/x86_64/cpu.h"
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
	EAX_SME_OR_SEV = 3,
	EBX_BIT = 0x3f,
	LEAST_WIDTH = 36, /* bits of a physical address */
	MOST_WIDTH = 52,
};

#define LEAF_MAX_EXTENDED 0x80000000u
#define LEAF_WIDTHS       0x80000008u
#define LEAF_ENCRYPTION   0x8000001fu

/* The bits of an entry that are an address: as wide as physical ones, without the
 * bit that says that memory is encrypted (AMD APM volume 2, 7.10 and 15.34).
 * A guest's tables have it set, and its address is elsewhere. */
static uint64_t address_mask(void)
{
	uint32_t last = cpuid(LEAF_MAX_EXTENDED).r[EAX];
	unsigned width =
		last < LEAF_WIDTHS ? 0 : cpuid(LEAF_WIDTHS).r[EAX] & 0xff;
	uint64_t mask;

	width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
	width = width > MOST_WIDTH ? MOST_WIDTH : width;
	mask = (UINT64_C(1) << width) - (UINT64_C(1) << PAGE_SHIFT);
	if (last >= LEAF_ENCRYPTION) {
		struct cpuid c = cpuid(LEAF_ENCRYPTION);

		if (c.r[EAX] & EAX_SME_OR_SEV)
			mask &= ~(UINT64_C(1) << (c.r[EBX] & EBX_BIT));
	}
	return mask;
}

uint64_t memory_page_bytes(uint64_t address)
{
	uint64_t mask = address_mask(), entry, cr4;

	__asm__ volatile("mov %%cr3, %0" : "=r"(entry));
	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	for (int left = LEVELS + !!(cr4 & CR4_LA57); left > 0; left--) {
		const uint64_t *table = (const void *)(uintptr_t)(entry & mask);
		int shift = PAGE_SHIFT + LEVEL_BITS * (left - 1);

		entry = table[address >> shift & (ENTRIES - 1)];
		if (!(entry & PRESENT))
			return 0;
		if (left == 1 || (left <= LARGEST && (entry & LARGE)))
			return UINT64_C(1) << shift;
	}
	return 0;
}
