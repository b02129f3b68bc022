#include "target/boot/hart/platform.h"

#include <libfdt.h>
#include <string.h>

#include "target/boot/bare/tree.h"
#include "target/boot/hart/env.h"

enum {
	MAX_HARTS = 64,
	/* Without a region of its own, tohost is behind fromhost: OpenSBI's
	 * fdt_reset_htif.c and QEMU's hw/char/riscv_htif.c. */
	HTIF_TOHOST = 8,
};

static struct platform {
	const void *tree;     /* or NULL */
	uint64_t first, hart; /* that booted, that runs */
	uint64_t n_harts;
	uint64_t n_parked; /* others, which are stopped or asleep */
	uint64_t ids[MAX_HARTS];
	uint64_t states[MAX_HARTS]; /* as HSM reports them */
	int cpu;                    /* node of this hart */
	uint64_t timebase_hz;
} platform;

/* List the harts that the tree enables, and find this one. */
static void read_harts(int cpus)
{
	const void *t = platform.tree;
	int c;

	platform.n_harts = 0;
	platform.cpu = TREE_NONE;
	fdt_for_each_subnode(c, t, cpus)
	{
		const char *type = tree_text(t, c, "device_type");

		if (!type || strcmp(type, "cpu") != 0 || !tree_enabled(t, c))
			continue;

		uint64_t hart = tree_number(t, c, "reg", UINT64_MAX);

		if (platform.n_harts < MAX_HARTS)
			platform.ids[platform.n_harts++] = hart;
		if (hart == platform.hart)
			platform.cpu = c;
	}
}

/* Harts that the firmware left stopped stay stopped, unless the runtime runs
 * there; then the first one sleeps. */
static void read_states(void)
{
	platform.n_parked = 0;
	for (uint64_t i = 0; i < platform.n_harts; i++) {
		uint64_t hart = platform.ids[i];

		platform.states[i] = env_hart_state(hart);
		platform.n_parked += hart != platform.hart &&
				     (platform.states[i] == ENV_HART_STOPPED ||
				      hart == platform.first);
	}
}

static void read_cpus(void)
{
	int cpus = tree_find(platform.tree, "/cpus");

	platform.timebase_hz =
		tree_number(platform.tree, cpus, "timebase-frequency", 0);
	read_harts(cpus);
	read_states();
	/* Old trees have the rate in each cpu node. */
	if (!platform.timebase_hz)
		platform.timebase_hz = tree_number(platform.tree, platform.cpu,
						   "timebase-frequency", 0);
}

void platform_read(const void *blob, uint64_t hart)
{
	platform = (struct platform){
		.first = hart,
		.hart = hart,
		.cpu = TREE_NONE,
	};
	if (!tree_check(blob))
		return;
	platform.tree = blob;
	read_cpus();
}

void platform_enter(uint64_t hart)
{
	platform.hart = hart;
	if (platform.tree)
		read_cpus();
}

uint64_t platform_first(void)
{
	return platform.first;
}

uint64_t platform_hart(void)
{
	return platform.hart;
}

uint64_t platform_hart_at(size_t i)
{
	if (platform.n_harts == 0 && i == 0)
		return platform.first;
	return i < platform.n_harts ? platform.ids[i] : UINT64_MAX;
}

const void *platform_tree(void)
{
	return platform.tree;
}

struct uart boot_uart(void)
{
	const struct uart none = { .kind = UART_NONE };

	struct uart u = platform.tree ? tree_uart(platform.tree) : none;

	u.speed = env_uart_speed();
	return u;
}

uint64_t platform_htif(uint64_t *ret_from)
{
	const void *t = platform.tree;
	int node = t ? tree_with(t, "ucb,htif0") : TREE_NONE;
	uint64_t to = t ? tree_address(t, node, 1) : 0;

	*ret_from = t ? tree_address(t, node, 0) : 0;
	return to || !*ret_from ? to : *ret_from + HTIF_TOHOST;
}

uint64_t platform_timebase_hz(void)
{
	return platform.timebase_hz;
}

const char *platform_arguments(void)
{
	if (!platform.tree)
		return NULL;
	return tree_text(platform.tree, tree_find(platform.tree, "/chosen"),
			 "bootargs");
}

uint64_t platform_kind(void)
{
	static const char *const words[] = { "compatible", "riscv,isa" };
	uint64_t sum = env_identity();

	for (size_t i = 0; platform.tree && i < ARRAY_LEN(words); i++) {
		const char *text =
			tree_text(platform.tree, platform.cpu, words[i]);

		for (; text && *text; text++)
			sum = (sum ^ (unsigned char)*text) * KIND_FACTOR;
	}
	return sum;
}

static void describe_text(struct wire_line *w, const char *key, int node,
			  const char *property)
{
	const char *text = tree_text(platform.tree, node, property);

	wire_word(w, key, text ? text : "");
}

static void describe_tree(struct wire_line *w)
{
	int chosen = tree_find(platform.tree, "/chosen");
	const char *path = tree_text(platform.tree, chosen, "stdout-path");
	int uart = path ? tree_find(platform.tree, path) : TREE_NONE;

	describe_text(w, "machine", TREE_ROOT, "compatible");
	describe_text(w, "serial", TREE_ROOT, "serial-number");
	describe_text(w, "cpu", platform.cpu, "compatible");
	describe_text(w, "isa_string", platform.cpu, "riscv,isa");
	wire_u64(w, "memory", tree_memory(platform.tree));
	wire_hex(w, "uart", tree_address(platform.tree, uart, 0));
	wire_u64(w, "harts", platform.n_harts);
	wire_u64(w, "parked", platform.n_parked);
	wire_list(w, "hsm", platform.states, platform.n_harts);
}

void platform_describe(struct wire_line *w)
{
	wire_u64(w, "hart", platform.hart);
	if (platform.tree)
		describe_tree(w);
	env_describe(w);
}
