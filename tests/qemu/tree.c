/* The runtime's reader of device trees, run on the host: correct answers from
 * trees that libfdt wrote, and no read outside a broken tree, which ends before
 * an unreadable page. */
#include <libfdt.h>
#include <sys/mman.h>

#include "host/image/tree.h"
#include "target/boot/bare/tree.h"
#include "tests/unit/unit.h"

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

static void write_uart(void *p, const char *name, uint32_t address,
		       const char *compatible, size_t n)
{
	/* Two cells of address, two of size. */
	const uint32_t reg[4] = { 0, cpu_to_fdt32(address), 0,
				  cpu_to_fdt32(256) };

	fdt_begin_node(p, name);
	fdt_property(p, "compatible", compatible, (int)n);
	fdt_property(p, "reg", reg, sizeof(reg));
}

static void write_soc(void *p)
{
	static const char compatible[] = "snps,dw-apb-uart\0ns16550a";
	static const char vendor[] = "spacemit,pxa-uart";
	static const char pl011[] = "arm,pl011\0arm,primecell";
	static const unsigned char elsewhere[16] = { [4] = 1 };

	fdt_begin_node(p, "soc");
	fdt_property_u32(p, "#address-cells", 2);
	fdt_property_u32(p, "#size-cells", 2);
	fdt_property(p, "ranges", "", 0);
	write_uart(p, "serial@d4017000", 0xd4017000, compatible,
		   sizeof(compatible));
	fdt_property_u32(p, "reg-shift", 2);
	fdt_property_u32(p, "reg-io-width", 4);
	fdt_end_node(p);
	write_uart(p, "serial@d4017100", 0xd4017100, vendor, sizeof(vendor));
	fdt_end_node(p);
	write_uart(p, "serial@9000000", 0x9000000, pl011, sizeof(pl011));
	fdt_end_node(p);
	fdt_end_node(p);
	fdt_begin_node(p, "bridge");
	fdt_property_u32(p, "#address-cells", 2);
	fdt_property_u32(p, "#size-cells", 2);
	fdt_property(p, "ranges", elsewhere, sizeof(elsewhere));
	write_uart(p, "serial@1", 1, compatible, sizeof(compatible));
	fdt_end_node(p);
	fdt_end_node(p);
}

/* Two banks in one node, one in another, and one that is switched off. */
static void write_memory(void *p)
{
	static const unsigned char two[32] = {
		[3] = 1, [8 + 4] = 0x40, [16 + 3] = 2, [24 + 4] = 0x20
	};
	static const unsigned char one[16] = { [15] = 0x10 };

	fdt_begin_node(p, "memory@100000000");
	fdt_property_string(p, "device_type", "memory");
	fdt_property(p, "reg", two, sizeof(two));
	fdt_end_node(p);
	fdt_begin_node(p, "memory@0");
	fdt_property_string(p, "device_type", "memory");
	fdt_property(p, "reg", one, sizeof(one));
	fdt_end_node(p);
	fdt_begin_node(p, "memory@8");
	fdt_property_string(p, "device_type", "memory");
	fdt_property_string(p, "status", "disabled");
	fdt_property(p, "reg", one, sizeof(one));
	fdt_end_node(p);
}

static void write_tree(void *p, const char *stdout_path)
{
	assert_int_equal(fdt_create(p, PAGE), 0);
	fdt_finish_reservemap(p);
	fdt_begin_node(p, "");
	fdt_property_string(p, "compatible", "test,board");
	fdt_property_u32(p, "#address-cells", 2);
	fdt_property_u32(p, "#size-cells", 2);
	fdt_begin_node(p, "aliases");
	fdt_property_string(p, "serial0", "/soc/serial@d4017000");
	fdt_end_node(p);
	fdt_begin_node(p, "chosen");
	fdt_property(p, "stdout-path", stdout_path,
		     (int)strlen(stdout_path) + 1);
	fdt_end_node(p);
	write_cpus(p);
	write_memory(p);
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
	write_tree(f.intact, "serial0:115200n8");
	f.n = (fdt_totalsize(f.intact) + 7) & ~7u;
	fdt_set_totalsize(f.intact, f.n);
	f.blob = f.page + PAGE - f.n;
	memcpy(f.blob, f.intact, f.n);
	assert_true(tree_check(f.blob));
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	return munmap(f->page, 2 * PAGE);
}

EACH(setup, teardown);

TEST_ON(paths_are_found, struct fixture *f)
{
	int cpu = tree_find(f->blob, "/cpus/cpu@1");

	assert_int_equal(tree_find(f->blob, "/"), TREE_ROOT);
	assert_string_equal(fdt_get_name(f->blob, cpu, NULL), "cpu@1");
	assert_int_equal(tree_find(f->blob, "/cpus/cpu@2"), TREE_NONE);
	assert_int_equal(tree_find(f->blob, "/cpus/cpu@1/cache"), TREE_NONE);
	assert_int_equal(tree_find(f->blob, "/soc/serial@d4017000:1"),
			 tree_find(f->blob, "serial0"));
	assert_int_equal(tree_find(f->blob, "serial1"), TREE_NONE);
	assert_int_equal(tree_find(f->blob, ""), TREE_NONE);
}

