#include "target/boot/sbi/platform.h"

#include <string.h>

#include "target/boot/sbi/fdt.h"
#include "target/boot/sbi/sbi.h"

enum {
	BASE_SPEC_VERSION = 0,
	BASE_IMPLEMENTATION = 1,
	BASE_IMPLEMENTATION_VERSION = 2,
	BASE_VENDOR = 4,
	BASE_ARCHITECTURE = 5,
	BASE_IMP = 6,
	HSM_STATUS = 2,
	HSM_STOPPED = 1,
	/* Answer of a firmware that cannot say. */
	HSM_UNKNOWN = 99,
	MAX_HARTS = 64,
	/* A hart that has just handed over needs a moment to stop. */
	STOP_TRIES = 100 * 1000,
};

static struct platform {
	struct fdt tree;
	uintptr_t blob;
	bool has_tree;
	uint64_t hart;
	uint64_t left; /* the hart we came from, or none */
	uint64_t n_harts;
	uint64_t n_parked; /* other harts that the firmware says are stopped */
	uint64_t ids[MAX_HARTS];
	uint64_t states[MAX_HARTS]; /* as HSM tells them */
	uint32_t cpu;               /* node of this hart */
	uint64_t timebase_hz;
	struct platform_uart uart;
} platform;

static uint64_t hart_state(uint64_t hart)
{
	struct sbi_ret r = sbi_call(SBI_HSM, HSM_STATUS, hart, 0, 0, 0, 0);

	return r.error ? HSM_UNKNOWN : (uint64_t)r.value;
}

/* List the harts the tree enables, find ours. */
static void read_harts(uint32_t cpus)
{
	const struct fdt *f = &platform.tree;
	uint32_t c = fdt_first_child(f, cpus);

	for (; c != FDT_NONE; c = fdt_next_sibling(f, c)) {
		const char *type = fdt_text(f, c, "device_type");
		const char *status = fdt_text(f, c, "status");

		if (!type || strcmp(type, "cpu"))
			continue;
		if (status && strncmp(status, "ok", 2))
			continue;

		uint64_t hart = fdt_number(f, c, "reg", UINT64_MAX);

		if (platform.n_harts < MAX_HARTS)
			platform.ids[platform.n_harts++] = hart;
		if (hart == platform.hart)
			platform.cpu = c;
	}
}

/* Nobody here starts a hart but to move there: those the firmware left
 * stopped stay stopped, and INFO says how many those are. */
static void read_states(void)
{
	platform.n_parked = 0;
	for (uint64_t i = 0; i < platform.n_harts; i++) {
		uint64_t *state = &platform.states[i];

		*state = hart_state(platform.ids[i]);
		if (platform.ids[i] == platform.hart)
			continue;
		for (int t = 0;
		     t < STOP_TRIES && platform.ids[i] == platform.left &&
		     *state != HSM_STOPPED;
		     t++)
			*state = hart_state(platform.ids[i]);
		platform.n_parked += *state == HSM_STOPPED;
	}
}

static void read_cpus(void)
{
	const struct fdt *f = &platform.tree;
	uint32_t cpus = fdt_find(f, "/cpus");

	if (cpus == FDT_NONE)
		return;
	platform.timebase_hz = fdt_number(f, cpus, "timebase-frequency", 0);
	read_harts(cpus);
	read_states();
	/* Old trees state the rate at each cpu. */
	if (!platform.timebase_hz && platform.cpu != FDT_NONE)
		platform.timebase_hz =
			fdt_number(f, platform.cpu, "timebase-frequency", 0);
}

static void read_uart(void)
{
	static const char *const known[] = { "ns16550a", "ns16550",
					     "snps,dw-apb-uart",
					     "intel,xscale-uart" };
	const struct fdt *f = &platform.tree;
	uint32_t chosen = fdt_find(f, "/chosen");
	const char *path =
		chosen == FDT_NONE ? NULL : fdt_text(f, chosen, "stdout-path");
	uint32_t node = path ? fdt_find(f, path) : FDT_NONE;
	bool is_known = false;

	if (node == FDT_NONE)
		return;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		is_known |= fdt_lists(f, node, "compatible", known[i]);
	if (!is_known)
		return;
	platform.uart = (struct platform_uart){
		.address = fdt_address(f, path),
		.shift = (uint32_t)fdt_number(f, node, "reg-shift", 0),
		.width = (uint32_t)fdt_number(f, node, "reg-io-width", 1),
	};
	if (platform.uart.shift > 3 ||
	    (platform.uart.width != 1 && platform.uart.width != 4))
		platform.uart.address = 0;
}

void platform_read(const void *blob, uint64_t hart)
{
	/* A second call comes from the hart that the first one moved to. */
	platform = (struct platform){
		.left = platform.has_tree ? platform.hart : UINT64_MAX,
		.hart = hart,
		.cpu = FDT_NONE,
		.blob = (uintptr_t)blob,
	};
	platform.has_tree = fdt_open(blob, &platform.tree);
	if (!platform.has_tree)
		return;
	read_cpus();
	read_uart();
}

uint64_t platform_timebase_hz(void)
{
	return platform.timebase_hz;
}

const struct platform_uart *platform_uart(void)
{
	return &platform.uart;
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
	const struct fdt *f = &platform.tree;
	uint32_t chosen;

	if (!platform.has_tree)
		return NULL;
	chosen = fdt_find(f, "/chosen");
	return chosen == FDT_NONE ? NULL : fdt_text(f, chosen, "bootargs");
}

void platform_tree(uintptr_t *ret_from, uintptr_t *ret_to)
{
	*ret_from = platform.blob;
	*ret_to = platform.blob;
	if (platform.has_tree)
		*ret_to += platform.tree.total_bytes;
}

static void describe_base(struct wire_line *w, const char *key,
			  unsigned long function)
{
	struct sbi_ret r = sbi_call(SBI_BASE, function, 0, 0, 0, 0, 0);

	if (!r.error)
		wire_hex(w, key, (uint64_t)r.value);
}

static void describe_tree(struct wire_line *w)
{
	const struct fdt *f = &platform.tree;
	const char *compatible = fdt_text(f, FDT_ROOT, "compatible");
	const char *isa = NULL;
	const char *cpu = NULL;

	if (platform.cpu != FDT_NONE) {
		isa = fdt_text(f, platform.cpu, "riscv,isa");
		cpu = fdt_text(f, platform.cpu, "compatible");
	}
	wire_word(w, "machine", compatible ? compatible : "");
	wire_word(w, "cpu", cpu ? cpu : "");
	wire_word(w, "isa_string", isa ? isa : "");
	wire_u64(w, "harts", platform.n_harts);
	wire_u64(w, "parked", platform.n_parked);
	wire_list(w, "hsm", platform.states, platform.n_harts);
}

void platform_describe(struct wire_line *w)
{
	wire_u64(w, "hart", platform.hart);
	if (platform.has_tree)
		describe_tree(w);
	describe_base(w, "sbi", BASE_SPEC_VERSION);
	describe_base(w, "sbi_implementation", BASE_IMPLEMENTATION);
	describe_base(w, "sbi_version", BASE_IMPLEMENTATION_VERSION);
	describe_base(w, "mvendorid", BASE_VENDOR);
	describe_base(w, "marchid", BASE_ARCHITECTURE);
	describe_base(w, "mimpid", BASE_IMP);
}
