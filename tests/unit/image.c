/* Image kinds: files made from a runtime and a pack, and inputs that are
 * refused.  The runtime is a fake with real headers. */
#include "common/crc32.h"
#include "host/image/disk.h"
#include "host/image/flat.h"
#include "tests/unit/pack_maker.h"
#include "tests/unit/unit.h"

enum {
	N_RUNTIME = 2 * SLOT_ALIGN,
	PE = 0x40,
	OPTIONAL = PE + 24,
	N_OPTIONAL = 160,
	SECTION = OPTIONAL + N_OPTIONAL,
	OLD_DATA_BYTES = 1000,
};

/* A RISC-V Image with one PE section, .pack. */
struct fixture {
	unsigned char runtime[N_RUNTIME];
	struct runtime_slot slot;
	struct board board;
	void *pack;
	struct buffer image;
	struct err e;
};

static void put(struct fixture *f, size_t at, uint64_t v, size_t n)
{
	memcpy(f->runtime + at, &v, n);
}

static uint64_t get(const struct fixture *f, size_t at, size_t n)
{
	uint64_t v = 0;

	assert_true(at + n <= f->image.n);
	memcpy(&v, f->image.bytes + at, n);
	return v;
}

static void put_slot(struct fixture *f)
{
	memcpy(f->runtime + SLOT_OFFSET, &f->slot, sizeof(f->slot));
}

static int setup(void **state)
{
	static const struct pack_maker_kernel kernels[] = {
		{ .label = "throughput:A" },
	};
	const struct pack_maker m = {
		.isa = PACK_ISA_RISCV64,
		.n = ARRAY_LEN(kernels),
		.kernels = kernels,
	};
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->slot = (struct runtime_slot){
		.version = SLOT_VERSION,
		.isa = PACK_ISA_RISCV64,
		.runtime_bytes = N_RUNTIME,
	};
	memcpy(f->slot.magic, SLOT_MAGIC, sizeof(f->slot.magic));
	put_slot(f);
	memcpy(f->runtime + 56, "RSC\x05", 4);
	put(f, 60, PE, 4);
	memcpy(f->runtime + PE, "PE\0\0", 4);
	put(f, PE + 6, 1, 2);
	put(f, PE + 20, N_OPTIONAL, 2);
	put(f, OPTIONAL + 8, OLD_DATA_BYTES, 4);
	memcpy(f->runtime + SECTION, ".pack\0\0\0", 8);
	memset(f->runtime + SLOT_ALIGN, 0x5a, SLOT_ALIGN);
	f->board.runtime = "riscv64-sbi";
	f->board.console = f->board.core = "";
	f->pack = pack_maker_make(&m);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	buffer_free(&f->image);
	free(f->pack);
	free(f);
	return 0;
}

EACH(setup, teardown);

static struct image_request request(struct fixture *f)
{
	return (struct image_request){
		.board = &f->board,
		.runtime = f->runtime,
		.n_runtime = N_RUNTIME,
		.pack = f->pack,
		.n_pack = pack_header(f->pack)->total_bytes,
	};
}

static void build(struct fixture *f)
{
	struct image_request q = request(f);

	assert_int_equal(flat_build(&q, &f->image, &f->e), ERR_OK);
}

static void expect_refused(struct fixture *f, struct image_request q,
			   const char *words)
{
	assert_int_equal(flat_build(&q, &f->image, &f->e), ERR_INPUT);
	assert_part(f->e.message, words);
	assert_null(f->image.bytes);
}

TEST_ON(options_are_in_the_slot, struct fixture *f)
{
	static const char *const rows[][4] = {
		{ "ns16550", "", NULL, "console=ns16550" },
		{ "", "", "from=4 skip=4", "from=4 skip=4" },
		{ "sbi", "4", "from=4", "console=sbi core=4 from=4" },
	};
	struct image_request q = request(f);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		f->board.console = rows[i][0];
		f->board.core = rows[i][1];
		q.options = rows[i][2];
		assert_int_equal(flat_build(&q, &f->image, &f->e), ERR_OK);
		assert_string_equal(flat_slot(&f->image).options, rows[i][3]);
		buffer_free(&f->image);
	}
}

/* 8-aligned, and behind it begins the room. */
TEST_ON(devices_are_a_tree_behind_the_pack, struct fixture *f)
{
	static const unsigned char magic[] = { 0xd0, 0x0d, 0xfe, 0xed };
	struct runtime_slot slot;

	build(f);
	slot = flat_slot(&f->image);
	assert_int_equal(slot.tree_bytes, 0);
	assert_int_equal(slot_file_bytes(&slot), N_RUNTIME + slot.pack_bytes);
	buffer_free(&f->image);
	f->board.name = "b";
	f->board.devices = (struct devices){
		.any = true,
		.chip = "",
		.uart = { "ns16550a", 1 << 28 },
		.clint = { "", 0 },
		.poweroff = { "", 0 },
	};
	build(f);
	slot = flat_slot(&f->image);
	assert_int_equal(slot.tree_offset % 8, 0);
	assert_true(slot.tree_offset >= N_RUNTIME + slot.pack_bytes);
	assert_memory_equal(f->image.bytes + slot.tree_offset, magic,
			    sizeof(magic));
	assert_int_equal(slot_file_bytes(&slot),
			 slot.tree_offset + slot.tree_bytes);
	assert_true(slot_file_bytes(&slot) <= f->image.n);
}

