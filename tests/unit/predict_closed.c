/* Ports that are closed to vectors while the widest ones are in flight. */
#include "host/codec/codec.h"
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

enum { WIDE = 20, NARROW = 18, ROWS = WIDE + NARROW + 4 };

static const struct predict_options usual = { .equal_split = false };

static const char *const wide[WIDE] = {
	"VPADDBZrr",  "VPADDWZrr",  "VPADDDZrr",  "VPADDQZrr",  "VPSUBBZrr",
	"VPSUBWZrr",  "VPSUBDZrr",  "VPSUBQZrr",  "VPANDDZrr",  "VPANDQZrr",
	"VPORDZrr",   "VPORQZrr",   "VPXORDZrr",  "VPXORQZrr",  "VPANDNDZrr",
	"VPANDNQZrr", "VPMAXSDZrr", "VPMINSDZrr", "VPMAXUDZrr", "VPMINUDZrr",
};

/* With the two vectors below these are 20. */
static const char *const others[NARROW] = {
	"VPADDBYrr", "VPADDWYrr", "VPADDQYrr", "VPSUBBYrr", "VPSUBWYrr",
	"VPSUBDYrr", "VPSUBQYrr", "VPADDBrr",  "VPADDWrr",  "VPADDDrr",
	"VPADDQrr",  "VPSUBBrr",  "VPSUBWrr",  "VPSUBDrr",  "VPSUBQrr",
	"VPANDrr",   "VPORrr",    "VPXORrr",
};

static const struct row narrow[] = {
	{ "VPADDDYrr", "0|1|5", 1, { { 0 } }, false },
	{ "VPUNPCKLDQrr", "1|5", 1, { { 0 } }, false },
	{ "IMUL64rri8", "1", 3, { { 0 } }, false },
	{ "INC64r", "1|5", 1, { { 0 } }, false },
};

/* A world whose wide forms are on these ports. */
static struct world open_ports(size_t n_wide, size_t n_others,
			       const char *ports)
{
	struct world w = world_open("x86_64");
	struct row rows[ROWS];
	size_t n = 0;

	for (; n < n_wide; n++)
		rows[n] = (struct row){ wide[n], ports, 1, { { 0 } }, false };
	for (size_t i = 0; i < n_others; i++)
		rows[n++] =
			(struct row){ others[i], "0|1|5", 1, { { 0 } }, false };
	for (size_t i = 0; i < ARRAY_LEN(narrow); i++)
		rows[n++] = narrow[i];
	world_ports(&w, "0 1 5");
	world_forms(&w, rows, n);
	return w;
}

#define ADD(n) "vpaddd %ymm1, %ymm2, %ymm" #n "\n"
#define SIX    ADD(3) ADD(4) ADD(5) ADD(6) ADD(7) ADD(8)
#define SWAP   "vpunpckldq %xmm1, %xmm2, %xmm3\n"
#define WIDER  "vpaddd %zmm1, %zmm2, %zmm9\n"

static const char *closed_text(const struct body *b)
{
	return effect_find("closed_ports")->note->value(b);
}

TEST(one_wide_vector_closes_a_port)
{
	static const struct {
		const char *text;
		double open, closed;
		bool says;
	} cases[] = {
		{ SIX, 2, 2, false },
		{ SIX WIDER, 7 / 3.0, 3.5, true },
		{ SWAP SWAP SWAP SWAP, 2, 2, false },
		{ SWAP SWAP SWAP SWAP WIDER, 2, 4, true },
		{ "imulq $3, %rax, %rax\n" WIDER, 1, 1, false },
		{ "incq %rax\nincq %rcx\nincq %rdx\nincq %rsi\n" WIDER, 2, 2,
		  false },
	};
	static const struct {
		size_t n_wide, n_others;
		const char *ports;
		bool closes;
	} cores[] = {
		{ WIDE, NARROW, "0|5", true },
		{ WIDE, NARROW, "0|1|5", false },   /* as on AMD */
		{ WIDE - 1, NARROW, "0|5", false }, /* too few to tell */
		{ WIDE, NARROW - 1, "0|5", false },
		{ WIDE, 0, "0|5", false },
	};

	for (size_t k = 0; k < ARRAY_LEN(cores); k++) {
		SCOPED(world_close)
		struct world w = open_ports(cores[k].n_wide, cores[k].n_others,
					    cores[k].ports);

		for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
			world_predict(&w, cases[i].text, usual);
			assert_cycles(w.p.throughput,
				      cores[k].closes ? cases[i].closed
						      : cases[i].open,
				      cases[i].text);
			assert_true(!closed_text(&w.p.body) ==
				    (!cores[k].closes || !cases[i].says));
		}
	}
}

/* A model without ports, a little faster than those of its tables.  In these
 * one form is on port 5 alone, or none. */
static struct world open_pools(bool has_five)
{
	static const double faster = 0.8;
	static const struct model_use on_five = { 4, 1, 1 };
	struct world w = open_ports(WIDE, NARROW, "0|5");
	struct model *m = arena_copy(&w.a, w.m, sizeof(*m));
	size_t bytes = m->n_forms * sizeof(*m->forms);
	struct model_form *published = arena_copy(&w.a, m->forms, bytes);
	struct model_form *measured;

	for (size_t i = 0; i < m->n_forms; i++)
		if (has_five && strcmp(published[i].name, "VPXORrr") == 0)
			published[i].uses = &on_five;
	measured = arena_copy(&w.a, published, bytes);
	for (size_t i = 0; i < m->n_forms; i++) {
		measured[i].throughput = exactly(
			faster / model_ports_count(published[i].uses[0].ports));
		measured[i].has_ports = false;
		measured[i].n_uses = 0;
	}
	w.m->forms = published;
	w.tables = w.m;
	m->forms = measured;
	m->n_ports = 0;
	m->ports = NULL;
	w.m = m;
	return w;
}

/* A swap takes one port for twice as long, in the pool of its class or of port
 * 5; others of the pool of ports 1 and 5 keep both. */
TEST(charges_go_to_the_ports_that_are_left)
{
	static const struct {
		const char *text;
		double cycles;
	} cases[] = {
		{ SWAP SWAP SWAP SWAP, 1.6 },
		{ SWAP SWAP SWAP SWAP WIDER, 3.2 },
		{ SWAP "incq %rax\nincq %rcx\nincq %rdx\n" WIDER, 1.6 },
		{ SIX, 1.6 },
		{ SIX WIDER, 2.8 },
	};

	for (int five = 0; five < 2; five++) {
		SCOPED(world_close) struct world w = open_pools(five);

		for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
			world_predict(&w, cases[i].text, usual);
			assert_cycles(w.p.throughput, cases[i].cycles,
				      cases[i].text);
		}
	}
}

/* The port of LLVM's tables. */
TEST(real_tables_have_one_port_or_none)
{
	static const struct {
		const char *cpu, *port;
	} cpus[] = {
		{ "skylake-avx512", "p1" }, { "cascadelake", "p1" },
		{ "icelake-server", "p1" }, { "sapphirerapids", "p1" },
		{ "skylake", NULL },        { "haswell", NULL },
		{ "znver4", NULL },         { "znver5", NULL },
	};
	SCOPED(world_close) struct world w = world_open("x86_64");

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		struct err e = { 0 };
		const char *port;

		assert_ok(import_llvm(&w.a, w.c, cpus[i].cpu, &w.m, &e), &e);
		world_predict(&w, ADD(3) WIDER, usual);
		port = closed_text(&w.p.body);
		assert_int_equal(!port, !cpus[i].port);
		if (port)
			assert_string_equal(port, cpus[i].port);
	}
}
