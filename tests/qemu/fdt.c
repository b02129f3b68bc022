/* The runtime's device tree reader, on the host: it must agree with a tree
 * that libfdt wrote, and stay inside every tree that somebody broke.  Trees
 * end where an unreadable page begins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <libfdt.h>

#include "target/boot/sbi/fdt.h"

enum {
	PAGE = 4096,
	MUTATIONS = 200000,
	TOTAL_AT = 4, /* header field: where the tree ends */
};

struct fixture {
	unsigned char *page;
	unsigned char *blob;
	unsigned char intact[PAGE];
	uint32_t n;
	struct fdt f;
};

static void write_cpus(void *p)
{
	fdt_begin_node(p, "cpus");
	fdt_property_u32(p, "timebase-frequency", 10000000);
	fdt_begin_node(p, "cpu@0");
	fdt_property_u64(p, "reg", 7);
	fdt_property_string(p, "riscv,isa", "rv64imac");
	fdt_end_node(p);
	fdt_begin_node(p, "cpu@1");
	fdt_property_u32(p, "reg", 8);
	fdt_property(p, "endless", "text", 4); /* without its NUL */
	fdt_end_node(p);
	fdt_end_node(p);
}

static void write_soc(void *p)
{
	static const char compatible[] = "snps,dw-apb-uart\0ns16550a";
	/* Two cells of address, two of size. */
	static const unsigned char reg[16] = {
		[4] = 0xd4, [5] = 0x01, [6] = 0x70, [14] = 0x01
	};

	fdt_begin_node(p, "soc");
	fdt_property_u32(p, "#address-cells", 2);
	fdt_property(p, "ranges", "", 0);
	fdt_begin_node(p, "serial@d4017000");
	fdt_property(p, "compatible", compatible, sizeof(compatible));
	fdt_property(p, "reg", reg, sizeof(reg));
	fdt_end_node(p);
	fdt_end_node(p);
	fdt_begin_node(p, "bridge");
	fdt_property(p, "ranges", reg, sizeof(reg));
	fdt_begin_node(p, "serial@1");
	fdt_property(p, "reg", reg, sizeof(reg));
	fdt_end_node(p);
	fdt_end_node(p);
}

static void write_tree(void *p)
{
	assert_int_equal(fdt_create(p, PAGE), 0);
	fdt_finish_reservemap(p);
	fdt_begin_node(p, "");
	fdt_property_string(p, "compatible", "test,board");
	fdt_begin_node(p, "aliases");
	fdt_property_string(p, "serial0", "/soc/serial@d4017000");
	fdt_end_node(p);
	fdt_begin_node(p, "chosen");
	fdt_property_string(p, "stdout-path", "serial0:115200n8");
	fdt_end_node(p);
	write_cpus(p);
	write_soc(p);
	fdt_end_node(p);
	assert_int_equal(fdt_finish(p), 0);
}

static int setup(void **state)
{
	static struct fixture f;

	f.page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(f.page, MAP_FAILED);
	assert_int_equal(mprotect(f.page + PAGE, PAGE, PROT_NONE), 0);
	write_tree(f.intact);
	f.n = (fdt_totalsize(f.intact) + 7) & ~7u;
	fdt_set_totalsize(f.intact, f.n);
	f.blob = f.page + PAGE - f.n;
	memcpy(f.blob, f.intact, f.n);
	assert_true(fdt_open(f.blob, &f.f));
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	return munmap(f->page, 2 * PAGE);
}

static void paths_are_found(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(fdt_find(&f->f, "/"), FDT_ROOT);
	assert_string_equal(fdt_name(&f->f, fdt_find(&f->f, "/cpus/cpu@1")),
			    "cpu@1");
	assert_int_equal(fdt_find(&f->f, "/cpus/cpu@2"), FDT_NONE);
	assert_int_equal(fdt_find(&f->f, "/cpus/cpu@1/cache"), FDT_NONE);
}

static void a_name_may_leave_out_its_address(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(fdt_find(&f->f, "/soc/serial"),
			 fdt_find(&f->f, "/soc/serial@d4017000"));
}

static void an_alias_stands_for_its_path(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(fdt_find(&f->f, "serial0:115200n8"),
			 fdt_find(&f->f, "/soc/serial@d4017000"));
	assert_int_equal(fdt_find(&f->f, "serial1"), FDT_NONE);
}

