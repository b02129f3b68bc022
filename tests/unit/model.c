/* The model: busiest ports, latency of a pair, and rejected models. */
#include "host/model/model.h"
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

enum { P0 = 1, P1 = 2, P2 = 4 };

static void assert_bound(const struct model_use *uses, size_t n, double cycles,
			 model_ports set)
{
	model_ports busiest;

	assert_float_equal(model_port_bound(uses, n, &busiest), cycles, 1e-9);
	assert_int_equal(busiest, set);
}

TEST(no_uses)
{
	assert_bound(NULL, 0, 0, 0);
}

/* Two uops on p0 only and two on p0|p1: four cycles of work for two ports. */
TEST(shared_ports)
{
	static const struct model_use uses[] = {
		{ P0, 2, 1 },
		{ P0 | P1, 2, 1 },
	};

	assert_bound(uses, 2, 2, P0);
}

/* No single set is the limit, but their union is. */
TEST(union_is_the_bottleneck)
{
	static const struct model_use uses[] = {
		{ P0 | P1, 2, 1 },
		{ P1 | P2, 2, 1 },
		{ P0 | P2, 2, 1 },
	};

	assert_bound(uses, 3, 2, P0 | P1 | P2);
}

TEST(occupancy_counts)
{
	static const struct model_use uses[] = {
		{ P2, 1, 9 },
		{ P0 | P1 | P2, 3, 1 },
	};

	assert_bound(uses, 2, 9, P2);
}

/* Compared with all subsets of eight ports, for random loads. */
TEST(bound_is_the_maximum_over_all_sets)
{
	uint32_t seed = 1;

	for (int round = 0; round < 500; round++) {
		struct model_use uses[7];
		double best = 0;

		for (size_t i = 0; i < ARRAY_LEN(uses); i++) {
			seed = seed * 1664525 + 1013904223;
			uses[i] = (struct model_use){
				.ports = (seed >> 24) | 1u << (seed & 7),
				.n_uops = 1 + (seed >> 8) % 4,
				.cycles = 1 + (seed >> 12) % 3,
			};
		}
		for (model_ports q = 1; q < 256; q++) {
			double cycles = 0;

			for (size_t i = 0; i < ARRAY_LEN(uses); i++)
				if ((uses[i].ports & ~q) == 0)
					cycles +=
						uses[i].n_uops * uses[i].cycles;
			cycles /= model_ports_count(q);
			best = cycles > best ? cycles : best;
		}
		assert_float_equal(
			model_port_bound(uses, ARRAY_LEN(uses), NULL), best,
			1e-9);
	}
}

/* Pools of many mnemonics are disjoint: they have 2^40 unions, and the busiest
 * set is the last one. */
TEST(many_disjoint_sets)
{
	enum { SETS = 40 };
	struct model_use uses[SETS];

	for (int i = 0; i < SETS; i++)
		uses[i] = (struct model_use){ (model_ports)1 << i, 1, 1 + i };
	assert_bound(uses, SETS, SETS, (model_ports)1 << (SETS - 1));
}

TEST(closest_latency_wins)
{
	static const struct model_latency latencies[] = {
		{ MODEL_ANY, MODEL_ANY, { true, 4, 4 }, { 0 } },
		{ 3, MODEL_ANY, { true, 2, 2 }, { 0 } },
	};
	const struct model_form f = {
		.name = "FMADDDrrr",
		.n_latencies = 2,
		.latencies = latencies,
	};

	assert_float_equal(model_latency(&f, 1, 0).low, 4, 0);
	assert_float_equal(model_latency(&f, 3, 0).low, 2, 0);
}

TEST(check_names_the_form)
{
	static const struct model_use bad[] = { { P2, 1, 1 } };
	static const struct model_port ports[] = { { .name = "a" },
						   { .name = "b" } };
	const struct model_form form = {
		.name = "ADD",
		.has_ports = true,
		.n_uses = 1,
		.uses = bad,
	};
	struct model m = {
		.isa = "riscv64",
		.source = "test",
		.n_ports = 2,
		.ports = ports,
		.n_forms = 1,
		.forms = &form,
	};
	struct catalogue *c = catalogue_of("riscv64");
	struct err e = { 0 };

	assert_int_equal(model_check(&m, c, &e), ERR_INPUT);
	assert_string_equal(e.message,
			    "test: form ADD: a uop has ports that the "
			    "model lacks");
	m.n_forms = 0;
	e = (struct err){ 0 };
	assert_int_equal(model_check(&m, c, &e), ERR_OK);
}
