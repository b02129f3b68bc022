/* Entry from EFI firmware (U-Boot's bootefi, EDK2): find the arguments of the
 * raw entry, leave the firmware, and continue as from the raw entry. */
#include "target/boot/efi/efi.h"

#include "target/boot/bare/tree.h"
#include "target/boot/hart/env.h"
#include "target/boot/relocate.h"

efi_status efi_entry(efi_handle image, struct efi_system_table *st);
void raw_entry(uint64_t hart, const void *tree) __attribute__((noreturn));

/* RISC-V UEFI protocol specification 1.0, chapter 3. */
struct riscv_boot_protocol {
	uint64_t revision;
	efi_status(EFIAPI *boot_hart)(struct riscv_boot_protocol *,
				      uint64_t *ret_hart);
};

enum {
	MAP_BYTES = 32768,
	MAP_TRIES = 4,
};

static struct {
	_Alignas(8) unsigned char map[MAP_BYTES];
	uint64_t bytes, item; /* of it; 0 bytes: another door */
} leave;

static uint64_t boot_hart(const struct efi_system_table *st, const void *tree)
{
	static const struct efi_guid guid = { 0xccd15fec,
					      0x6f73,
					      0x4eec,
					      { 0x83, 0x95, 0x3e, 0x69, 0xe4,
						0xb9, 0x40, 0xbf } };
	void *p = NULL;
	uint64_t hart = 0;

	if (st->boot->locate_protocol(&guid, NULL, &p) == 0) {
		struct riscv_boot_protocol *b = p;

		if (b->boot_hart(b, &hart) == 0)
			return hart;
	}
	/* Older firmware has the hart in the tree. */
	if (!tree_check(tree))
		return 0;
	return tree_number(tree, tree_find(tree, "/chosen"), "boot-hartid", 0);
}

/* The memory map must not change between the two calls; firmware may still
 * change it once or twice. */
static efi_status exit_boot_services(const struct efi_system_table *st,
				     efi_handle image)
{
	efi_status status = EFI_ERROR_BIT;

	for (int i = 0; i < MAP_TRIES && status; i++) {
		uint64_t key;
		uint32_t version;

		leave.bytes = MAP_BYTES;
		status = st->boot->get_memory_map(&leave.bytes, leave.map, &key,
						  &leave.item, &version);
		if (status)
			return status;
		status = st->boot->exit_boot_services(image, key);
	}
	return status;
}

/* Firmware that has gone needs its memory no more (UEFI 2.10, 7.2). */
static bool is_free(uint32_t type)
{
	return type == EFI_CONVENTIONAL || type == EFI_BOOT_SERVICES_CODE ||
	       type == EFI_BOOT_SERVICES_DATA;
}

bool env_reserved_at(size_t i, struct tree_region *ret)
{
	bool is_map = leave.item >= sizeof(struct efi_memory) &&
		      leave.item % _Alignof(struct efi_memory) == 0 &&
		      leave.bytes <= MAP_BYTES;

	*ret = (struct tree_region){ 0, UINT64_MAX };
	if (!is_map)
		return leave.bytes > 0 && i == 0;
	for (uint64_t at = 0; leave.bytes - at >= leave.item;
	     at += leave.item) {
		const struct efi_memory *m = (const void *)(leave.map + at);

		if (is_free(m->type) || i-- > 0)
			continue;
		ret->from = m->from;
		if (m->n_pages < UINT64_MAX / EFI_PAGE)
			ret->bytes = m->n_pages * EFI_PAGE;
		return true;
	}
	return false;
}

efi_status efi_entry(efi_handle image, struct efi_system_table *st)
{
	const void *tree = efi_device_tree(st);
	uint64_t hart = boot_hart(st, tree);
	efi_status status = exit_boot_services(st, image);

	if (status)
		return status;
	__asm__ volatile("csrw satp, zero\n\tsfence.vma" : : : "memory");
	raw_entry(hart, tree);
}
