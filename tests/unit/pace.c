/* Which rank of kernels is measured next, with how many visits, and when
 * measuring ends; the numbers of settled kernels are invented. */
#include "host/campaign/pace.h"
#include "host/campaign/forecast.h"
#include "tests/unit/unit.h"

enum { FIRST = 2 };

/* An invented machine: for each rank the share of the open kernels that a visit
 * settles, and the number of kernels that never settle. */
struct machine {
	double share[PACE_RANKS];
	size_t hopeless[PACE_RANKS];
	size_t open[PACE_RANKS];
};

static void visit(struct machine *m, const struct pace_round *round)
{
	for (unsigned i = 0; i < PACE_RANKS; i++)
		for (uint32_t v = 0;
		     v < round->visits && (round->ranks >> i & 1); v++) {
			size_t n = m->open[i] > m->hopeless[i]
					   ? m->open[i] - m->hopeless[i]
					   : 0;

			m->open[i] -= (size_t)(m->share[i] * (double)n);
		}
}

/* Number of rounds until nothing is left to do; *ret_visits: visits of all
 * kernels. */
static unsigned run(struct pace *p, struct machine *m, size_t *ret_visits)
{
	struct pace_round round;
	unsigned n = 0;

	*ret_visits = 0;
	while (pace_next(p, &round)) {
		for (unsigned i = 0; i < PACE_RANKS; i++)
			if (round.ranks >> i & 1)
				*ret_visits += m->open[i] * round.visits;
		visit(m, &round);
		pace_settled(p, &round, m->open, 0);
		assert_true(++n < 1000);
	}
	return n;
}

/* Begins, and takes the first round, which there is. */
static struct pace first_round(const size_t open[PACE_RANKS], bool together,
			       struct pace_round *ret_round)
{
	struct pace p;

	pace_begin(&p, open, FIRST, together);
	assert_true(pace_next(&p, ret_round));
	return p;
}

/* This many are open after the round; there is another one. */
static void round_after(struct pace *p, struct pace_round *round,
			const size_t open[PACE_RANKS])
{
	pace_settled(p, round, open, 0);
	assert_true(pace_next(p, round));
}

/* What is expected covers the first visits of ranks to come, shrinks as kernels
 * settle, and ends at nothing. */
TEST(expected_visits_end)
{
	const size_t open[PACE_RANKS] = { 44000, 23000, 4000 };
	const size_t few[PACE_RANKS] = { 500, 23000, 4000 };
	const size_t none[PACE_RANKS] = { 0 };
	struct pace_round round;
	struct pace p = first_round(open, false, &round);
	size_t before;

	before = pace_expected(&p, &round);
	assert_true(before > FIRST * (open[1] + open[2]));
	assert_true(before < 2 * FIRST * (open[0] + open[1] + open[2]));
	round_after(&p, &round, few);
	assert_in_range(pace_expected(&p, &round), 1, before - 1);
	pace_settled(&p, &round, none, 0);
	assert_int_equal(pace_expected(&p, &round), 0);
}

TEST(ranks_come_in_order)
{
	const size_t open[PACE_RANKS] = { 44000, 23000, 4000 };
	struct pace_round round;
	struct pace p;

	pace_begin(&p, open, FIRST, false);
	for (unsigned i = 0; i < PACE_RANKS; i++) {
		size_t left[PACE_RANKS] = { 0 };

		memcpy(left + i + 1, open + i + 1,
		       (PACE_RANKS - i - 1) * sizeof(*left));
		assert_true(pace_next(&p, &round));
		assert_int_equal(round.ranks, 1u << i);
		assert_int_equal(round.visits, FIRST);
		pace_settled(&p, &round, left, 0);
	}
	assert_false(pace_next(&p, &round));
}

/* Kernels whose visits do not agree come before the next rank as long as this
 * settles more per visit, a few visits at a time. */
TEST(doubtful_ones_come_before_the_next_rank)
{
	const size_t open[PACE_RANKS] = { 44000, 23000, 4000 };
	const size_t most[PACE_RANKS] = { 9000, 23000, 4000 };
	const size_t few[PACE_RANKS] = { 8000, 23000, 4000 };
	struct pace_round round;
	struct pace p = first_round(open, false, &round);

	round_after(&p, &round, most);
	assert_int_equal(round.ranks, 1);
	assert_int_equal(round.visits, PACE_VISITS);
	/* That settled a ninth: 4 x 0.11 is less than 2 x 0.8 / 2. */
	round_after(&p, &round, few);
	assert_int_equal(round.ranks, 2);
	assert_int_equal(round.visits, FIRST);
}

TEST(few_kernels_go_along)
{
	const size_t open[PACE_RANKS] = { 44000, 23000, 100 };
	const size_t left[PACE_RANKS] = { 500, 23000, 10 };
	const size_t tail[PACE_RANKS] = { 100, 200, 5 };
	struct pace_round round;
	struct pace p = first_round(open, false, &round);

	assert_int_equal(round.ranks, 5);
	round_after(&p, &round, left);
	assert_int_equal(round.ranks, 7);
	assert_int_equal(round.visits, FIRST);
	round_after(&p, &round, tail);
	assert_int_equal(round.ranks, 7);
	assert_int_equal(round.visits, PACE_SMALL_VISITS);
}

