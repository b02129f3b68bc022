/* From the visits of many kernels: the reliability of their values, and the
 * cost of a kernel. */
#include <math.h>

#include "host/solve/evidence.h"
#include "tests/unit/unit.h"

enum {
	SIBLING = 1 << MARK_SIBLING,
	LOADS = 1 << MARK_LOADS,
	MAX_VISITS = 16,
	KERNELS = 200,
};

/* ---- one kernel ------------------------------------------------------------
 */

static struct visit voting(double cycles, uint8_t marks)
{
	return (struct visit){ .state = VERDICT_OK,
			       .n_rows = 11,
			       .n_values = cycles > 0,
			       .values = { { cycles, 11, marks } },
			       .bound = cycles };
}

/* Judge visits with these values, without flags, before anything is learned. */
static struct estimate judged(const double *v, uint32_t n,
			      enum estimate_combine combine)
{
	static struct evidence prior;
	struct visit visits[MAX_VISITS];
	struct kernel_visits t = { .combine = (uint8_t)combine,
				   .n = n,
				   .visits = visits };

	for (uint32_t i = 0; i < n; i++)
		visits[i] = voting(v[i], 0);
	evidence_prior(&prior);
	return evidence_judge(&prior, &t);
}

static void expect(double a, double b, double c, enum estimate_combine how,
		   enum verdict state, double low, double high)
{
	const double v[] = { a, b, c };
	struct estimate e = judged(v, 3, how);

	assert_int_equal(e.state, state);
	assert_true(e.low == low && e.high == high);
	assert_true(e.has_value && e.n_visits == 3);
}

TEST(visits_that_agree)
{
	expect(1.01, 1, 1.002, COMBINE_MEDIAN, VERDICT_OK, 1.002, 1.002);
	expect(1.01, 1, 1.002, COMBINE_LOWEST, VERDICT_OK, 1.002, 1.002);
}

/* A slow visit in three makes the two that agree too few; a third suffices. */
TEST(slow_visit_is_a_disturbance)
{
	static const double v[] = { 1, 1.5, 1.001, 1.002 };

	for (int how = 0; how < N_COMBINES; how++) {
		struct estimate e = judged(v, 4, (enum estimate_combine)how);

		assert_int_equal(judged(v, 3, (enum estimate_combine)how).state,
				 VERDICT_NOISY);
		assert_int_equal(e.state, VERDICT_OK);
		assert_true(e.low == 1.001 && e.high == 1.001);
	}
}

TEST(fast_visit_contradicts)
{
	static const double v[] = { 0.271, 0.25, 0.271, 0.2711 };
	struct estimate e = judged(v, 4, COMBINE_LOWEST);

	assert_int_equal(e.state, VERDICT_UNSTABLE);
	assert_true(e.low == 0.25 && e.high == 0.271);
}

/* Two of many visits agree by chance, however good their class is. */
TEST(few_that_agree_among_many_are_noise)
{
	static const double v[] = { 1.31, 1, 1.12, 1.001, 1.06, 1.19,
				    1.4,  2, 1.5,  1.7,   1.25, 1.6 };

	assert_int_equal(judged(v, 12, COMBINE_LOWEST).state, VERDICT_NOISY);
}

TEST(a_state_that_recurs_is_named)
{
	static const double v[] = { 0.271, 0.25, 0.271, 0.25, 0.2501, 0.272 };
	struct estimate e = judged(v, 6, COMBINE_LOWEST);

	assert_int_equal(e.state, VERDICT_TWO_STATES);
	assert_true(e.low == 0.25 && e.high == 0.271);
	assert_true(e.low_share == 0.5);
}

TEST(visits_without_agreement)
{
	expect(1, 2, 3, COMBINE_LOWEST, VERDICT_UNSTABLE, 1, 3);
}

/* One calibration that was slowed down makes a visit look faster. */
TEST(fast_visit_is_outvoted)
{
	double v[] = { 4, 4.01, 3.88, 4.02, 4.01, 4 };
	struct estimate e = judged(v, 6, COMBINE_MEDIAN);

	assert_int_equal(e.state, VERDICT_OK);
	assert_true(e.low == 4.01 && e.high == 4.01);
	v[2] = 3.7;
	e = judged(v, 6, COMBINE_MEDIAN);
	assert_int_equal(e.state, VERDICT_UNSTABLE);
	assert_true(e.doubtful);
}

