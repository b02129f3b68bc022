/* Entry from EFI firmware (U-Boot's bootefi, EDK2): find the arguments of the
 * raw entry, leave the firmware, and continue as from the raw entry. */
#include "target/boot/efi/efi.h"

#include "target/boot/bare/tree.h"
#include "target/boot/hart/env.h"
#include "target/boot/relocate.h"
#include "target/boot/sbi/free.h"

efi_status efi_entry(efi_handle image, struct efi_system_table *st);
void raw_entry(uint64_t hart, const void *tree) __attribute__((noreturn));

/* RISC-V UEFI protocol specification 1.0, chapter 3. */
struct riscv_boot_protocol {
	uint64_t revision;
	efi_status(EFIAPI *boot_hart)(struct riscv_boot_protocol *,
				      uint64_t *ret_hart);
};

enum {
	MAP_ITEMS = 800,
	MAP_TRIES = 4,
};

static struct {
	struct efi_memory map[MAP_ITEMS]; /* what is free of it */
	size_t n_free;
	bool has_map; /* else UEFI was not there */
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
		uint64_t bytes = sizeof(leave.map), item, key;
		uint32_t version;

		status = st->boot->get_memory_map(&bytes, leave.map, &key,
						  &item, &version);
		if (status)
			return status;
		status = st->boot->exit_boot_services(image, key);
		if (status)
			continue;
		leave.has_map = true;
		leave.n_free = bytes <= sizeof(leave.map)
				       ? free_list(leave.map, bytes, item)
				       : 0;
	}
	return status;
}

bool env_reserved_at(size_t i, struct tree_region *ret)
{
	return leave.has_map && free_gap_at(leave.map, leave.n_free, i, ret);
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
