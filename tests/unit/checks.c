/* Which settled kernels get one more visit, and in which pass. */
#include "host/campaign/work.h"
#include "tests/unit/unit.h"

enum { N = 1000, N_PASSES = 3 };

static size_t count(const uint8_t *pass, unsigned which)
{
	size_t n = 0;

	for (size_t k = 0; k < N; k++)
		n += pass[k] == which;
	return n;
}

/* One in twenty, spread over the pack and over the passes. */
TEST(one_in_twenty_is_checked)
{
	struct checks c = { 0 };
	uint8_t pass[N];
	bool may[N];
	const struct checks_request q = {
		.n = N, .may = may, .n_passes = N_PASSES, .room = N
	};

	memset(may, true, sizeof(may));
	assert_int_equal(checks_choose(&c, &q, pass), N / CHECKS_ONE_IN);
	for (size_t k = 0; k < N; k++)
		assert_int_equal(pass[k] > 0, k % CHECKS_ONE_IN == 0);
	for (unsigned p = 1; p <= N_PASSES; p++)
		assert_in_range(count(pass, p), N / CHECKS_ONE_IN / N_PASSES,
				N / CHECKS_ONE_IN / N_PASSES + 1);
	/* Nothing is left. */
	assert_int_equal(checks_choose(&c, &q, pass), 0);
	assert_int_equal(count(pass, 0), N);
}

/* A round takes what it has room for; the next one goes on. */
TEST(rounds_share_the_checks)
{
	struct checks c = { 0 };
	bool may[N], done[N] = { false };
	uint8_t pass[N];
	struct checks_request q = {
		.n = N, .may = may, .n_passes = N_PASSES, .room = 4
	};
	size_t n, sum = 0;

	memset(may, true, sizeof(may));
	while ((n = checks_choose(&c, &q, pass)) > 0) {
		assert_true(n <= q.room * q.n_passes);
		for (size_t k = 0; k < N; k++) {
			assert_false(done[k] && pass[k]);
			done[k] |= pass[k] > 0;
		}
		sum += n;
	}
	assert_int_equal(sum, N / CHECKS_ONE_IN);
	q.room = 0;
	c = (struct checks){ 0 };
	assert_int_equal(checks_choose(&c, &q, pass), 0);
}

TEST(others_are_left_alone)
{
	struct checks c = { 0 };
	bool may[N];
	uint8_t pass[N];
	const struct checks_request q = {
		.n = N, .may = may, .n_passes = 1, .room = N
	};

	for (size_t k = 0; k < N; k++)
		may[k] = k % (2 * CHECKS_ONE_IN) == 0;
	assert_int_equal(checks_choose(&c, &q, pass), N / CHECKS_ONE_IN / 2);
	for (size_t k = 0; k < N; k++)
		assert_int_equal(pass[k], may[k]);
}
