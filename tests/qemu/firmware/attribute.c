/* A firmware that keeps memory for code from being both written and executed,
 * on AArch64: started in the place of the application, it puts itself between
 * the firmware and \anechoic.efi.  Pages of EfiLoaderCode come as data, and
 * EFI_MEMORY_ATTRIBUTE_PROTOCOL changes what may be done with them, both for
 * real, in the page tables.  Debian's EDK2 is too old to do that itself.
 *
 *	attribute.efi	as above
 *	locked.efi	without the protocol: kernels must fault
 *
 * Descriptors: Arm ARM (DDI 0487), D8.3, for a granule of 4 KiB. */
#include "target/boot/efi/efi.h"

enum {
	LEVELS = 4,
	ENTRIES = 512,
	PAGE_SHIFT = 12,
	LEVEL_BITS = 9,
	VALID = 1 << 0,
	TABLE = 1 << 1, /* or, at the last level, page */
	READ_ONLY = 1 << 7,
	EL2 = 2 << 2,
	DATA_TYPE = 4, /* EfiBootServicesData */
	NATIVE = 0,
	MAX_IMAGE = 8 << 20,
};

#define ADDRESS UINT64_C(0x0000fffffffff000)
#define XN_EL2  (UINT64_C(1) << 54)
#define XN_EL1  (UINT64_C(3) << 53)
#define READ(name)                                                \
	({                                                        \
		uint64_t value_;                                  \
		__asm__ volatile("mrs %0, " name : "=r"(value_)); \
		value_;                                           \
	})

typedef efi_status install_fn(efi_handle *, const struct efi_guid *,
			      unsigned type, void *interface);
typedef efi_status load_fn(uint8_t policy, efi_handle parent, const void *path,
			   const void *bytes, uint64_t n, efi_handle *ret);
typedef efi_status start_fn(efi_handle, uint64_t *n, uint16_t **data);
typedef efi_status allocate_fn(unsigned how, unsigned type, uint64_t pages,
			       uint64_t *address);

static struct {
	allocate_fn *allocate; /* the firmware's own */
	unsigned char image[MAX_IMAGE];
} shim;

efi_status efi_main(efi_handle image, struct efi_system_table *st);

static bool at_el2(void)
{
	return READ("CurrentEL") == EL2;
}

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
static bool split(uint64_t *entry, int level)
{
	int shift = PAGE_SHIFT + LEVEL_BITS * (LEVELS - 2 - level);
	uint64_t block = *entry, address = 0;
	uint64_t *table;

	if (shim.allocate(EFI_ALLOCATE_ANY, DATA_TYPE, 1, &address))
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
static uint64_t *page_of(uint64_t va)
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
		if (!(*entry & TABLE) && !split(entry, level))
			return NULL;
		table = (void *)(*entry & ADDRESS);
	}
}

static efi_status change(uint64_t from, uint64_t bytes, uint64_t set,
			 uint64_t clear)
{
	for (uint64_t va = from; va < from + bytes; va += EFI_PAGE) {
		uint64_t *page = page_of(va);

		if (!page)
			return EFI_ERROR_BIT | 1;
		*page = (*page & ~clear) | set;
	}
	flush();
	return 0;
}

static uint64_t bits_of(uint64_t attributes)
{
	uint64_t xn = at_el2() ? XN_EL2 : XN_EL1;

	return (attributes & EFI_MEMORY_XP ? xn : 0) |
	       (attributes & EFI_MEMORY_RO ? READ_ONLY : 0);
}

static efi_status set(struct efi_memory_attribute *a, uint64_t from,
		      uint64_t bytes, uint64_t attributes)
{
	(void)a;
	return change(from, bytes, bits_of(attributes), 0);
}

static efi_status clear(struct efi_memory_attribute *a, uint64_t from,
			uint64_t bytes, uint64_t attributes)
{
	(void)a;
	return change(from, bytes, 0, bits_of(attributes));
}

static efi_status allocate(unsigned how, unsigned type, uint64_t pages,
			   uint64_t *address)
{
	efi_status status = shim.allocate(how, type, pages, address);

	if (status || type != EFI_LOADER_CODE)
		return status;
	return change(*address, pages * EFI_PAGE, bits_of(EFI_MEMORY_XP), 0);
}

static efi_status read_image(struct efi_system_table *st, efi_handle device,
			     uint64_t *ret_bytes)
{
	static const struct efi_guid guid = { 0x964e5b22,
					      0x6459,
					      0x11d2,
					      { 0x8e, 0x39, 0x00, 0xa0, 0xc9,
						0x69, 0x72, 0x3b } };
	struct efi_file_system *fs;
	struct efi_file *root, *f;
	efi_status status;
	void *p;

	status = st->boot->handle_protocol(device, &guid, &p);
	if (status)
		return status;
	fs = p;
	status = fs->open_volume(fs, &root);
	if (status)
		return status;
	status = root->open(root, &f, (const uint16_t *)u"\\anechoic.efi",
			    EFI_FILE_READ, 0);
	if (status)
		return status;
	*ret_bytes = sizeof(shim.image);
	return f->read(f, ret_bytes, shim.image);
}

static efi_status install(struct efi_system_table *st)
{
	static const struct efi_guid guid = { 0xf4560cf6,
					      0x40ec,
					      0x4b4a,
					      { 0xa1, 0x92, 0xbf, 0x1d, 0x57,
						0xd0, 0xb1, 0x89 } };
	static struct efi_memory_attribute protocol = { .set = set,
							.clear = clear };
	efi_handle handle = NULL;

	if (!PROVIDE)
		return 0;
	return ((install_fn *)st->boot->install[0])(&handle, &guid, NATIVE,
						    &protocol);
}

efi_status efi_main(efi_handle image, struct efi_system_table *st)
{
	static const struct efi_guid loaded = { 0x5b1b31a1,
						0x9562,
						0x11d2,
						{ 0x8e, 0x3f, 0x00, 0xa0, 0xc9,
						  0x69, 0x72, 0x3b } };
	struct efi_loaded_image *own, *other;
	efi_handle handle = NULL;
	efi_status status;
	uint64_t n;
	void *p;

	status = st->boot->handle_protocol(image, &loaded, &p);
	if (status)
		return status;
	own = p;
	status = read_image(st, own->device, &n);
	if (!status)
		status = ((load_fn *)st->boot->image[0])(
			0, image, NULL, shim.image, n, &handle);
	if (!status)
		status = st->boot->handle_protocol(handle, &loaded, &p);
	if (status)
		return status;
	other = p;
	other->device = own->device;
	shim.allocate = st->boot->allocate_pages;
	st->boot->allocate_pages = allocate;
	status = install(st);
	if (status)
		return status;
	return ((start_fn *)st->boot->image[1])(handle, NULL, NULL);
}