TEST(one_visit_is_noisy)
{
	static const double v[] = { 4, 0, 0 };
	struct estimate e = judged(v, 3, COMBINE_MEDIAN);

	assert_int_equal(e.state, VERDICT_NOISY);
	assert_true(e.has_value && e.low == 4 && e.high == 4 && e.doubtful);
	e = judged(v + 1, 2, COMBINE_MEDIAN);
	assert_int_equal(e.state, VERDICT_NOISY);
	assert_false(e.has_value);
}

TEST(bent_visits_are_the_rule_or_not)
{
	static struct evidence prior;
	struct visit v[3] = { voting(4, 0), voting(4, 0), voting(4, 0) };
	struct kernel_visits t = { .n = 3, .visits = v };

	evidence_prior(&prior);
	v[0].state = VERDICT_NOT_LINEAR;
	assert_int_equal(evidence_judge(&prior, &t).state, VERDICT_OK);
	v[1].state = VERDICT_NOT_LINEAR;
	v[1].rough = 5;
	v[0].bound = v[1].bound = 6;
	assert_int_equal(evidence_judge(&prior, &t).state, VERDICT_NOT_LINEAR);
	assert_true(evidence_judge(&prior, &t).rough == 5);
	assert_true(evidence_judge(&prior, &t).bound == 6);
	t.n = 0;
	assert_int_equal(evidence_judge(&prior, &t).state, VERDICT_MISSING);
}

/* ---- a run ------------------------------------------------------------------
 */

static struct {
	struct visit visits[KERNELS][MAX_VISITS];
	struct kernel_visits list[KERNELS];
	struct evidence evidence;
	uint64_t random;
} run;

static double chance(void)
{
	run.random = run.random * 6364136223846793005ull + 1442695040888963407u;
	return (double)(run.random >> 11) * 0x1p-53;
}

/* How the visits of a kind of kernel are drawn. */
struct world {
	double marked;      /* share of visits with the flag */
	double slow_marked; /* share of those that are slow, */
	double slow;        /* and of those without */
	double slow_by;     /* factor; 0: at random, 1.1 to 2 */
	uint8_t marks, class;
	uint32_t n_visits;
};

static const double truth = 2;

static void fill(const struct world *w, size_t from, size_t to)
{
	for (size_t k = from; k < to; k++) {
		for (size_t i = 0; i < w->n_visits; i++) {
			bool marked = chance() < w->marked;
			double share = marked ? w->slow_marked : w->slow;
			double by = w->slow_by > 0 ? w->slow_by
						   : 1.1 + 0.9 * chance();
			double cycles = truth * (1 + 0.002 * chance());

			if (chance() < share)
				cycles *= by;
			run.visits[k][i] =
				voting(cycles, marked ? w->marks : 0);
		}
		run.list[k] = (struct kernel_visits){
			.class = w->class,
			.combine = COMBINE_LOWEST,
			.n = w->n_visits,
			.visits = run.visits[k],
		};
	}
}

struct outcome {
	size_t n_ok, n_wrong;
};

static struct outcome outcome_of(size_t from, size_t to)
{
	struct outcome o = { 0 };

	for (size_t k = from; k < to; k++) {
		struct estimate e = evidence_judge(&run.evidence, &run.list[k]);

		o.n_ok += e.state == VERDICT_OK;
		o.n_wrong +=
			e.state == VERDICT_OK && fabs(e.low / truth - 1) > 0.01;
	}
	return o;
}

static struct outcome outcome(const struct world *w)
{
	run.random = 7;
	fill(w, 0, KERNELS);
	evidence_learn(&run.evidence, run.list, KERNELS);
	return outcome_of(0, KERNELS);
}

/* Judge visits of 1 cycle whose middle lengths are off the line by so much. */
static struct estimate judged_bent(const double *bends, uint32_t n)
{
	static const uint32_t unroll[] = { 8, 32, 56 };
	static struct evidence prior;
	struct visit visits[MAX_VISITS];
	struct kernel_visits t = { .combine = COMBINE_LOWEST,
				   .n = n,
				   .visits = visits,
				   .unroll = unroll };

	for (uint32_t i = 0; i < n; i++) {
		visits[i] = voting(1, 0);
		visits[i].bend = bends[i];
		visits[i].residual = fabs(bends[i]);
	}
	evidence_prior(&prior);
	return evidence_judge(&prior, &t);
}

/* A bend that all visits have is the kernel's: the slopes of its halves bound
 * it. Two visits ask for a third. */
