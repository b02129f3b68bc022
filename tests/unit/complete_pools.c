/* Pools of forms that are faster than the ports of their table. */
#include "host/model/complete.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

enum { A = 1, B = 2, G = 4 };

/* A form on these ports. */
#define ON(form, on)                                             \
	{                                                        \
		.name = (form), .has_ports = true, .uses = (on), \
		.n_uses = ARRAY_LEN(on)                          \
	}

static bool has_pool(const struct completion *k, const struct completed_form *f,
		     const char *name)
{
	for (size_t i = 0; i < f->n_charges; i++) {
		const char *pool = completed_pool_name(k, f->charges[i].pool);

		if (pool && strcmp(pool, name) == 0)
			return true;
	}
	return false;
}

/* A product twice as fast as its one port must have another port: one that
 * vectors of its width use, not one that only shifts of general registers and
 * fillers use. */
TEST(other_ports_are_of_the_same_registers)
{
	static const struct model_port ports[] = { { .name = "P0" },
						   { .name = "P5" },
						   { .name = "P6" } };
	static const struct model_use on_a[] = { { A, 1, 1 } },
				      on_ab[] = { { A | B, 1, 1 } },
				      on_ag[] = { { A | G, 1, 1 } },
				      more[] = { { A | G, 1, 1 }, { A, 1, 1 } };
	const struct model_form published[] = {
		ON("SHL64ri", on_ag),     ON("VADDPDZrr", on_ab),
		ON("VCVTPD2DQZrr", more), ON("VMULPDZrr", on_a),
		ON("VMULPDrr", on_a),
	};
	const struct model_form measured[] = {
		{ .name = "SHL64ri", .throughput = { true, 0.5, 0.5 } },
		{ .name = "VADDPDZrr", .throughput = { true, 0.5, 0.5 } },
		{ .name = "VCVTPD2DQZrr", .throughput = { true, 1, 1 } },
		{ .name = "VMULPDZrr", .throughput = { true, 0.5, 0.5 } },
		{ .name = "VMULPDrr", .throughput = { true, 1, 1 } },
	};
	const struct model tables = { .isa = "x86_64",
				      .cpu = "invented",
				      .source = "tables",
				      .n_ports = ARRAY_LEN(ports),
				      .ports = ports,
				      .n_forms = ARRAY_LEN(published),
				      .forms = published };
	const struct model m = { .isa = "x86_64",
				 .cpu = "invented",
				 .source = "measured",
				 .width = { true, 6, 6 },
				 .n_forms = ARRAY_LEN(measured),
				 .forms = measured };
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = load(&a, "x86_64", NULL);
	struct completion *k = model_complete(&a, c, &m, &tables);
	const struct completed_form *wide =
		completed_form(k, catalogue_form(c, "VMULPDZrr"));

	assert_true(wide->table_contradicted);
	assert_true(has_pool(k, wide, "(0)"));
	assert_true(has_pool(k, wide, "(0|5)"));
	assert_false(has_pool(k, wide, "(0|6)"));
}

/* A rotation of memory looks like an access that only moves: what else it does is
 * not what a move does.  And where no move has ports, the access of a form whose ports
 * are known is charged all the same. */
TEST(accesses_that_do_more_are_no_moves)
{
	static const struct model_port ports[] = { { .name = "P0" },
						   { .name = "P5" } };
	static const struct model_use both[] = { { A | B, 1, 1 } };
	static const struct model_span half = { true, 0.5, 0.5 };
	struct model_form measured[] = {
		ON("ADDSDrm_Int", both),
		{ .name = "MOVSDrm" },
		ON("VPROLDZ128mbi", both),
	};
	const struct model m = { .isa = "x86_64",
				 .cpu = "invented",
				 .source = "measured",
				 .n_ports = ARRAY_LEN(ports),
				 .ports = ports,
				 .width = { true, 6, 6 },
				 .n_forms = ARRAY_LEN(measured),
				 .forms = measured };
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = load(&a, "x86_64", NULL);
	const struct completed_form *adds;
	struct completion *k;
	bool charged = false;

	for (size_t i = 0; i < ARRAY_LEN(measured); i++)
		measured[i].throughput = half;
	k = model_complete(&a, c, &m, NULL);
	assert_false(completed_form(k, catalogue_form(c, "MOVSDrm"))
			     ->costs.has_ports);
	adds = completed_form(k, catalogue_form(c, "ADDSDrm_Int"));
	assert_true(adds->costs.has_ports);
	for (size_t i = 0; i < adds->n_charges; i++)
		charged |= adds->charges[i].pool == POOL_LOADS &&
			   adds->charges[i].needs;
	assert_true(charged);
}

/* A load that extends what it loads, and is a cycle later than a plain one for
 * it, uses the unit of the extension, of which its table says nothing. */
TEST(a_later_load_computes)
{
	enum { LOADS = 1, ALUS = 2 };
	static const struct model_port ports[] = { { .name = "LD" },
						   { .name = "ALU" } };
	static const struct model_use access[] = { { LOADS, 1, 1 } },
				      alu[] = { { ALUS, 1, 1 } };
	static const struct model_latency late[] = {
		{ .source = 1, .destination = 0, .cycles = { true, 5, 5 } }
	};
	static const struct model_latency plain[] = {
		{ .source = 1, .destination = 0, .cycles = { true, 4, 4 } }
	};
	const struct model_form published[] = {
		ON("MOV32rm", access),  ON("MOVSX64rm32", access),
		ON("MOVSX64rr32", alu), ON("MOVZX32rm16", access),
		ON("MOVZX32rr16", alu),
	};
#define RATE          .throughput = { true, 0.5, 0.5 }
#define LATENCY(list) .n_latencies = 1, .latencies = (list)
	const struct model_form measured[] = {
		{ .name = "MOV32rm", RATE, LATENCY(plain) },
		{ .name = "MOVSX64rm32", RATE, LATENCY(late) },
		{ .name = "MOVSX64rr32", RATE },
		{ .name = "MOVZX32rm16", RATE, LATENCY(plain) },
		{ .name = "MOVZX32rr16", RATE },
	};
#undef RATE
#undef LATENCY
	const struct model tables = { .isa = "x86_64",
				      .cpu = "invented",
				      .source = "tables",
				      .n_ports = ARRAY_LEN(ports),
				      .ports = ports,
				      .n_forms = ARRAY_LEN(published),
				      .forms = published };
	const struct model m = { .isa = "x86_64",
				 .cpu = "invented",
				 .source = "measured",
				 .n_forms = ARRAY_LEN(measured),
				 .forms = measured };
	SCOPED(arena_free) struct arena a = { 0 };
	struct catalogue *c = load(&a, "x86_64", NULL);
	struct completion *k = model_complete(&a, c, &m, &tables);

	assert_true(
		has_pool(k, completed_form(k, catalogue_form(c, "MOVSX64rm32")),
			 "(ALU)"));
	assert_false(
		has_pool(k, completed_form(k, catalogue_form(c, "MOVZX32rm16")),
			 "(ALU)"));
}