TEST_ON(the_pack_follows_the_runtime, struct fixture *f)
{
	build(f);
	assert_int_equal(f->image.n % SLOT_ALIGN, 0);
	assert_memory_equal(f->image.bytes + SLOT_ALIGN,
			    f->runtime + SLOT_ALIGN, SLOT_ALIGN);
	assert_memory_equal(f->image.bytes + N_RUNTIME, f->pack,
			    pack_header(f->pack)->total_bytes);
}

TEST_ON(the_slot_tells_pack_and_room, struct fixture *f)
{
	build(f);

	struct runtime_slot slot = flat_slot(&f->image);

	assert_int_equal(slot.runtime_bytes, N_RUNTIME);
	assert_int_equal(slot.pack_bytes, pack_header(f->pack)->total_bytes);
	assert_true(slot.room_bytes >= pack_header(f->pack)->code_bytes);
}

TEST_ON(the_pe_section_covers_the_pack, struct fixture *f)
{
	build(f);

	size_t pages = f->image.n - N_RUNTIME;

	assert_int_equal(get(f, SECTION + 8, 4), pages);
	assert_int_equal(get(f, SECTION + 12, 4), N_RUNTIME);
	assert_int_equal(get(f, SECTION + 16, 4), pages);
	assert_int_equal(get(f, SECTION + 20, 4), N_RUNTIME);
	assert_int_equal(get(f, OPTIONAL + 56, 4), f->image.n);
	assert_int_equal(get(f, OPTIONAL + 8, 4), OLD_DATA_BYTES + pages);
}

TEST_ON(the_image_header_keeps_room_free, struct fixture *f)
{
	build(f);
	assert_int_equal(get(f, 16, 8),
			 f->image.n + flat_slot(&f->image).room_bytes);
}

TEST_ON(without_an_image_header_nothing_is_patched, struct fixture *f)
{
	put(f, 56, 0, 4);
	build(f);
	assert_int_equal(get(f, 16, 8), 0);
}

TEST_ON(a_short_runtime_is_refused, struct fixture *f)
{
	struct image_request q = request(f);

	q.n_runtime = SLOT_OFFSET + 8;
	expect_refused(f, q, "a flat runtime has at least");
}

TEST_ON(a_truncated_runtime_is_refused, struct fixture *f)
{
	struct image_request q = request(f);

	q.n_runtime -= SLOT_ALIGN;
	expect_refused(f, q, "expected 8192 bytes");
}

TEST_ON(another_file_is_refused, struct fixture *f)
{
	f->slot.magic[0] = 'X';
	put_slot(f);
	expect_refused(f, request(f), "not a flat runtime");
}

TEST_ON(another_version_is_refused, struct fixture *f)
{
	f->slot.version = SLOT_VERSION + 1;
	put_slot(f);
	expect_refused(f, request(f), "slot version 3, not 4");
}

TEST_ON(a_runtime_with_a_pack_is_refused, struct fixture *f)
{
	f->slot.pack_bytes = 1;
	put_slot(f);
	expect_refused(f, request(f), "without a pack");
}

TEST_ON(a_pack_for_another_isa_is_refused, struct fixture *f)
{
	f->slot.isa = PACK_ISA_AARCH64;
	put_slot(f);
	expect_refused(f, request(f), "is for ISA number 2");
}

TEST_ON(a_damaged_pack_is_refused, struct fixture *f)
{
	unsigned char *p = f->pack;

	p[pack_header(f->pack)->total_bytes - 1] ^= 1;
	expect_refused(f, request(f), "pack: ");
}

TEST_ON(a_pe_header_outside_is_refused, struct fixture *f)
{
	put(f, 60, 0xfffffff0, 4);
	expect_refused(f, request(f), "no PE header");
}

TEST_ON(a_missing_section_is_refused, struct fixture *f)
{
	f->runtime[SECTION] = 'X';
	expect_refused(f, request(f), "no PE section .pack");
}

TEST_ON(section_headers_outside_are_refused, struct fixture *f)
{
	put(f, PE + 20, 0xffff, 2);
	expect_refused(f, request(f), "no PE section .pack");
}

/* Read a file of the FAT file system at `at` of the disk with mtools; it must
 * equal the flat image. */
