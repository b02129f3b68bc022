/* Matrices of classes and ports that fit experiments. */
#include "host/ports/infer.h"
#include "tests/unit/unit.h"

/* Two classes of two ports without a measured mix: they share two ports, one or
 * none, and no experiment decides. */
TEST(all_fitting_matrices_are_found)
{
	struct matrix_problem p = {
		.n_rows = 2, .size = { 2, 2 }, .width = 6, .cap = 6
	};
	struct ports_answer w = { .n_ports = 0 };
	SCOPED(arena_free) struct arena a = { 0 };
	struct infer in = { .a = &a, .w = &w };
	unsigned ports = 1, seen = 0;

	assert_int_equal(matrix_solve(&p, &ports, &in.solution, NULL), SAT_YES);
	assert_int_equal(ports, 2);
	infer_alternatives(&in, &p, ports + 3);
	assert_int_equal(w.n_matrices, 3);
	assert_true(w.all_matrices);
	for (size_t i = 0; i < w.n_matrices; i++)
		seen |= 1u << model_ports_count(w.matrices[i][0] |
						w.matrices[i][1]);
	assert_int_equal(seen, 1 << 2 | 1 << 3 | 1 << 4);
}

/* With a front end of width two, all unions of two or more ports look the
 * same. */
TEST(hidden_differences_do_not_count)
{
	struct matrix_problem p = {
		.n_rows = 2, .size = { 2, 2 }, .width = 2, .cap = 2
	};
	struct ports_answer w = { .n_ports = 0 };
	SCOPED(arena_free) struct arena a = { 0 };
	struct infer in = { .a = &a, .w = &w };
	unsigned ports = 1;

	assert_int_equal(matrix_solve(&p, &ports, &in.solution, NULL), SAT_YES);
	infer_alternatives(&in, &p, ports + 3);
	assert_int_equal(w.n_matrices, 1);
	assert_true(w.all_matrices);
}

/* One experiment leaves one matrix: both classes together take as long as three
 * ports need. */
TEST(an_experiment_decides)
{
	static const struct matrix_experiment x = { .n = 2,
						    .part = { { 0, 3 },
							      { 1, 3 } },
						    .low = 1.98,
						    .high = 2.02 };
	struct matrix_problem p = { .n_rows = 2,
				    .size = { 2, 2 },
				    .width = 6,
				    .cap = 6,
				    .n_experiments = 1,
				    .experiments = &x };
	struct ports_answer w = { .n_ports = 0 };
	SCOPED(arena_free) struct arena a = { 0 };
	struct infer in = { .a = &a, .w = &w };
	unsigned ports = 1;

	assert_int_equal(matrix_solve(&p, &ports, &in.solution, NULL), SAT_YES);
	assert_int_equal(ports, 3);
	infer_alternatives(&in, &p, ports + 3);
	assert_int_equal(w.n_matrices, 1);
	assert_true(w.all_matrices);
}