TEST(a_bend_of_all_visits_is_no_noise)
{
	static const double same[] = { -0.012, -0.01, -0.011 };
	static const double other[] = { -0.012, 0.01, -0.011 };
	static const double small[] = { -0.004, -0.003, -0.004 };
	struct estimate e = judged_bent(same, 3);

	assert_int_equal(e.state, VERDICT_NOT_LINEAR);
	assert_true(e.has_value);
	assert_true(fabs(e.low - 0.978) < 1e-9);
	assert_true(fabs(e.high - 1.022) < 1e-9);
	e = judged_bent(same, 2);
	assert_int_equal(e.state, VERDICT_OK);
	assert_true(e.doubtful);
	assert_int_equal(judged_bent(other, 3).state, VERDICT_OK);
	assert_int_equal(judged_bent(small, 3).state, VERDICT_OK);
}

/* Two visits of an undisturbed run suffice. */
TEST(a_quiet_run_needs_two_visits)
{
	static const struct world w = { .n_visits = 2 };
	struct outcome o = outcome(&w);

	assert_int_equal(o.n_ok, KERNELS);
	assert_int_equal(o.n_wrong, 0);
}

/* If half of all visits of a class are slow by the same factor, two that agree
 * are not enough. */
TEST(a_state_of_the_class_needs_more)
{
	struct world w = { .n_visits = 2, .slow = 0.5, .slow_by = 1.5 };
	struct outcome o = outcome(&w);

	assert_true(o.n_ok < KERNELS / 20);
	w.n_visits = MAX_VISITS;
	o = outcome(&w);
	assert_true(o.n_wrong <= KERNELS / 100);
}

/* Slow visits that scatter do not agree by chance. */
TEST(disturbances_that_scatter_need_fewer)
{
	static const struct world w = { .n_visits = 14, .slow = 0.5 };
	struct outcome o = outcome(&w);

	assert_true(o.n_ok > KERNELS * 7 / 10);
	assert_true(o.n_wrong <= KERNELS / 100);
}

/* A flag without information is ignored, another is not. */
TEST(a_mark_is_evidence)
{
	struct world w = {
		.n_visits = 4, .marked = 0.7, .marks = SIBLING, .slow_marked = 0
	};
	struct outcome o = outcome(&w);

	assert_true(run.evidence.reliability[0][COMBINE_LOWEST].ignored &
		    1 << SIBLING);
	assert_int_equal(o.n_ok, KERNELS);
	assert_int_equal(o.n_wrong, 0);
	w.slow_marked = 0.7;
	w.slow_by = 1.6;
	o = outcome(&w);
	assert_false(run.evidence.reliability[0][COMBINE_LOWEST].ignored &
		     1 << SIBLING);
	assert_true(o.n_wrong <= KERNELS / 100);
}

/* A probe that is slow before every kernel of a class, whose samples agree: its
 * flag is ignored. */
TEST(a_mark_on_all_that_agree_is_ignored)
{
	static const struct world w = {
		.n_visits = 2, .marked = 1, .marks = LOADS, .class = 4
	};
	struct outcome o = outcome(&w);

	assert_true(run.evidence.reliability[4][COMBINE_LOWEST].ignored &
		    1 << LOADS);
	assert_int_equal(o.n_ok, KERNELS);
}

/* A sibling's flag before kernels of every class is not ignored; before those
 * of one class alone it is. */
TEST(a_busy_sibling_is_believed)
{
	struct world w = { .n_visits = 3, .marked = 1, .marks = SIBLING };
	struct outcome o;

	run.random = 7;
	for (uint8_t group = 1; group <= 4; group++) {
		w.class = group;
		fill(&w, (size_t)(group - 1) * KERNELS / 4,
		     (size_t)group * KERNELS / 4);
	}
	evidence_learn(&run.evidence, run.list, KERNELS);
	o = outcome_of(0, KERNELS);
	assert_int_equal(o.n_ok, 0);
	w.marked = 0.1;
	w.class = 1;
	fill(&w, 0, KERNELS * 3 / 4);
	evidence_learn(&run.evidence, run.list, KERNELS);
	assert_true(run.evidence.reliability[4][COMBINE_LOWEST].ignored &
		    1 << SIBLING);
	o = outcome_of(KERNELS * 3 / 4, KERNELS);
	assert_int_equal(o.n_ok, KERNELS / 4);
}