static void expect_flat_file(struct fixture *f, const struct buffer *disk,
			     const char *at, const char *name)
{
	char path[] = "/tmp/anechoic-unit-XXXXXX";
	char command[200];
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(file_write(path, disk->bytes, disk->n, &f->e), ERR_OK);
	snprintf(command, sizeof(command), "mcopy -i %s%s ::%s -", path, at,
		 name);

	FILE *p = popen(command, "r");
	unsigned char *back = malloc(f->image.n + 1);

	assert_non_null(p);
	assert_non_null(back);
	assert_int_equal(fread(back, 1, f->image.n + 1, p), f->image.n);
	assert_int_equal(pclose(p), 0);
	assert_memory_equal(back, f->image.bytes, f->image.n);
	free(back);
	(void)remove(path);
}

/* The disk holds the flat file under the name firmware looks for. */
TEST_ON(the_fat_disk_holds_the_flat_file, struct fixture *f)
{
	struct image_request q = request(f);
	SCOPED(buffer_free) struct buffer disk = { 0 };

	build(f);
	assert_int_equal(image_kind_find("fat")->build(&q, &disk, &f->e),
			 ERR_OK);
	expect_flat_file(f, &disk, "", "EFI/BOOT/BOOTRISCV64.EFI");
}

TEST_ON(the_card_holds_the_flat_file_in_its_partition, struct fixture *f)
{
	struct image_request q = request(f);
	SCOPED(buffer_free) struct buffer disk = { 0 };

	build(f);
	assert_int_equal(image_kind_find("sd")->build(&q, &disk, &f->e),
			 ERR_OK);
	expect_flat_file(f, &disk, "@@1M", "anechoic.img");
}

/* Each header has the position of the other, and both checksums are right. */
TEST_ON(the_card_has_two_partition_tables, struct fixture *f)
{
	struct buffer part = { 0 };
	unsigned char sector[512] = { 0 };

	buffer_add(&part, sector, sizeof(sector));
	assert_int_equal(disk_gpt(&part, &f->image, &f->e), ERR_OK);
	buffer_free(&part);

	size_t last = f->image.n / 512 - 1;
	size_t copies[] = { 1, last };

	assert_int_equal(get(f, 510, 2), 0xaa55);
	for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
		size_t h = copies[i] * 512;
		uint32_t crc = (uint32_t)get(f, h + 16, 4);

		assert_memory_equal(f->image.bytes + h, "EFI PART", 8);
		assert_int_equal(get(f, h + 24, 8), copies[i]);
		assert_int_equal(get(f, h + 32, 8), copies[1 - i]);
		assert_int_equal(
			get(f, h + 88, 4),
			crc32_update(0,
				     f->image.bytes + get(f, h + 72, 8) * 512,
				     128 * 128));
		memset(f->image.bytes + h + 16, 0, 4);
		assert_int_equal(crc32_update(0, f->image.bytes + h, 92), crc);
	}
}

/* Firmware may refuse an entry that counts sectors beyond the disk. */
TEST_ON(no_partition_ends_beyond_its_disk, struct fixture *f)
{
	static const char *const names[] = { "fat", "sd" };

	build(f);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct image_request q = request(f);
		SCOPED(buffer_free) struct buffer disk = { 0 };
		uint32_t first, n;

		assert_int_equal(
			image_kind_find(names[i])->build(&q, &disk, &f->e),
			ERR_OK);
		/* The first entry of a master boot record: UEFI 2.10, 5.2.1. */
		memcpy(&first, disk.bytes + 446 + 8, sizeof(first));
		memcpy(&n, disk.bytes + 446 + 12, sizeof(n));
		assert_true(n > 0);
		assert_true((uint64_t)first + n <= disk.n / 512);
	}
}

TEST_ON(a_partition_of_torn_sectors_is_refused, struct fixture *f)
{
	SCOPED(buffer_free) struct buffer part = { 0 };

	buffer_add(&part, "abc", 3);
	assert_int_equal(disk_gpt(&part, &f->image, &f->e), ERR_INPUT);
	assert_int_equal(f->image.n, 0);
}

/* A tool's failure must be reported, even if it wrote a part of the file. */
TEST_ON(a_tool_that_fails_is_an_error, struct fixture *f)
{
	static const char *const argv[] = { "false", NULL };
	static const char *const none[] = { "no-such-tool", NULL };
	struct buffer in = { 0 };
	struct err first = { 0 };

	assert_int_equal(disk_tool(argv, "coreutils", &in, &f->image, &first),
			 ERR_SYSTEM);
	assert_int_equal(disk_tool(none, "some-package", &in, &f->image, &f->e),
			 ERR_SYSTEM);
	assert_part(f->e.message, "some-package");
	assert_int_equal(f->image.n, 0);
}

TEST(kinds_are_found_by_name)
{
	assert_string_equal(image_kind_find("flat")->name, "flat");
	assert_null(image_kind_find("tape"));
}