TEST(a_small_set_is_one_round)
{
	const size_t open[PACE_RANKS] = { 40, 20, 10 };
	const size_t none[PACE_RANKS] = { 0 };
	struct pace_round round;
	struct pace p = first_round(open, false, &round);

	assert_int_equal(round.ranks, 7);
	assert_int_equal(round.visits, FIRST);
	pace_settled(&p, &round, none, 0);
	assert_false(pace_next(&p, &round));
}

/* A board that boots for each round. */
TEST(together_all_ranks_are_one_round)
{
	const size_t open[PACE_RANKS] = { 44000, 23000, 4000 };
	struct pace_round round;

	(void)first_round(open, true, &round);
	assert_int_equal(round.ranks, 7);
}

TEST(a_round_that_settles_too_little_is_the_last)
{
	const size_t open[PACE_RANKS] = { 20000, 0, 0 };
	const size_t half[PACE_RANKS] = { 10000, 0, 0 };
	const size_t enough[PACE_RANKS] = { 9800, 0, 0 };
	const size_t little[PACE_RANKS] = { 9605, 0, 0 };
	const size_t least[PACE_RANKS] = { 9412, 0, 0 };
	struct pace_round round;
	struct pace p = first_round(open, false, &round);

	round_after(&p, &round, half);
	round_after(&p, &round, enough); /* 2.0 % */
	round_after(&p, &round, little); /* 1.99 % */
	round_after(&p, &round, least);  /* 2.0 % */
	round_after(&p, &round, least);
	pace_settled(&p, &round, least, 0);
	assert_false(pace_next(&p, &round));
}

/* The first visits never end a rank.  A rank of few kernels ends after three
 * rounds that settle none. */
TEST(first_visits_do_not_end_a_rank)
{
	const size_t open[PACE_RANKS] = { 30, 0, 0 };
	struct pace_round round;
	struct pace p = first_round(open, false, &round);

	round_after(&p, &round, open);
	assert_int_equal(round.visits, PACE_SMALL_VISITS);
	for (int i = 0; i < 3; i++) {
		assert_true(pace_next(&p, &round));
		pace_settled(&p, &round, open, 0);
	}
	assert_false(pace_next(&p, &round));
}

/* Kernels that settled with two visits are open again when all ranks have
 * ended: they get visits of their own, a few times at most. */
TEST(few_visits_have_rounds_of_their_own)
{
	const size_t open[PACE_RANKS] = { 900, 0, 0 };
	struct pace_round round;
	struct pace p;
	unsigned n = 0;

	pace_begin(&p, open, FIRST, false);
	while (pace_next(&p, &round) && !round.few_visits)
		pace_settled(&p, &round, open, 600);
	assert_true(round.few_visits);
	assert_int_equal(round.ranks, (1u << PACE_RANKS) - 1);
	assert_int_equal(round.visits, PACE_SMALL_VISITS);
	pace_settled(&p, &round, open, 0);
	assert_false(pace_next(&p, &round));
	p.n_few_visits = 600;
	for (; pace_next(&p, &round); n++)
		pace_settled(&p, &round, open, 600);
	assert_int_equal(n, PACE_FEW_VISITS_ROUNDS - 1);
}

TEST(no_rank_starves)
{
	struct machine m = { .share = { 0.001, 0.5, 0.5 },
			     .open = { 40000, 20000, 4000 } };
	struct pace p;
	size_t visits;

	pace_begin(&p, m.open, FIRST, false);
	(void)run(&p, &m, &visits);
	assert_true(p.ranks[0].over);
	assert_true(m.open[0] > 39000);
	assert_true(m.open[1] < 10 && m.open[2] < 10);
	assert_true(visits < 5 * (40000 + 20000 + 4000));
}

/* The number of visits is limited even if every visit settles a little. */
TEST(visits_have_an_end)
{
	struct machine m = { .share = { 0.03, 0.03, 0.03 },
			     .open = { 400000, 200000, 40000 } };
	struct pace p;
	size_t visits;

	pace_begin(&p, m.open, FIRST, false);
	(void)run(&p, &m, &visits);
	for (unsigned i = 0; i < PACE_RANKS; i++) {
		assert_true(p.ranks[i].over);
		assert_true(p.ranks[i].visits >= PACE_MAX_VISITS &&
			    p.ranks[i].visits <
				    PACE_MAX_VISITS + PACE_SMALL_VISITS);
	}
}

TEST(hopeless_kernels_cost_little)
{
	struct machine m = { .share = { 0.8, 0.8, 0.8 },
			     .hopeless = { 300, 100, 20 },
			     .open = { 44000, 23000, 4000 } };
	struct pace p;
	size_t visits;

	pace_begin(&p, m.open, FIRST, false);
	assert_true(run(&p, &m, &visits) < 12);
	assert_true(m.open[0] <= 310 && m.open[1] <= 110 && m.open[2] <= 30);
	assert_true((double)visits < 2.2 * (44000 + 23000 + 4000));
}

