/* Visits that ended early, read together, on the machine of noise.h. */
#include "tests/unit/noise.h"
#include "tests/unit/unit.h"

enum {
	VISITS = 16,
	ROW = 8,
	KERNELS = 40,
	TOGETHER = 1 << MARK_SIBLING | 1 << MARK_TOGETHER,
};

struct world {
	struct machine machine;
	struct calibration calibration;
	uint64_t values[VISITS][MACHINE_ROWS * ROW];
	struct sample samples[VISITS];
};

/* A silent machine and visits of a kernel; the first n_whole are whole, the
 * others ended after their first row, whose probe was slow. */
static void measure(struct world *w, double cycles, uint32_t n_whole)
{
	struct kernel k = { .cycles = cycles, .second = cycles };

	w->machine = machine_new(7);
	machine_silence(&w->machine);
	for (uint32_t i = 0; i < VISITS; i++)
		w->samples[i] = machine_visit(&w->machine, &k, i, w->values[i]);
	w->calibration = machine_calibrate(w->samples, VISITS);
	for (uint32_t i = n_whole; i < VISITS; i++) {
		w->samples[i].n_rows = 1;
		w->values[i][2] += w->values[i][2] / 4;
	}
}

/* The kernel is slower in the visits after `first`, in each by more. */
static void scatter(struct world *w, uint32_t first)
{
	for (uint32_t i = first; i < VISITS; i++)
		for (size_t at = 3; at < 6; at++)
			w->values[i][at] += w->values[i][at] * (i - first) / 20;
}

static size_t read(const struct world *w, struct visit *ret)
{
	return visits_read(&machine_shape, &w->calibration, w->samples, VISITS,
			   ret);
}

TEST(rows_of_short_visits_have_a_value)
{
	struct world w;
	struct visit v[VISITS];

	measure(&w, 4, 2);
	assert_false(visit_is_short(&w.samples[1]));
	assert_true(visit_is_short(&w.samples[2]));
	/* Two whole ones, eleven rows, and the three that are left. */
	assert_int_equal(read(&w, v), 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(v[i].n_values, 1);
		assert_true(fabs(v[i].values[0].cycles / 4 - 1) < 0.005);
		assert_int_equal(v[i].values[0].marks, i < 2 ? 0 : TOGETHER);
	}
	assert_int_equal(v[2].n_rows, MACHINE_ROWS);
	assert_int_equal(v[3].n_rows, 3);
}

/* Five of eleven agree, which is no majority. */
TEST(rows_that_scatter_have_none)
{
	struct world w;
	struct visit v[VISITS];

	measure(&w, 4, 2);
	scatter(&w, 6);
	assert_int_equal(read(&w, v), 4);
	assert_int_equal(v[2].n_values, 0);
	assert_int_equal(v[3].n_values, 0);
}

/* The host's baseline is above the runtime's: the row is disturbed all the
 * same. */
TEST(short_visits_always_have_a_flag)
{
	struct world w;
	struct visit v[VISITS];

	measure(&w, 4, VISITS);
	for (uint32_t i = 2; i < VISITS; i++)
		w.samples[i].n_rows = 1;
	assert_int_equal(read(&w, v), 4);
	assert_int_equal(v[2].n_values, 1);
	assert_int_equal(v[2].values[0].marks, TOGETHER);
	assert_int_equal(v[2].n_unmarked, 0);
}

static struct visit voting(double cycles, uint8_t marks)
{
	return (struct visit){ .state = VERDICT_OK,
			       .n_rows = MACHINE_ROWS,
			       .n_values = 1,
			       .values = { { .cycles = cycles,
					     .n_rows = MACHINE_ROWS,
					     .marks = marks } },
			       .bound = cycles };
}

/* Judge one visit without flags and one read together, after kernels in which
 * so many of ten values read together were wrong. */
static struct estimate judged(unsigned wrong_in_ten)
{
	static struct evidence e;
	struct visit visits[KERNELS][3], mine[2];
	struct kernel_visits list[KERNELS];
	const struct kernel_visits one = { .n = 2, .visits = mine };

	for (unsigned i = 0; i < KERNELS; i++) {
		bool wrong = i % 10 < wrong_in_ten;

		visits[i][0] = visits[i][1] = voting(2, 0);
		visits[i][2] = voting(wrong ? 2.5 : 2, TOGETHER);
		list[i] = (struct kernel_visits){ .n = 3, .visits = visits[i] };
	}
	evidence_learn(&e, list, KERNELS);
	mine[0] = voting(3, 0);
	mine[1] = voting(3.01, TOGETHER);
	return evidence_judge(&e, &one);
}

TEST(they_help_where_they_are_right)
{
	struct estimate e = judged(0);

	assert_int_equal(e.state, VERDICT_OK);
	/* The value is that of the visit without flags. */
	assert_true(e.low == 3);
	assert_int_equal(judged(2).state, VERDICT_NOISY);
}

/* Slowed calibrations make values too fast: what recurs without flags wins over
 * a faster value that counts only with the help of flagged visits. */
TEST(values_without_flags_win)
{
	static struct evidence e;
	struct visit mine[] = { voting(3, 0), voting(3.005, 0), voting(3.01, 0),
				voting(2.88, 0), voting(2.88, TOGETHER) };
	const struct kernel_visits one = { .n = 5, .visits = mine };
	struct estimate r;

	evidence_prior(&e);
	e.reliability[0][0].wrong_alone[TOGETHER] = 0.001;
	r = evidence_judge(&e, &one);
	assert_int_equal(r.state, VERDICT_OK);
	assert_true(r.low >= 3 && r.low <= 3.01);
}
