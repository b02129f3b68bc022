/* Device memory on AArch64.  Firmware may map a UART's registers for itself
 * only while it uses them, or not at all: then the runtime adds a page to the
 * firmware's translation tables.  What is mapped stays as it is: changing it
 * could take the ground from under the firmware.  Descriptors: Arm ARM (DDI
 * 0487), D8.3, for a granule of 4 KiB. */
#include "target/boot/efi/machine.h"

#include <string.h>

#include "target/boot/bare/memory.h"
#include "target/boot/efi/aarch64/map.h"
#include "target/boot/efi/aarch64/registers.h"

enum {
	LAST_LEVEL = 3,
	PAGE_SHIFT = 12,
	LEVEL_BITS = 9,
	ENTRIES = 1 << LEVEL_BITS,
	VALID = 1 << 0,
	TABLE = 1 << 1, /* or, at the last level, page */
	INDEX_SHIFT = 2,
	AP_EL0_OR_RES1 = 1 << 6,
	OUTER_SHAREABLE = 2 << 8,
	ACCESSED = 1 << 10,
	SCTLR_M = 1 << 0, /* translation is on */
	TCR_SIZE_MASK = 0x3f,
	TCR_GRANULE_SHIFT = 14,
	TCR_GRANULE_MASK = 3,
	PAR_FAILED = 1 << 0,
	PAR_ATTRIBUTE_SHIFT = 56,
	MAIR_ATTRIBUTES = 8,
	ATTRIBUTE_DEVICE_MASK = 0xf0, /* 0: one of the kinds of device memory */
	ATTRIBUTE_NGNRE = 0x04,       /* device, acknowledged early */
};

#define TABLE_ADDRESS UINT64_C(0x0000fffffffff000)
#define XN            (UINT64_C(1) << 54)
#define CONTIGUOUS    (UINT64_C(1) << 52)
#define PXN           (UINT64_C(1) << 53)
#define TCR_EL1_DS    (UINT64_C(1) << 59)
#define TCR_EL2_DS    (UINT64_C(1) << 32)

static struct {
	const char *by; /* who mapped the UART, or NULL: not asked for */
} map;

/* Result of a translation for writing, PAR_EL1. */
static uint64_t translate(uint64_t address)
{
	uint64_t daif = READ("daif"), par;

	__asm__ volatile("msr daifset, #0xf" : : : "memory");
	if (at_el2())
		__asm__ volatile("at s1e2w, %0\n\tisb" : : "r"(address));
	else
		__asm__ volatile("at s1e1w, %0\n\tisb" : : "r"(address));
	par = READ("par_el1");
	WRITE("daif", daif);
	return par;
}

static bool is_writable(uint64_t address)
{
	return !(translate(address) & PAR_FAILED);
}

static bool is_device(uint64_t address)
{
	uint64_t par = translate(address);

	return !(par & PAR_FAILED) &&
	       !(par >> PAR_ATTRIBUTE_SHIFT & ATTRIBUTE_DEVICE_MASK);
}

/* Index of a kind of device memory in MAIR, or -1. */
static int device_index(void)
{
	uint64_t mair = at_el2() ? READ("mair_el2") : READ("mair_el1");

	for (int i = 0; i < MAIR_ATTRIBUTES; i++, mair >>= 8)
		if ((mair & 0xff) == 0 || (mair & 0xff) == ATTRIBUTE_NGNRE)
			return i;
	return -1;
}

/* Two ranges of addresses, of EL2 and EL0, as EL1 has them? */
static bool has_el1_layout(void)
{
	return !at_el2() || (READ("hcr_el2") & HCR_E2H);
}

/* Bits of a virtual address; 0 if the tables have another format. */
static int address_bits(void)
{
	uint64_t tcr = at_el2() ? READ("tcr_el2") : READ("tcr_el1");
	uint64_t wide = has_el1_layout() ? TCR_EL1_DS : TCR_EL2_DS;

	if ((tcr >> TCR_GRANULE_SHIFT & TCR_GRANULE_MASK) || (tcr & wide))
		return 0;
	return 64 - (int)(tcr & TCR_SIZE_MASK);
}

