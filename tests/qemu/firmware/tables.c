/* Descriptors: Arm ARM (DDI 0487), D8.3, for a granule of 4 KiB. */
#include "target/boot/efi/aarch64/registers.h"
#include "tests/qemu/firmware/shim.h"

enum {
	LEVELS = 4,
	ENTRIES = 512,
	PAGE_SHIFT = 12,
	LEVEL_BITS = 9,
	VALID = 1 << 0,
	TABLE = 1 << 1, /* or, at the last level, page */
	DATA_TYPE = 4,  /* EfiBootServicesData */
};

#define ADDRESS UINT64_C(0x0000fffffffff000)

static void flush(void)
{
	__asm__ volatile("dsb ish" : : : "memory");
	if (at_el2())
		__asm__ volatile("tlbi alle2");
	else
		__asm__ volatile("tlbi vmalle1");
	__asm__ volatile("dsb ish\n\tisb" : : : "memory");
}

/* Replace a block descriptor by a table of the same mapping. */
static bool split(allocate_fn *allocate, uint64_t *entry, int level)
{
	int shift = PAGE_SHIFT + LEVEL_BITS * (LEVELS - 2 - level);
	uint64_t block = *entry, address = 0;
	uint64_t *table;

	if (allocate(EFI_ALLOCATE_ANY, DATA_TYPE, 1, &address))
		return false;
	table = (void *)address;
	for (uint64_t i = 0; i < ENTRIES; i++)
		table[i] = (block | i << shift) |
			   (level + 1 == LEVELS - 1 ? TABLE : 0);
	*entry = address | VALID | TABLE;
	flush();
	return true;
}

/* The descriptor of the page at `va`, or NULL. */
static uint64_t *page_of(allocate_fn *allocate, uint64_t va)
{
	uint64_t tcr = at_el2() ? READ("tcr_el2") : READ("tcr_el1");
	uint64_t base = at_el2() ? READ("ttbr0_el2") : READ("ttbr0_el1");
	int bits = 64 - (int)(tcr & 0x3f);
	int level = LEVELS - 1 - (bits - PAGE_SHIFT - 1) / LEVEL_BITS;

	for (uint64_t *table = (void *)(base & ADDRESS);; level++) {
		int shift = PAGE_SHIFT + LEVEL_BITS * (LEVELS - 1 - level);
		uint64_t *entry = &table[va >> shift & (ENTRIES - 1)];

		if (!(*entry & VALID))
			return NULL;
		if (level == LEVELS - 1)
			return entry;
		if (!(*entry & TABLE) && !split(allocate, entry, level))
			return NULL;
		table = (void *)(*entry & ADDRESS);
	}
}

efi_status tables_change(allocate_fn *allocate, uint64_t from, uint64_t bytes,
			 uint64_t set, uint64_t clear)
{
	for (uint64_t va = from; va < from + bytes; va += EFI_PAGE) {
		uint64_t *page = page_of(allocate, va);

		if (!page)
			return EFI_ERROR_BIT | 1;
		*page = (*page & ~clear) | set;
	}
	flush();
	return 0;
}
