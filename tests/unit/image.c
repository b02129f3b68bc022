/* Images: what flat_build() and the FAT kind make of a runtime and a pack,
 * and what they refuse.  The runtime is a made-up one with real headers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/image/flat.h"
#include "tests/unit/pack_maker.h"

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
	assert_non_null(strstr(f->e.message, words));
	assert_null(f->image.bytes);
}

static void the_pack_follows_the_runtime(void **state)
{
	struct fixture *f = *state;

	build(f);
	assert_int_equal(f->image.n % SLOT_ALIGN, 0);
	assert_memory_equal(f->image.bytes + SLOT_ALIGN,
			    f->runtime + SLOT_ALIGN, SLOT_ALIGN);
	assert_memory_equal(f->image.bytes + N_RUNTIME, f->pack,
			    pack_header(f->pack)->total_bytes);
}

static void the_slot_tells_pack_and_room(void **state)
{
	struct fixture *f = *state;

	build(f);

	struct runtime_slot slot = flat_slot(&f->image);

	assert_int_equal(slot.runtime_bytes, N_RUNTIME);
	assert_int_equal(slot.pack_bytes, pack_header(f->pack)->total_bytes);
	assert_true(slot.room_bytes >= pack_header(f->pack)->code_bytes);
}

static void the_pe_section_covers_the_pack(void **state)
{
	struct fixture *f = *state;

	build(f);

	size_t pages = f->image.n - N_RUNTIME;

	assert_int_equal(get(f, SECTION + 8, 4), pages);
	assert_int_equal(get(f, SECTION + 12, 4), N_RUNTIME);
	assert_int_equal(get(f, SECTION + 16, 4), pages);
	assert_int_equal(get(f, SECTION + 20, 4), N_RUNTIME);
	assert_int_equal(get(f, OPTIONAL + 56, 4), f->image.n);
	assert_int_equal(get(f, OPTIONAL + 8, 4), OLD_DATA_BYTES + pages);
}

static void the_image_header_keeps_room_free(void **state)
{
	struct fixture *f = *state;

	build(f);
	assert_int_equal(get(f, 16, 8),
			 f->image.n + flat_slot(&f->image).room_bytes);
}

static void without_an_image_header_nothing_is_patched(void **state)
{
	struct fixture *f = *state;

	put(f, 56, 0, 4);
	build(f);
	assert_int_equal(get(f, 16, 8), 0);
}

static void a_short_runtime_is_refused(void **state)
{
	struct fixture *f = *state;
	struct image_request q = request(f);

	q.n_runtime = SLOT_OFFSET + 8;
	expect_refused(f, q, "a flat runtime of at least");
}

static void a_truncated_runtime_is_refused(void **state)
{
	struct fixture *f = *state;
	struct image_request q = request(f);

	q.n_runtime -= SLOT_ALIGN;
	expect_refused(f, q, "a whole file of 8192 bytes");
}

static void another_file_is_refused(void **state)
{
	struct fixture *f = *state;

	f->slot.magic[0] = 'X';
	put_slot(f);
	expect_refused(f, request(f), "a flat runtime of this program");
}

static void another_version_is_refused(void **state)
{
	struct fixture *f = *state;

	f->slot.version = SLOT_VERSION + 1;
	put_slot(f);
	expect_refused(f, request(f), "slot version 1, not 2");
}

static void a_runtime_with_a_pack_is_refused(void **state)
{
	struct fixture *f = *state;

	f->slot.pack_bytes = 1;
	put_slot(f);
	expect_refused(f, request(f), "no pack attached");
}

static void a_pack_for_another_isa_is_refused(void **state)
{
	struct fixture *f = *state;

	f->slot.isa = PACK_ISA_AARCH64;
	put_slot(f);
	expect_refused(f, request(f), "pack: one for ISA number 2");
}

static void a_damaged_pack_is_refused(void **state)
{
	struct fixture *f = *state;
	unsigned char *p = f->pack;

	p[pack_header(f->pack)->total_bytes - 1] ^= 1;
	expect_refused(f, request(f), "pack: ");
}

static void a_pe_header_outside_is_refused(void **state)
{
	struct fixture *f = *state;

	put(f, 60, 0xfffffff0, 4);
	expect_refused(f, request(f), "a PE header");
}

static void a_missing_section_is_refused(void **state)
{
	struct fixture *f = *state;

	f->runtime[SECTION] = 'X';
	expect_refused(f, request(f), "a PE section .pack");
}

static void section_headers_outside_are_refused(void **state)
{
	struct fixture *f = *state;

	put(f, PE + 20, 0xffff, 2);
	expect_refused(f, request(f), "a PE section .pack");
}

/* The disk holds the flat file under the name firmware looks for. */
static void the_fat_disk_holds_the_flat_file(void **state)
{
	struct fixture *f = *state;
	struct image_request q = request(f);
	struct buffer disk = { 0 };
	char path[] = "/tmp/anechoic-unit-XXXXXX";
	char command[200];
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	build(f);
	assert_int_equal(image_kind_find("fat")->build(&q, &disk, &f->e),
			 ERR_OK);
	assert_int_equal(file_write(path, disk.bytes, disk.n, &f->e), ERR_OK);
	snprintf(command, sizeof(command),
		 "mcopy -i %s ::EFI/BOOT/BOOTRISCV64.EFI -", path);

	FILE *p = popen(command, "r");
	unsigned char *back = malloc(f->image.n + 1);

	assert_non_null(p);
	assert_non_null(back);
	assert_int_equal(fread(back, 1, f->image.n + 1, p), f->image.n);
	assert_int_equal(pclose(p), 0);
	assert_memory_equal(back, f->image.bytes, f->image.n);
	free(back);
	buffer_free(&disk);
	(void)remove(path);
}

static void kinds_are_found_by_name(void **state)
{
	(void)state;
	assert_string_equal(image_kind_find("flat")->name, "flat");
	assert_null(image_kind_find("tape"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_pack_follows_the_runtime),
		TEST(the_slot_tells_pack_and_room),
		TEST(the_pe_section_covers_the_pack),
		TEST(the_image_header_keeps_room_free),
		TEST(without_an_image_header_nothing_is_patched),
		TEST(a_short_runtime_is_refused),
		TEST(a_truncated_runtime_is_refused),
		TEST(another_file_is_refused),
		TEST(another_version_is_refused),
		TEST(a_runtime_with_a_pack_is_refused),
		TEST(a_pack_for_another_isa_is_refused),
		TEST(a_damaged_pack_is_refused),
		TEST(a_pe_header_outside_is_refused),
		TEST(a_missing_section_is_refused),
		TEST(section_headers_outside_are_refused),
		TEST(the_fat_disk_holds_the_flat_file),
		TEST(kinds_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