/* The table's walker may not look into caches. */
static void put_entry(uint64_t *entry, uint64_t value)
{
	*(volatile uint64_t *)entry = value;
	__asm__ volatile("dc civac, %0\n\tdsb ish\n\tisb"
			 :
			 : "r"(entry)
			 : "memory");
}

static bool add_table(uint64_t *entry)
{
	uint64_t address = 0;
	uint64_t *table;

	if (!is_writable((uintptr_t)entry) ||
	    machine_system()->boot->allocate_pages(
		    EFI_ALLOCATE_ANY, EFI_BOOT_SERVICES_DATA, 1, &address))
		return false;
	table = (void *)(uintptr_t)address;
	for (int i = 0; i < ENTRIES; i++)
		put_entry(&table[i], 0);
	put_entry(entry, address | VALID | TABLE);
	return true;
}

/* The table of the first level, whose number is in *ret_level; NULL: it has another
 * format, or the address is beyond it. */
static uint64_t *root(uint64_t va, int *ret_level)
{
	uint64_t base = at_el2() ? READ("ttbr0_el2") : READ("ttbr0_el1");
	int bits = address_bits();

	if (bits <= PAGE_SHIFT || va >> bits)
		return NULL;
	*ret_level = LAST_LEVEL - (bits - PAGE_SHIFT - 1) / LEVEL_BITS;
	return *ret_level < 0 ? NULL
			      : (void *)(uintptr_t)(base & TABLE_ADDRESS);
}

static int level_shift(int level)
{
	return PAGE_SHIFT + LEVEL_BITS * (LAST_LEVEL - level);
}

/* A block at this level, or a page, is not marked as part of a larger one. */
uint64_t memory_page_bytes(uint64_t va)
{
	int level;
	uint64_t *table = root(va, &level);
	bool on = at_el2() ? READ("sctlr_el2") & SCTLR_M
			   : READ("sctlr_el1") & SCTLR_M;

	for (; on && table; level++) {
		uint64_t entry =
			table[va >> level_shift(level) & (ENTRIES - 1)];

		if (!(entry & VALID) || (entry & CONTIGUOUS))
			return 0;
		if (level == LAST_LEVEL || !(entry & TABLE))
			return UINT64_C(1) << level_shift(level);
		table = (void *)(uintptr_t)(entry & TABLE_ADDRESS);
	}
	return 0;
}

/* The invalid descriptor of the address's page; NULL if there is none. */
static uint64_t *free_entry(uint64_t va)
{
	int level;
	uint64_t *table = root(va, &level);

	for (; table; level++) {
		uint64_t *entry =
			&table[va >> level_shift(level) & (ENTRIES - 1)];

		if (level == LAST_LEVEL)
			return *entry & VALID ? NULL : entry;
		if (!(*entry & VALID) && !add_table(entry))
			return NULL;
		if (!(*entry & TABLE))
			return NULL; /* a block, which is valid */
		table = (void *)(uintptr_t)(*entry & TABLE_ADDRESS);
	}
	return NULL;
}

static bool add_page(uint64_t va)
{
	int index = device_index();
	uint64_t *entry = index < 0 ? NULL : free_entry(va);
	uint64_t bits = has_el1_layout() ? XN | PXN : XN | AP_EL0_OR_RES1;

	if (!entry || !is_writable((uintptr_t)entry))
		return false;
	put_entry(entry,
		  (va & TABLE_ADDRESS) | bits | ACCESSED | OUTER_SHAREABLE |
			  (uint64_t)index << INDEX_SHIFT | TABLE | VALID);
	return true;
}

bool map_device(uint64_t address, const char **ret_by)
{
	*ret_by = "firmware";
	if (is_device(address))
		return true;
	*ret_by = "runtime";
	if (add_page(address) && is_device(address))
		return true;
	*ret_by = "none";
	return false;
}

/* Called again for each console that is tried: the first answer stays. */
bool machine_map(uint64_t address)
{
	const char *by;
	bool mapped = map_device(address, &by);

	if (!map.by)
		map.by = by;
	return mapped;
}

void map_describe(struct wire_line *w)
{
	if (map.by)
		wire_word(w, "uart_map", map.by);
}