TEST(most_values_are_reached_at_a_point)
{
	const struct pace_point points[] = {
		{ 10, 500 }, { 20, 949 }, { 30, 950 }, { 40, 1000 }
	};

	assert_true(pace_reached(points, 4, 0.95) == 30);
	assert_true(pace_reached(points, 1, 0.95) == 10);
	assert_true(pace_reached(points, 0, 0.95) == 0);
}

TEST(little_time_makes_small_blocks)
{
	assert_int_equal(pace_block(0), 0);
	assert_int_equal(pace_block(1), PACE_SMALL);
	assert_int_equal(pace_block(10), 2500);
	assert_int_equal(pace_block(1e9), 0);
}

TEST(ranks_follow_from_labels)
{
	static const struct {
		const char *label;
		unsigned rank;
	} rows[] = {
		{ "latency:ADD64rr@1>0", 0 },
		{ "latency:CVTSI642SDrr_Int@2>0+MOVPQIto64rr@1>0", 0 },
		{ "throughput:ADC64rr+~TEST64rr", 0 },
		{ "control:MUL64r@0>RAX", 0 },
		{ "merge:INC64r@EFLAGS.CF>EFLAGS.CF", 0 },
		{ "mix:4xMOV32ri+2xMOV64rm", 0 },
		{ "mix:2xMOV64rm+MOV64mr", 0 },
		{ "calibrate:ADD64rr", 0 },
		{ "probe:NOOP", 0 },
		{ "wake:VMULPDYrr", 0 },
		{ "loop:ADD64rr", 1 },
		{ "joint:VPADDDZrrk@3>0", 1 },
		{ "short:VPADDDrr@2>0", 1 },
		{ "dependent:ADC64rr", 1 },
		{ "forward:VADDPDrr@2>0+VMULPDrr@2>0", 2 },
		{ "queue:VADDPDrr@2>0", 2 },
		{ "window:4xVSQRTSDr_Int@2>0+~9xMOV64rm", 2 },
		{ "mix:VADDPDrm/index+4xXOR32rr/same", 2 },
		{ "", 2 },
		{ "new:ADD64rr", 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (experiment_rank(rows[i].label) != rows[i].rank)
			fail_msg("%s: rank %u", rows[i].label,
				 experiment_rank(rows[i].label));
}

/* 1000 kernels at 100 visits a second, and 3 s to plan. */
/* A busy machine: the time was over after one visit, or before all kernels had
 * one. */
TEST(a_part_without_its_visits_says_nothing)
{
	struct forecast f = {
		.n_part = 400,
		.first_visits = 2,
		.all_visits = 2.3,
		.n_missing = 4,
	};

	assert_true(forecast_has_rounds(&f));
	f.all_visits = 1.9;
	assert_false(forecast_has_rounds(&f));
	f.all_visits = 2.3;
	f.n_missing = 200;
	assert_false(forecast_has_rounds(&f));
}

TEST(a_forecast_from_a_part)
{
	struct forecast f = {
		.n_kernels = 1000,
		.plan_seconds = 3,
		.rate = 100,
		.first_visits = 2,
		.all_visits = 2.5,
	};

	forecast_extend(&f);
	assert_float_equal(f.least_seconds, 23, 1e-9);
	assert_float_equal(f.most_seconds, 28, 1e-9);
	/* The part was stopped before each kernel had its first visits. */
	f.all_visits = 0.5;
	forecast_extend(&f);
	assert_float_equal(f.most_seconds, 23, 1e-9);
}

/* What is learned from later ranks may reopen kernels of one that has ended:
 * they are visited again. */
TEST(a_rank_is_reopened)
{
	const struct pace_round first = { .ranks = 1, .visits = FIRST };
	const struct pace_round other = { .ranks = 2, .visits = FIRST };
	size_t open[PACE_RANKS] = { 4000, 23000, 4000 };
	struct pace p;

	pace_begin(&p, open, FIRST, false);
	open[0] = 2100;
	while (!p.ranks[0].over)
		pace_settled(&p, &first, open, 0);
	open[0] = 2110; /* nearly as many */
	pace_settled(&p, &other, open, 0);
	assert_true(p.ranks[0].over);
	open[0] = 3000;
	pace_settled(&p, &other, open, 0);
	assert_false(p.ranks[0].over);
	while (!p.ranks[0].over)
		pace_settled(&p, &first, open, 0);
	assert_true(p.ranks[0].visits <= PACE_MAX_VISITS);
}

/* A check that opens kernels does not hide those that the round settled. */
TEST(opened_kernels_do_not_count_as_left)
{
	size_t open[PACE_RANKS] = { 500 };
	struct pace_round round;
	struct pace p = first_round(open, false, &round);

	open[0] = 400;
	pace_settled(&p, &round, open, 0);
	for (int i = 0; i < 6; i++) {
		assert_true(pace_next(&p, &round));
		assert_int_equal(round.ranks, 1);
		/* 40 are settled, and as many are new. */
		round.n_opened[0] = 40;
		pace_settled(&p, &round, open, 0);
		assert_true(p.ranks[0].share > 0);
		assert_false(p.ranks[0].over);
	}
}
