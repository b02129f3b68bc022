/* Order of a session's requests (passes, then ranks) and the number of visits
 * of each kernel. */
#include "host/link/session_plan.h"
#include "tests/unit/unit.h"

enum { N = 12 };

struct fixture {
	struct plan_kernel kernels[N];
	struct plan_work work;
	struct plan plans[2];
};

/* Plan kernels with these ranks and numbers of stored visits. */
static void begin(struct fixture *f, const char *ranks, const char *before)
{
	*f = (struct fixture){ .work = { .n = N, .kernels = f->kernels } };
	for (uint32_t k = 0; k < N; k++) {
		uint32_t visits = before ? (uint32_t)(before[k] - '0') : 0;

		f->kernels[k] = (struct plan_kernel){
			.wanted = ranks[k] != '-',
			.rank = (uint8_t)(ranks[k] == '-' ? 0 : ranks[k] - '0'),
			.visits = visits,
			.before = visits,
		};
	}
	plan_join(&f->plans[0], &f->work);
}

/* Deliver a sample for every kernel of the request. */
static void arrive(struct plan *p)
{
	struct visit_request r = p->request;

	for (uint32_t k = r.from; k < r.to; k++)
		if (p->work->kernels[k].owner == p->number)
			plan_sample(p, k, r.visit);
	assert_true(plan_request_complete(p));
}

static void expect(struct plan *p, uint32_t from, uint32_t to, uint32_t visit)
{
	assert_true(plan_next(p));
	assert_int_equal(p->request.from, from);
	assert_int_equal(p->request.to, to);
	assert_int_equal(p->request.visit, visit);
	arrive(p);
}

TEST(a_pass_has_low_ranks_first)
{
	struct fixture f;

	begin(&f, "001100220011", NULL);
	plan_set_visits(&f.work, 2, 0);
	for (uint32_t visit = 0; visit < 2; visit++) {
		expect(&f.plans[0], 0, 2, visit);
		expect(&f.plans[0], 4, 6, visit);
		expect(&f.plans[0], 8, 10, visit);
		expect(&f.plans[0], 2, 4, visit);
		expect(&f.plans[0], 10, 12, visit);
		expect(&f.plans[0], 6, 8, visit);
	}
	assert_false(plan_next(&f.plans[0]));
	assert_int_equal(f.work.n_done, 2 * N);
	assert_int_equal(f.work.n_total, 2 * N);
}

/* A kernel's next visit is the other core's, in a later session, too; what is
 * left is its own. */
TEST(another_core_makes_the_next_visit)
{
	struct fixture f;
	uint32_t visits[N];
	uint8_t last[N] = { 0 };

	begin(&f, "000000000000", NULL);
	plan_join(&f.plans[1], &f.work);
	plan_set_visits(&f.work, 2, 0);
	for (int i = 0; i < 2; i++)
		f.plans[i].n_most = 3;
	expect(&f.plans[0], 0, 3, 0);
	expect(&f.plans[1], 3, 6, 0);
	expect(&f.plans[0], 6, 9, 0);
	expect(&f.plans[1], 9, 12, 0);
	expect(&f.plans[0], 3, 6, 1);
	expect(&f.plans[1], 0, 3, 1);
	expect(&f.plans[0], 9, 12, 1);
	/* This core is faster, and nothing else is left. */
	expect(&f.plans[0], 6, 9, 1);
	assert_false(plan_next(&f.plans[0]));
	assert_false(plan_next(&f.plans[1]));
	plan_count(&f.work, visits, last);
	for (uint32_t k = 0; k < N; k++) {
		assert_int_equal(visits[k], 2);
		assert_int_equal(last[k], k < 3 ? 2 : 1);
	}
}

TEST(without_ranks_a_pass_is_one_range)
{
	struct fixture f;
	uint32_t from, to;

	begin(&f, "000000000000", NULL);
	plan_set_visits(&f.work, 1, 0);
	assert_true(plan_next(&f.plans[0]));
	assert_true(plan_range(&f.plans[0], 0, &from, &to));
	assert_int_equal(from, 0);
	assert_int_equal(to, N);
	assert_false(plan_range(&f.plans[0], to, &from, &to));
	arrive(&f.plans[0]);
	assert_false(plan_next(&f.plans[0]));
}

/* New visits are numbered after the stored ones.  All kernels of a range have
 * the same visit number. */
TEST(more_visits_follow_those_before)
{
	struct fixture f;

	begin(&f, "000000000000", "222333330000");
	plan_set_visits(&f.work, 2, 1);
	expect(&f.plans[0], 0, 3, 2);
	expect(&f.plans[0], 3, 8, 3);
	expect(&f.plans[0], 8, 12, 0);
	expect(&f.plans[0], 8, 12, 1);
	assert_false(plan_next(&f.plans[0]));
	for (uint32_t k = 0; k < N; k++)
		assert_int_equal(f.kernels[k].visits, k < 3   ? 3
						      : k < 8 ? 4
							      : 2);
	assert_int_equal(f.work.n_done, f.work.n_total);
}

/* A kernel that is checked has one visit, in its pass; the others have all. */
TEST(a_check_is_one_visit_in_its_pass)
{
	struct fixture f;

	begin(&f, "0000-0000000", "222222222222");
	for (uint32_t k = 5; k < N; k++)
		f.kernels[k].check = (uint8_t)(1 + k % 2);
	plan_set_visits(&f.work, 2, 3);
	assert_int_equal(f.work.n_passes, 3);
	expect(&f.plans[0], 0, 4, 2);
	for (uint32_t k = 6; k < N; k += 2)
		expect(&f.plans[0], k, k + 1, 2);
	/* Kernels that this core visited last come after the others. */
	for (uint32_t k = 5; k < N; k += 2)
		expect(&f.plans[0], k, k + 1, 2);
	expect(&f.plans[0], 0, 4, 3);
	expect(&f.plans[0], 0, 4, 4);
	assert_false(plan_next(&f.plans[0]));
	for (uint32_t k = 0; k < N; k++)
		assert_int_equal(f.kernels[k].visits, k < 4    ? 5
						      : k == 4 ? 2
							       : 3);
	assert_int_equal(f.work.n_done, f.work.n_total);
}

