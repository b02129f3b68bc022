/* A firmware that keeps memory for code from being both written and executed,
 * on AArch64.  Pages of EfiLoaderCode come as data, and
 * EFI_MEMORY_ATTRIBUTE_PROTOCOL changes what may be done with them, both for
 * real, in the page tables.  Debian's EDK2 is too old to do that itself.
 *
 *	attribute.efi	as above
 *	locked.efi	without the protocol: kernels must fault */
#include "target/boot/efi/aarch64/registers.h"
#include "tests/qemu/firmware/shim.h"

enum {
	READ_ONLY = 1 << 7,
	NATIVE = 0,
};

#define XN_EL2 (UINT64_C(1) << 54)
#define XN_EL1 (UINT64_C(3) << 53)

typedef efi_status install_fn(efi_handle *, const struct efi_guid *,
			      unsigned type, void *interface);

static allocate_fn *firmware_allocate;

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
	return tables_change(firmware_allocate, from, bytes,
			     bits_of(attributes), 0);
}

static efi_status clear(struct efi_memory_attribute *a, uint64_t from,
			uint64_t bytes, uint64_t attributes)
{
	(void)a;
	return tables_change(firmware_allocate, from, bytes, 0,
			     bits_of(attributes));
}

static efi_status allocate(unsigned how, unsigned type, uint64_t pages,
			   uint64_t *address)
{
	efi_status status = firmware_allocate(how, type, pages, address);

	if (status || type != EFI_LOADER_CODE)
		return status;
	return tables_change(firmware_allocate, *address, pages * EFI_PAGE,
			     bits_of(EFI_MEMORY_XP), 0);
}

efi_status shim_install(struct efi_system_table *st)
{
	static const struct efi_guid guid = { 0xf4560cf6,
					      0x40ec,
					      0x4b4a,
					      { 0xa1, 0x92, 0xbf, 0x1d, 0x57,
						0xd0, 0xb1, 0x89 } };
	static struct efi_memory_attribute protocol = { .set = set,
							.clear = clear };
	efi_handle handle = NULL;

	firmware_allocate = st->boot->allocate_pages;
	st->boot->allocate_pages = allocate;
	if (!PROVIDE)
		return 0;
	return ((install_fn *)st->boot->install[0])(&handle, &guid, NATIVE,
						    &protocol);
}
