#include "target/boot/hart/platform.h"

#include <libfdt.h>
#include <string.h>

#include "target/boot/bare/tree.h"
#include "target/boot/hart/env.h"

enum {
	MAX_HARTS = 64,
	/* A hart that has just handed over takes some time to stop. */
	STOP_TRIES = 100 * 1000,
	/* Without a region of its own, tohost is behind fromhost: OpenSBI's
	 * fdt_reset_htif.c and QEMU's hw/char/riscv_htif.c. */
	HTIF_TOHOST = 8,
};

static struct platform {
	const void *tree; /* or NULL */
	uint64_t hart;
	uint64_t left; /* the hart that started this one, or none */
	uint64_t n_harts;
	uint64_t n_parked; /* other stopped harts, as the environment says */
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

/* Harts that the firmware left stopped stay stopped, unless the runtime
 * moves there; INFO gives their number. */
static void read_states(void)
{
	platform.n_parked = 0;
	for (uint64_t i = 0; i < platform.n_harts; i++) {
		uint64_t *state = &platform.states[i];

		*state = env_hart_state(platform.ids[i]);
		if (platform.ids[i] == platform.hart)
			continue;
		for (int t = 0;
		     t < STOP_TRIES && platform.ids[i] == platform.left &&
		     *state != ENV_HART_STOPPED;
		     t++)
			*state = env_hart_state(platform.ids[i]);
		platform.n_parked += *state == ENV_HART_STOPPED;
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
	/* The second call is from the hart that the first one moved to. */
	platform = (struct platform){
		.left = platform.tree ? platform.hart : UINT64_MAX,
		.hart = hart,
		.cpu = TREE_NONE,
	};
	if (!tree_check(blob))
		return;
	platform.tree = blob;
	read_cpus();
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

bool platform_has_hart(uint64_t hart)
{
	for (uint64_t i = 0; i < platform.n_harts; i++)
		if (platform.ids[i] == hart)
			return true;
	return false;
}

const char *platform_arguments(void)
{
	if (!platform.tree)
		return NULL;
	return tree_text(platform.tree, tree_find(platform.tree, "/chosen"),
			 "bootargs");
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
