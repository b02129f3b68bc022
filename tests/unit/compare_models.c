/* Two models made by hand: agreement, overlap, difference. */
#include "host/compare/model.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

struct world {
	struct arena a;
	struct catalogue *c;
	struct compare_models found;
};

static int open_world(void **state)
{
	static struct world w;

	w = (struct world){ .a = { 0 } };
	w.c = load(&w.a, "x86_64", NULL);
	*state = &w;
	return 0;
}

static int close_world(void **state)
{
	struct world *w = *state;

	compare_models_free(&w->found);
	arena_free(&w->a);
	return 0;
}

GROUP(open_world, close_world);

static struct model_span span(double low, double high)
{
	return (struct model_span){ .has_value = true,
				    .low = low,
				    .high = high };
}

/* Compare a form of each side, with a tolerance of 5 %. */
static void compare_forms(struct world *w, const struct model_form *ours,
			  const struct model_form *theirs)
{
	static const struct model_port ports[] = { { .name = "a" },
						   { .name = "b" },
						   { .name = "x",
						     .pseudo = true } };
	const struct model x = { .n_forms = 1,
				 .forms = ours,
				 .n_ports = ARRAY_LEN(ports),
				 .ports = ports };
	struct model y = x;

	y.forms = theirs;
	compare_models_free(&w->found);
	compare_models(w->c, &x, &y, 0.05, &w->found);
}

static size_t n_of(const struct world *w, enum compare_kind kind,
		   enum compare_result result)
{
	/* Nothing else is counted. */
	for (size_t r = 0; r < COMPARE_N_RESULTS; r++)
		if (r != result)
			assert_int_equal(w->found.counts.n[kind][r], 0);
	return w->found.counts.n[kind][result];
}

TEST_ON(throughputs_are_judged_by_their_bounds, struct world *w)
{
	static const struct {
		double ours[2], theirs[2];
		enum compare_result expected;
	} rows[] = {
		{ { 1, 1 }, { 1.04, 1.04 }, COMPARE_AGREES },
		{ { 1, 1 }, { 1.06, 1.06 }, COMPARE_DIFFERS },
		{ { 1, 2 }, { 1.5, 1.5 }, COMPARE_INSIDE },
		{ { 1, 2 }, { 2.05, 2.05 }, COMPARE_INSIDE },
		{ { 1, 2 }, { 2.2, 3 }, COMPARE_DIFFERS },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct model_form x = {
			.name = "ADD64rr",
			.throughput = span(rows[i].ours[0], rows[i].ours[1]),
		};
		const struct model_form y = {
			.name = "ADD64rr",
			.throughput =
				span(rows[i].theirs[0], rows[i].theirs[1]),
		};

		compare_forms(w, &x, &y);
		assert_int_equal(n_of(w, COMPARE_THROUGHPUT, rows[i].expected),
				 1);
		assert_int_equal(
			compare_n_compared(&w->found.counts, COMPARE_SLOTS), 0);
	}
}

TEST_ON(a_difference_names_form_and_values, struct world *w)
{
	const struct model_form x = { .name = "ADD64rr",
				      .throughput = span(1, 2) };
	const struct model_form y = { .name = "ADD64rr",
				      .throughput = span(4, 4) };
	const struct compare_model_difference *d;

	compare_forms(w, &x, &y);
	d = (const void *)w->found.differences[COMPARE_THROUGHPUT].bytes;
	assert_non_null(d);
	assert_string_equal(d->form, "ADD64rr");
	assert_string_equal(d->what, "");
	assert_string_equal(d->ours, "1..2");
	assert_string_equal(d->theirs, "4");
}

TEST_ON(only_forms_of_both_are_compared, struct world *w)
{
	const struct model_form x = { .name = "ADD64rr",
				      .throughput = span(1, 1) };
	const struct model_form y = { .name = "SUB64rr",
				      .throughput = span(1, 1) };

	compare_forms(w, &x, &y);
	assert_int_equal(w->found.n_common, 0);
	assert_int_equal(
		compare_n_compared(&w->found.counts, COMPARE_THROUGHPUT), 0);
}

/* Names of ports and pseudo ports are not compared. */
TEST_ON(ports_are_compared_by_how_many, struct world *w)
{
	static const struct model_use ours[] = { { 1, 2, 1 }, { 4, 1, 1 } };
	static const struct model_use same[] = { { 2, 1, 2 } };
	static const struct model_use more[] = { { 3, 1, 2 } };
	const struct model_form x = {
		.name = "ADD64rr", .has_ports = true, .n_uses = 2, .uses = ours
	};
	struct model_form y = {
		.name = "ADD64rr", .has_ports = true, .n_uses = 1, .uses = same
	};
	const struct compare_model_difference *d;

	compare_forms(w, &x, &y);
	assert_int_equal(n_of(w, COMPARE_PORTS, COMPARE_AGREES), 1);
	y.uses = more;
	compare_forms(w, &x, &y);
	assert_int_equal(n_of(w, COMPARE_PORTS, COMPARE_DIFFERS), 1);
	d = (const void *)w->found.differences[COMPARE_PORTS].bytes;
	assert_string_equal(d->ours, "2 on 1");
	assert_string_equal(d->theirs, "2 on 2");
}
