#include "tests/qemu/checks.h"

#include <string.h>

/* An address that is unmapped on every tested machine: above every bus, and not
 * canonical as a virtual address. */
#define NOWHERE UINT64_C(0x00dead0000000000)

void checks_build(struct hand_pack *p, const struct hand_isa *isa,
		  const struct hand_kernel *kernels, size_t n)
{
	struct pack_header *h = (void *)p->bytes;

	hand_build(p, isa, kernels, n);
	h->kernel_cycles = 2000;
	h->ready_ms = 1;
	hand_checksum(p);
}

static void pack_slope(struct hand_pack *p, const struct hand_isa *isa)
{
	const struct hand_kernel kernels[] = {
		{ .label = "add", HAND_BODY(isa->add) },
		{ .label = "xor", HAND_BODY(isa->xor) },
		{ .label = "nop", HAND_BODY(isa->nop) },
		{ .label = "vector",
		  HAND_BODY(isa->add),
		  .flags = PACK_KERNEL_VECTOR },
	};

	checks_build(p, isa, kernels, ARRAY_LEN(kernels));
}

static void judge_slope(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;
	uint64_t harts;

	if (!find(c, "info", 0, &r))
		fail("info", "none");
	want_word(&r, "clock", "core");
	want_word(&r, "isa", isa->name);
	if (wire_get_u64(&r, "harts", &harts) &&
	    number(&r, "parked") != harts - 1)
		fail("parked", "every other hart");
	for (uint64_t k = N_CALIB; k < N_CALIB + 4; k++) {
		r = about(c, "sample", k);
		want_slope(&r, 1);
		want_alone(&r);
	}
}

/* The core clock without retired instructions: samples lack them. */
static void judge_uncounted(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;
	uint64_t i[128];

	(void)isa;
	if (!find(c, "info", 0, &r))
		fail("info", "none");
	want_word(&r, "clock", "core");
	for (uint64_t k = N_CALIB; k < N_CALIB + 4; k++) {
		r = about(c, "sample", k);
		want_slope(&r, 1);
		if (wire_get_list(&r, "i", i, ARRAY_LEN(i)) >= 0)
			fail("i", "no counts of instructions");
	}
}

/* keys/moved sets these options: every other hart is stopped, among them the
 * one that the firmware had chosen. */
static void judge_moved(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;

	judge_slope(c, isa);
	if (!find(c, "info", 0, &r) || number(&r, "hart") != 2)
		fail("hart", "the one that was asked for");
	if (number(&r, "harts") != 4)
		fail("harts", "four");
	/* Two passes are visits 0 and 1 of each kernel. */
	if (!find(c, "done", 1, &r) || number(&r, "visit") != 1)
		fail("passes", "two");
}

/* On another core than the first: every result says so. */
static void judge_core(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;
	uint64_t core;

	judge_slope(c, isa);
	if (!find(c, "info", 0, &r))
		fail("info", "none");
	core = number(&r, "core");
	if (core != number(&r, "option_core") ||
	    core == number(&r, "first_core"))
		fail("core", "the one that was asked for");
	for (uint64_t k = N_CALIB; k < N_CALIB + 4; k++) {
		r = about(c, "sample", k);
		if (number(&r, "core") != core)
			fail("core of a sample", "that of the info record");
	}
}

/* Sessions of cores, each core once, the first one unmarked: each has a result of
 * every kernel.  Returns how many. */
static uint64_t count_cores(const struct console *c)
{
	struct wire_record r;
	uint64_t seen = 0, n = 0, core = 0, left = 0, named;
	bool is_core_clock = false;
	char clock[8];

	for (size_t i = 0; i < c->n; i++) {
		if (wire_parse(c->lines[i], strlen(c->lines[i]), &r) != WIRE_OK)
			continue;
		if (wire_is(&r, "info")) {
			core = number(&r, "core");
			is_core_clock = wire_get_word(&r, "clock", clock,
						      sizeof(clock)) &&
					strcmp(clock, "core") == 0;
			if (left || core >= 64 || seen >> core & 1)
				fail("info", "each core once");
			seen |= UINT64_C(1) << core;
			n++;
		} else if (wire_is(&r, "pack")) {
			left = number(&r, "kernels") - number(&r, "calib");
		} else if (wire_is(&r, "sample") || wire_is(&r, "fault")) {
			if (wire_get_u64(&r, "core", &named) != (n > 1) ||
			    (n > 1 && named != core) || left-- == 0)
				fail("result",
				     "of the core of the info record");
			if (is_core_clock && wire_is(&r, "sample"))
				want_slope(&r, 1);
		}
	}
	return left ? 0 : n;
}