TEST_ON(numbers_have_one_or_two_cells, struct fixture *f)
{
	int cpu0 = tree_find(f->blob, "/cpus/cpu@0");
	int cpu1 = tree_find(f->blob, "/cpus/cpu@1");

	assert_int_equal(tree_number(f->blob, cpu0, "reg", 0), 7);
	assert_int_equal(tree_number(f->blob, cpu1, "reg", 0), 8);
	assert_int_equal(tree_number(f->blob, cpu1, "clock", 5), 5);
	assert_int_equal(tree_number(f->blob, cpu0, "riscv,isa", 5), 5);
	assert_int_equal(tree_number(f->blob, TREE_NONE, "reg", 5), 5);
}

TEST_ON(texts_are_checked_to_end, struct fixture *f)
{
	int cpu = tree_find(f->blob, "/cpus/cpu@0");

	assert_string_equal(tree_text(f->blob, cpu, "riscv,isa"), "rv64imac");
	assert_null(tree_text(f->blob, cpu, "absent"));
	assert_null(tree_text(f->blob, tree_find(f->blob, "/cpus/cpu@1"),
			      "endless"));
	assert_null(tree_text(f->blob, TREE_NONE, "riscv,isa"));
}

TEST_ON(lists_hold_their_words, struct fixture *f)
{
	int uart = tree_find(f->blob, "serial0");

	assert_true(tree_lists(f->blob, uart, "compatible", "ns16550a"));
	assert_true(
		tree_lists(f->blob, uart, "compatible", "snps,dw-apb-uart"));
	assert_false(tree_lists(f->blob, uart, "compatible", "ns16550"));
}

