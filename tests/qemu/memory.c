/* Data memory of a RISC-V hart, on the host: among random regions in use, the lowest
 * place that is free, or none where there is none. */
#include <libfdt.h>
#include <stdlib.h>

#include "target/boot/bare/memory.h"
#include "target/boot/hart/env.h"
#include "target/boot/hart/platform.h"
#include "target/boot/relocate.h"
#include "target/boot/sbi/free.h"
#include "tests/unit/unit.h"

enum {
	ROUNDS = 2000,
	ROOM = 16384,
	MOST_USED = 6,
	BANK_UNITS = 40, /* of MEMORY_ALIGN */
};

#define BANK UINT64_C(0x80000000)

/* Far away from the invented memory, as the test itself is. */
const struct runtime_slot __slot = { .room_bytes = 4096 };

static _Alignas(8) unsigned char blob[ROOM];
static uint64_t used[MOST_USED][2]; /* from, bytes */
static size_t n_used, n_header;     /* of them, in the tree's header */

const void *platform_tree(void)
{
	return blob;
}

/* The environment's: everything, or nothing. */
static bool env_has_all;

bool env_reserved_at(size_t i, struct tree_region *ret)
{
	*ret = (struct tree_region){ 0, UINT64_MAX };
	return env_has_all && i == 0;
}

static void put_reg(uint64_t from, uint64_t bytes)
{
	const fdt64_t reg[2] = { cpu_to_fdt64(from), cpu_to_fdt64(bytes) };

	fdt_property(blob, "reg", reg, sizeof(reg));
}

static void put_cells(void)
{
	fdt_property_u32(blob, "#address-cells", 2);
	fdt_property_u32(blob, "#size-cells", 2);
}

static void write_tree(uint64_t bytes)
{
	char name[32];

	assert_int_equal(fdt_create(blob, ROOM), 0);
	for (size_t i = 0; i < n_header; i++)
		fdt_add_reservemap_entry(blob, used[i][0], used[i][1]);
	fdt_finish_reservemap(blob);
	fdt_begin_node(blob, "");
	put_cells();
	fdt_begin_node(blob, "memory@80000000");
	fdt_property_string(blob, "device_type", "memory");
	put_reg(BANK, bytes);
	fdt_end_node(blob);
	fdt_begin_node(blob, "reserved-memory");
	put_cells();
	for (size_t i = n_header; i < n_used; i++) {
		(void)snprintf(name, sizeof(name), "r@%zu", i);
		fdt_begin_node(blob, name);
		put_reg(used[i][0], used[i][1]);
		fdt_end_node(blob);
	}
	fdt_end_node(blob);
	fdt_end_node(blob);
	assert_int_equal(fdt_finish(blob), 0);
}

static bool is_free(uint64_t at, uint64_t n)
{
	for (size_t i = 0; i < n_used; i++)
		if (used[i][0] < at + n && at < used[i][0] + used[i][1])
			return false;
	return true;
}

/* The lowest place, by trying all; 0: none. */
static uint64_t lowest(uint64_t bytes, uint64_t n)
{
	for (uint64_t at = BANK; at + n <= BANK + bytes; at += MEMORY_ALIGN)
		if (is_free(at, n))
			return at;
	return 0;
}

TEST(memory_is_the_lowest_place_that_is_free)
{
	size_t n_none = 0;

	srand(7);
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t bytes =
			(uint64_t)(1 + rand() % BANK_UNITS) * MEMORY_ALIGN;
		uint64_t n = (uint64_t)(1 + rand() % 8) * MEMORY_ALIGN / 2;

		n_used = (size_t)rand() % (MOST_USED + 1);
		n_header = n_used ? (size_t)rand() % (n_used + 1) : 0;
		for (size_t i = 0; i < n_used; i++) {
			used[i][0] = BANK + (uint64_t)(rand() % BANK_UNITS) *
						    MEMORY_ALIGN / 2;
			used[i][1] = 1 + (uint64_t)rand() % (2 * MEMORY_ALIGN);
		}
		write_tree(bytes);
		assert_int_equal((uintptr_t)memory_take(n), lowest(bytes, n));
		n_none += lowest(bytes, n) == 0;
	}
	assert_true(n_none > ROUNDS / 20 && n_none < ROUNDS / 2);
}

