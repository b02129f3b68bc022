/* Latencies that a model has as an interval: another layer says where in it
 * they are, or they are marked. */
#include <math.h>

#include "host/model/complete.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

/* A model of one form with one latency. */
struct one {
	struct model_latency latency;
	struct model_form form;
	struct model model;
};

static const struct model *fill(struct one *x, double low, double high)
{
	*x = (struct one){
		.latency = { MODEL_ANY, MODEL_ANY, { true, low, high }, { 0 } },
		.form = { .name = "VEXTRACTF128rr",
			  .throughput = { true, 1, 1 },
			  .n_latencies = 1 },
		.model = { .isa = "x86_64", .source = "x", .n_forms = 1 },
	};
	x->form.latencies = &x->latency;
	x->model.forms = &x->form;
	return &x->model;
}

TEST(another_layer_says_where_in_an_interval)
{
	static const struct {
		double low, high, table; /* 0: no tables */
		double cycles;
		enum model_origin origin;
	} rows[] = {
		{ 0.17, 3.04, 3, 3, ORIGIN_TABLES },
		{ 0.17, 3.04, 4, 1.605, ORIGIN_BETWEEN },
		{ 0.17, 3.04, 0, 1.605, ORIGIN_BETWEEN },
		{ 2.98, 3.02, 4, 3, ORIGIN_MODEL },
		{ 2.98, 3.02, 0, 3, ORIGIN_MODEL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct catalogue *c = load(&a, "x86_64", NULL);
		struct one own, table;
		const struct model *tables =
			rows[i].table > 0
				? fill(&table, rows[i].table, rows[i].table)
				: NULL;
		struct completion *k;
		enum model_origin origin;
		double cycles;

		k = model_complete(&a, c, fill(&own, rows[i].low, rows[i].high),
				   tables);
		cycles = completed_latency(
			completed_form(k, form(c, "VEXTRACTF128rr")), 1, 0,
			&origin);
		assert_int_equal(origin, rows[i].origin);
		assert_true(fabs(cycles - rows[i].cycles) < 1e-9);
	}
}