TEST(chips_are_known_by_their_family)
{
	static const struct {
		const char *compatible, *family;
		bool found;
	} rows[] = {
		{ "spacemit,k1", "spacemit,k1", true },
		{ "spacemit,k1-x", "spacemit,k1", true },
		{ "spacemit,k1x", "spacemit,k1", true },
		{ "spacemit,m1-x", "spacemit,m1", true },
		{ "ky,x1", "ky,x1", true },
		{ "spacemit,k10", "spacemit,k1", false },
		{ "spacemit,k3", "spacemit,k1", false },
		{ "bananapi,spacemit,k1", "spacemit,k1", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char blob[512], list[64] = "vendor,board";
		int n = (int)strlen(list) + 1;
		const char *found;

		assert_int_equal(fdt_create_empty_tree(blob, (int)sizeof(blob)),
				 0);
		assert_int_equal(fdt_setprop(blob, 0, "compatible", list, n),
				 0);
		assert_null(tree_chip(blob, rows[i].family));
		n += snprintf(list + n, 40, "%s", rows[i].compatible) + 1;
		assert_int_equal(fdt_setprop(blob, 0, "compatible", list, n),
				 0);
		found = tree_chip(blob, rows[i].family);
		assert_true((found != NULL) == rows[i].found);
	}
}

TEST_ON(an_address_needs_buses_that_map_one_to_one, struct fixture *f)
{
	assert_int_equal(
		tree_address(f->blob, tree_find(f->blob, "serial0"), 0),
		0xd4017000);
	assert_int_equal(tree_address(f->blob,
				      tree_find(f->blob, "/bridge/serial@1"),
				      0),
			 0);
	assert_int_equal(tree_address(f->blob, TREE_NONE, 0), 0);
	assert_int_equal(tree_address(f->blob, TREE_ROOT, 0), 0);
}

TEST_ON(each_region_has_an_address, struct fixture *f)
{
	int memory = tree_find(f->blob, "/memory@100000000");

	assert_int_equal(tree_address(f->blob, memory, 0), 0x100000000);
	assert_int_equal(tree_address(f->blob, memory, 1), 0x200000000);
	assert_int_equal(tree_address(f->blob, memory, 2), 0);
}

TEST_ON(memory_is_the_sum_of_banks_that_are_on, struct fixture *f)
{
	assert_int_equal(tree_memory(f->blob), 0x40000000 + 0x20000000 + 16);
}

static struct uart uart_of(struct fixture *f, const char *stdout_path)
{
	write_tree(f->page, stdout_path);
	return tree_uart(f->page);
}

TEST_ON(the_uart_is_that_of_stdout_path, struct fixture *f)
{
	struct uart u = tree_uart(f->blob);

	assert_int_equal(u.kind, UART_NS16550);
	assert_int_equal(u.address, 0xd4017000);
	assert_int_equal(u.shift, 2);
	assert_int_equal(u.width, 4);
	u = uart_of(f, "/soc/serial@d4017100");
	assert_int_equal(u.kind, UART_NS16550);
	assert_int_equal(u.shift, 2);
	assert_int_equal(u.width, 4);
	u = uart_of(f, "/soc/serial@9000000:9600");
	assert_int_equal(u.kind, UART_PL011);
	assert_int_equal(u.address, 0x9000000);
	assert_int_equal(uart_of(f, "/bridge/serial@1").kind, UART_NONE);
	assert_int_equal(uart_of(f, "/cpus/cpu@0").kind, UART_NONE);
	assert_int_equal(uart_of(f, "serial7").kind, UART_NONE);
}

TEST_ON(what_is_no_tree_is_refused, struct fixture *f)
{
	assert_false(tree_check(NULL));
	assert_false(tree_check(f->blob + 4));
	f->blob[0] ^= 1;
	assert_false(tree_check(f->blob));
}

/* A word that is none ends every search: what is behind it is not found. */
TEST_ON(a_damaged_tree_is_not_whole, struct fixture *f)
{
	int node = tree_find(f->blob, "/chosen");

	assert_true(node >= 0 && tree_is_whole(f->blob));
	memset(f->blob + fdt_off_dt_struct(f->blob) + node, 0xff, 4);
	assert_true(tree_check(f->blob));
	assert_int_equal(tree_find(f->blob, "/chosen"), TREE_NONE);
	assert_false(tree_is_whole(f->blob));
	/* The root ends too early. */
	memcpy(f->blob, f->intact, f->n);
	memcpy(f->blob + fdt_off_dt_struct(f->blob) + node,
	       &(uint32_t){ cpu_to_fdt32(FDT_END_NODE) }, 4);
	assert_false(tree_is_whole(f->blob));
}

static void ask_everything(const void *blob)
{
	static const char *const paths[] = {
		"/",           "/cpus",   "/soc/serial@d4017000",
		"/chosen",     "serial0", "/bridge/serial@1",
		"/cpus/cpu@1",
	};

	if (!tree_check(blob))
		return;
	(void)tree_is_whole(blob);
	(void)tree_memory(blob);
	(void)tree_uart(blob);
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		int node = tree_find(blob, paths[i]);
		int c;

		(void)tree_address(blob, node, 0);
		(void)tree_address(blob, node, 1);
		(void)tree_number(blob, node, "reg", 0);
		(void)tree_text(blob, node, "stdout-path");
		(void)tree_lists(blob, node, "compatible", "ns16550a");
		fdt_for_each_subnode(c, blob, node)(void) tree_enabled(blob, c);
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

TEST_ON(broken_trees_stay_inside, struct fixture *f)
{
	uint64_t seed = 1;

	for (int i = 0; i < MUTATIONS; i++) {
		unsigned n = 1 + next_random(&seed) % 4;

		memcpy(f->blob, f->intact, f->n);
		while (n-- > 0) {
			size_t at = next_random(&seed) % f->n;

			/* The size field stays: the reader relies on it. */
			if (at >= TOTAL_AT && at < TOTAL_AT + 4)
				continue;
			f->blob[at] = (unsigned char)next_random(&seed);
		}
		ask_everything(f->blob);
	}
}

/* The tree that an image has where its board's file describes the devices. */
TEST_ON(a_described_board_has_a_tree, struct fixture *f)
{
	const struct devices d = {
		.any = true,
		.chip = "thead,c906",
		.uart = { "ns16550a", 0x10000000 },
		.clint = { "thead,c900-clint", UINT64_C(0x4004000000) },
		.poweroff = { "", 0 },
		.timebase = 24000000,
		.uart_clock = 50000000,
		.uart_shift = 2,
		.uart_width = 4,
	};
	struct buffer tree = { 0 };

	tree_build(&d, "lichee", &tree);
	assert_true(tree.n <= f->n);
	memcpy(f->blob, tree.bytes, tree.n);
	assert_int_equal(fdt_check_full(tree.bytes, tree.n), 0);
	buffer_free(&tree);
	assert_true(tree_check(f->blob));

	struct uart u = tree_uart(f->blob);
	int clint = tree_with(f->blob, "thead,c900-clint");

	assert_int_equal(u.kind, UART_NS16550);
	assert_int_equal(u.address, 0x10000000);
	assert_int_equal(u.clock, 50000000);
	assert_int_equal(u.shift, 2);
	assert_int_equal(u.width, 4);
	assert_int_equal(tree_address(f->blob, clint, 0),
			 UINT64_C(0x4004000000));
	assert_int_equal(tree_with(f->blob, "sifive,test0"), TREE_NONE);
	assert_string_equal(tree_chip(f->blob, "thead,c906"), "thead,c906");
	assert_int_equal(tree_number(f->blob, tree_find(f->blob, "/cpus"),
				     "timebase-frequency", 0),
			 24000000);
}