static void children_are_walked_in_order(void **state)
{
	struct fixture *f = *state;
	uint32_t c = fdt_first_child(&f->f, fdt_find(&f->f, "/cpus"));

	assert_string_equal(fdt_name(&f->f, c), "cpu@0");
	c = fdt_next_sibling(&f->f, c);
	assert_string_equal(fdt_name(&f->f, c), "cpu@1");
	assert_int_equal(fdt_next_sibling(&f->f, c), FDT_NONE);
}

static void numbers_have_one_or_two_cells(void **state)
{
	struct fixture *f = *state;
	uint32_t cpu0 = fdt_find(&f->f, "/cpus/cpu@0");
	uint32_t cpu1 = fdt_find(&f->f, "/cpus/cpu@1");

	assert_int_equal(fdt_number(&f->f, cpu0, "reg", 0), 7);
	assert_int_equal(fdt_number(&f->f, cpu1, "reg", 0), 8);
	assert_int_equal(fdt_number(&f->f, cpu1, "clock", 5), 5);
	assert_int_equal(fdt_number(&f->f, cpu0, "riscv,isa", 5), 5);
}

static void texts_are_checked_to_end(void **state)
{
	struct fixture *f = *state;
	uint32_t cpu = fdt_find(&f->f, "/cpus/cpu@0");

	assert_string_equal(fdt_text(&f->f, cpu, "riscv,isa"), "rv64imac");
	assert_null(fdt_text(&f->f, cpu, "absent"));
	assert_null(fdt_text(&f->f, fdt_find(&f->f, "/cpus/cpu@1"), "endless"));
}

static void lists_hold_their_words(void **state)
{
	struct fixture *f = *state;
	uint32_t uart = fdt_find(&f->f, "serial0");

	assert_true(fdt_lists(&f->f, uart, "compatible", "ns16550a"));
	assert_true(fdt_lists(&f->f, uart, "compatible", "snps,dw-apb-uart"));
	assert_false(fdt_lists(&f->f, uart, "compatible", "ns16550"));
}

static void an_address_needs_buses_that_map_one_to_one(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(fdt_address(&f->f, "serial0:115200n8"), 0xd4017000);
	assert_int_equal(fdt_address(&f->f, "/bridge/serial@1"), 0);
	assert_int_equal(fdt_address(&f->f, "/cpus/cpu@3"), 0);
}

static void what_is_no_tree_is_refused(void **state)
{
	struct fixture *f = *state;
	struct fdt g;

	assert_false(fdt_open(NULL, &g));
	assert_false(fdt_open(f->blob + 4, &g));
	f->blob[0] ^= 1;
	assert_false(fdt_open(f->blob, &g));
}

static void ask_everything(const void *blob)
{
	static const char *const paths[] = {
		"/",           "/cpus",   "/soc/serial",
		"/chosen",     "serial0", "/bridge/serial@1",
		"/cpus/cpu@1",
	};
	struct fdt f;
	uint32_t n;

	if (!fdt_open(blob, &f))
		return;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		uint32_t node = fdt_find(&f, paths[i]);

		(void)fdt_address(&f, paths[i]);
		if (node == FDT_NONE)
			continue;
		(void)fdt_prop(&f, node, "reg", &n);
		(void)fdt_text(&f, node, "stdout-path");
		(void)fdt_lists(&f, node, "compatible", "ns16550a");
		for (uint32_t c = fdt_first_child(&f, node); c != FDT_NONE;
		     c = fdt_next_sibling(&f, c))
			(void)fdt_name(&f, c);
	}
}

/* xorshift64: the same trees on every run. */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void broken_trees_stay_inside(void **state)
{
	struct fixture *f = *state;
	uint64_t seed = 1;

	for (int i = 0; i < MUTATIONS; i++) {
		unsigned n = 1 + next_random(&seed) % 4;

		memcpy(f->blob, f->intact, f->n);
		while (n-- > 0) {
			size_t at = next_random(&seed) % f->n;

			/* The end is what the firmware vouches for. */
			if (at >= TOTAL_AT && at < TOTAL_AT + 4)
				continue;
			f->blob[at] = (unsigned char)next_random(&seed);
		}
		ask_everything(f->blob);
	}
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(paths_are_found),
		TEST(a_name_may_leave_out_its_address),
		TEST(an_alias_stands_for_its_path),
		TEST(children_are_walked_in_order),
		TEST(numbers_have_one_or_two_cells),
		TEST(texts_are_checked_to_end),
		TEST(lists_hold_their_words),
		TEST(an_address_needs_buses_that_map_one_to_one),
		TEST(what_is_no_tree_is_refused),
		TEST(broken_trees_stay_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