TEST(half_a_pass_is_completed)
{
	struct fixture f;

	begin(&f, "000000000000", "222211111111");
	plan_set_visits(&f.work, 2, 0);
	expect(&f.plans[0], 4, 12, 1);
	assert_false(plan_next(&f.plans[0]));
}

TEST(what_is_not_wanted_is_left_out)
{
	struct fixture f;

	begin(&f, "00----1---00", NULL);
	plan_set_visits(&f.work, 1, 0);
	expect(&f.plans[0], 0, 2, 0);
	expect(&f.plans[0], 10, 12, 0);
	expect(&f.plans[0], 6, 7, 0);
	assert_false(plan_next(&f.plans[0]));
	assert_int_equal(f.work.n_total, 5);
}

TEST(a_fault_ends_a_kernel)
{
	struct fixture f;
	struct plan *p = &f.plans[0];

	begin(&f, "011111111111", NULL);
	plan_set_visits(&f.work, 3, 0);
	assert_true(plan_next(p));
	assert_int_equal(p->request.to, 1);
	plan_fault(p, 0);
	assert_true(plan_request_complete(p));
	for (uint32_t visit = 0; visit < 3; visit++)
		expect(p, 1, N, visit);
	assert_false(plan_next(p));
	assert_int_equal(f.work.n_done, f.work.n_total);
}

TEST(what_is_missing_is_asked_for_again)
{
	struct fixture f;
	struct plan *p = &f.plans[0];

	begin(&f, "000000111111", NULL);
	plan_set_visits(&f.work, 1, 0);
	assert_true(plan_next(p));
	for (uint32_t k = 0; k < 6; k++)
		if (k != 3)
			plan_sample(p, k, 0);
	assert_false(plan_request_complete(p));
	expect(p, 3, 4, 0);
	expect(p, 6, 12, 0);
	assert_false(plan_next(p));
}

/* A board whose stream queues commands has several for one request. */
TEST(a_request_has_several_ranges)
{
	struct fixture f;
	struct plan *p = &f.plans[0];
	uint32_t from, to;

	begin(&f, "001100110100", NULL);
	plan_set_visits(&f.work, 1, 0);
	p->n_ranges = 3;
	assert_true(plan_next(p));
	assert_true(plan_range(p, 0, &from, &to));
	assert_int_equal(from, 0);
	assert_int_equal(to, 2);
	assert_true(plan_range(p, to, &from, &to));
	assert_int_equal(from, 4);
	assert_int_equal(to, 6);
	assert_true(plan_range(p, to, &from, &to));
	assert_int_equal(from, 8);
	assert_int_equal(to, 9);
	assert_false(plan_range(p, to, &from, &to));
	/* Kernels with a result are not requested again. */
	plan_sample(p, 0, 0);
	plan_sample(p, 1, 0);
	assert_int_equal(p->request.in_flight, 4);
	assert_true(plan_range(p, 0, &from, &to));
	assert_int_equal(from, 4);
	arrive(p);
	expect(p, 10, 12, 0);
	assert_true(plan_next(p));
	assert_int_equal(p->request.rank, 1);
	assert_int_equal(p->request.from, 2);
	assert_int_equal(p->request.to, 10);
}

TEST(blocks_have_their_visits_one_by_one)
{
	struct fixture f;

	begin(&f, "010101010101", NULL);
	f.work.block = 5;
	plan_set_visits(&f.work, 2, 0);
	assert_int_equal(f.work.n_blocks, 2);
	f.plans[0].n_ranges = N;
	for (uint32_t rank = 0; rank < 2; rank++)
		for (uint32_t visit = 0; visit < 2; visit++) {
			assert_true(plan_next(&f.plans[0]));
			assert_int_equal(f.plans[0].request.from, rank);
			assert_int_equal(f.plans[0].request.to, rank + 11);
			assert_int_equal(f.plans[0].request.visit, visit);
			assert_int_equal(plan_pass(&f.plans[0]),
					 2 * rank + visit);
			for (uint32_t k = rank; k < N; k += 2)
				plan_sample(&f.plans[0], k, visit);
		}
	assert_false(plan_next(&f.plans[0]));
}

/* Two cores never request the same kernel. */
TEST(cores_share_a_rank)
{
	struct fixture f;

	begin(&f, "000111000111", NULL);
	plan_join(&f.plans[1], &f.work);
	plan_set_visits(&f.work, 2, 0);
	assert_true(plan_next(&f.plans[0]));
	assert_int_equal(f.plans[0].request.to, 3);
	expect(&f.plans[1], 6, 9, 0);
	expect(&f.plans[1], 3, 6, 0);
	expect(&f.plans[1], 9, 12, 0);
	/* The first core still measures its range; the second continues after
	 * it. */
	expect(&f.plans[1], 6, 9, 1);
	arrive(&f.plans[0]);
	expect(&f.plans[0], 0, 3, 1);
	expect(&f.plans[0], 3, 6, 1);
	expect(&f.plans[1], 9, 12, 1);
	assert_false(plan_next(&f.plans[0]));
	assert_false(plan_next(&f.plans[1]));
}