/* "0-3": as many cores as INFO lists. */
static void judge_all(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;
	char cores[8];

	(void)isa;
	if (!find(c, "info", 0, &r) ||
	    !wire_get_word(&r, "cores", cores, sizeof(cores)) ||
	    strlen(cores) != 3 || cores[2] <= '0')
		fail("info", "several cores");
	if (count_cores(c) != (uint64_t)(cores[2] - '0') + 1)
		fail("cores", cores);
}

/* keys/kinds makes one of four harts another kind. */
static void judge_kinds(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r, other;

	(void)isa;
	if (count_cores(c) != 2)
		fail("cores", "one of each kind");
	if (!find(c, "info", 0, &r) || !find(c, "info", 1, &other) ||
	    number(&r, "kind") == number(&other, "kind") ||
	    (number(&r, "core") != 2 && number(&other, "core") != 2))
		fail("kind", "two, one of them hart 2");
}

/* A core that does not come up is named; the run ends, without results. */
static void judge_absent(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;

	(void)isa;
	if (!find(c, "error", 0, &r) || number(&r, "core") != 9)
		fail("error", "about core 9");
	want_word(&r, "m", "the_core_did_not_start");
	if (find(c, "sample", 0, &r) || !find(c, "bye", 0, &r))
		fail("sample", "no results, but an end");
}

static void pack_faults(struct hand_pack *p, const struct hand_isa *isa)
{
	struct pack_image bad = { .vtype = 0 };

	bad.gpr[isa->address] = NOWHERE;

	const struct hand_kernel kernels[] = {
		{ .label = "add", HAND_BODY(isa->add) },
		{ .label = "illegal", HAND_BODY(isa->illegal) },
		{ .label = "access", HAND_BODY(isa->load), .image = bad },
		{ .label = "hang", HAND_BODY(isa->hang) },
		{ .label = "add", HAND_BODY(isa->add) },
	};

	checks_build(p, isa, kernels, ARRAY_LEN(kernels));
}

static void judge_faults(const struct console *c, const struct hand_isa *isa)
{
	static const char *const causes[] = { "illegal", "access", "hang" };
	struct wire_record r = about(c, "sample", N_CALIB);

	(void)isa;
	want_slope(&r, 1);
	for (size_t i = 0; i < ARRAY_LEN(causes); i++) {
		r = about(c, "fault", N_CALIB + 1 + i);
		want_word(&r, "cause", causes[i]);
		/* The first instruction of each is the one that faults. */
		if (number(&r, "pc") != 0)
			fail(causes[i], "the pc within the kernel");
	}
	r = about(c, "fault", N_CALIB + 2);
	if (number(&r, "addr") != NOWHERE)
		fail("access", "the address");
	r = about(c, "sample", N_CALIB + 4);
	want_slope(&r, 1);
}

void want_records(const struct console *c, const char *text)
{
	size_t n_lines = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct wire_record r;
		size_t n = strlen(c->lines[i]);

		if (wire_parse(c->lines[i], n, &r) != WIRE_OK)
			continue;
		n -= r.start;
		if (strncmp(text, c->lines[i] + r.start, n) != 0 ||
		    text[n] != '\n')
			fail("log", c->lines[i]);
		text += n + 1;
		n_lines++;
	}
	if (n_lines == 0 || *text)
		fail("log", "the records of the console and no more");
}

static void judge_options(const struct console *c, const struct hand_isa *isa)
{
	struct wire_record r;

	judge_slope(c, isa);
	if (!find(c, "info", 0, &r))
		fail("info", "none");
	if (number(&r, "option_passes") != 2)
		fail("options", "of the load options");
}

const struct check checks[] = {
	{ "slope", pack_slope, judge_slope, .log = false },
	{ "uncounted", pack_slope, judge_uncounted, .log = false },
	{ "moved", pack_slope, judge_moved, .log = false },
	{ "core", pack_slope, judge_core, .log = false },
	{ "corelog", pack_slope, judge_core, .log = true },
	{ "all", pack_slope, judge_all, .log = false },
	{ "refall", ref_pack, judge_all, .log = true, .coarse = true },
	{ "kinds", pack_slope, judge_kinds, .log = false },
	{ "absent", pack_slope, judge_absent, .log = false },
	{ "options", pack_slope, judge_options, .log = false },
	{ "log", pack_slope, judge_slope, .log = true },
	{ "faults", pack_faults, judge_faults, .log = false },
	{ "registers", registers_pack, registers_judge, .log = false },
	{ "vectors", vectors_pack, vectors_judge, .log = false },
	{ "ref", ref_pack, ref_judge, .log = false },
	{ "reflog", ref_pack, ref_judge, .log = true },
	{ "coarse", ref_pack, ref_judge, .coarse = true },
	{ NULL, NULL, NULL, .log = false },
};