TEST(regions_at_the_end_of_addresses_end_the_search)
{
	n_header = n_used = 1;
	used[0][0] = BANK;
	used[0][1] = UINT64_MAX;
	write_tree(8 * MEMORY_ALIGN);
	assert_null(memory_take(4096));
	/* Memory that wraps around has no place. */
	n_header = n_used = 0;
	write_tree(UINT64_MAX - BANK / 2);
	assert_null(memory_take(4096));
}

TEST(what_the_environment_reserves_is_not_taken)
{
	n_header = n_used = 0;
	write_tree(8 * MEMORY_ALIGN);
	assert_non_null(memory_take(4096));
	env_has_all = true;
	assert_null(memory_take(4096));
	env_has_all = false;
}

/* The reserved entries of a header that do not end in the blob; a region of fewer
 * cells than its parent says. */
TEST(what_is_reserved_in_a_way_that_cannot_be_read_is_everything)
{
	int node;

	n_header = n_used = 2;
	used[0][0] = used[1][0] = BANK;
	used[0][1] = used[1][1] = 1;
	write_tree(8 * MEMORY_ALIGN);
	assert_non_null(memory_take(4096));
	fdt_set_off_mem_rsvmap(blob, fdt_totalsize(blob) - 16);
	memset(blob + fdt_totalsize(blob) - 16, 1, 16);
	assert_null(memory_take(4096));

	n_header = 0;
	write_tree(8 * MEMORY_ALIGN);
	assert_non_null(memory_take(4096));
	node = fdt_path_offset(blob, "/reserved-memory");
	assert_int_equal(
		fdt_setprop_inplace_u32(blob, node, "#address-cells", 3), 0);
	assert_null(memory_take(4096));
}

/* ---- the map of UEFI ------------------------------------------------------ */

enum { MOST_ITEMS = 20, EXTRA = 8, PAGES = 60 };

/* Items of firmware may be longer than the structure. */
struct longer {
	struct efi_memory m;
	unsigned char more[EXTRA];
};

/* Random items, some of them over each other, in any order. */
static size_t invent_map(struct longer *map, bool *listed)
{
	static const uint32_t types[] = { EFI_CONVENTIONAL, EFI_LOADER_CODE,
					  EFI_BOOT_SERVICES_DATA, 0, 11 };
	size_t n = (size_t)rand() % (MOST_ITEMS + 1);

	for (size_t i = 0; i < n; i++) {
		uint64_t from = (uint64_t)rand() % PAGES;
		uint64_t pages = (uint64_t)rand() % 5;
		uint32_t type = types[rand() % ARRAY_LEN(types)];
		bool is_free = type == EFI_CONVENTIONAL ||
			       type == EFI_BOOT_SERVICES_DATA;

		map[i].m = (struct efi_memory){ .type = type,
						.from = from * EFI_PAGE,
						.n_pages = pages };
		for (uint64_t k = from; is_free && k < from + pages; k++)
			listed[k] = true;
	}
	return n;
}

TEST(memory_that_the_map_does_not_list_is_not_free)
{
	srand(3);
	for (int round = 0; round < ROUNDS; round++) {
		struct longer map[MOST_ITEMS] = { 0 };
		bool listed[PAGES + 8] = { false }, gap[PAGES + 8] = { false };
		size_t n_items = invent_map(map, listed);
		size_t n = free_list(&map[0].m, n_items * sizeof(map[0]),
				     sizeof(map[0]));
		struct tree_region r;

		for (size_t i = 0; free_gap_at(&map[0].m, n, i, &r); i++)
			for (uint64_t k = r.from / EFI_PAGE;
			     k < ARRAY_LEN(gap) &&
			     k * EFI_PAGE - r.from < r.bytes;
			     k++)
				gap[k] = true;
		for (size_t k = 0; k < ARRAY_LEN(gap); k++)
			assert_int_equal(gap[k], !listed[k]);
	}
}

TEST(a_map_that_cannot_be_read_frees_nothing)
{
	struct efi_memory map = { .type = EFI_CONVENTIONAL,
				  .from = EFI_PAGE,
				  .n_pages = UINT64_MAX / EFI_PAGE };
	struct tree_region r;

	assert_int_equal(free_list(&map, sizeof(map), sizeof(map)), 0);
	map.n_pages = 1;
	assert_int_equal(free_list(&map, sizeof(map), sizeof(map) - 8), 0);
	assert_int_equal(free_list(&map, sizeof(map), sizeof(map)), 1);
	assert_true(free_gap_at(&map, 0, 0, &r));
	assert_true(r.from == 0 && r.bytes == UINT64_MAX);
	assert_false(free_gap_at(&map, 0, 1, &r));
}
