/* Which numbers of a row are time inside kernels. */
#include "tests/unit/store_scratch.h"

#include "common/row.h"
#include "host/campaign/timing.h"

EACH(set_up, tear_down);

enum { HZ = 1000 };

/* A run on a reference clock, whose kernel 0 has one row of these numbers. */
static struct timing timing_of_row(struct scratch *t, const uint64_t *row,
				   uint32_t n)
{
	struct run r = { .board = "fake",
			 .isa = "riscv64",
			 .cpu = "generic",
			 .clock = CLOCK_REF,
			 .what = "latency",
			 .forms = ".*",
			 .tool = "0.1",
			 .date = "2026-01-02T03:04:05Z",
			 .ref_hz = HZ,
			 .kernel_cycles = 2000 };
	const struct sample sample = { .n_iterations = 10,
				       .calib_iterations = { 1, 1, 1 },
				       .n_rows = 1,
				       .row = n,
				       .values = row };
	struct timing ret;

	ok(t, store_run_new(t->s, &r, &t->err));
	add_kernel(t, r.id, 0);
	ok(t, store_sample(t->s, r.id, &sample, &t->err));
	ok(t, timing_of(t->s, r.id, &ret, &t->err));
	assert_int_equal(ret.n_kernels, 1);
	assert_int_equal(ret.n_visits, 1);
	return ret;
}

TEST(sandwich)
{
	const uint64_t row[ROW_REF] = { 1000,  2000,  3000, 10000,
					20000, 30000, 4000, 5000 };
	struct timing t = timing_of_row(*state, row, ROW_REF);

	assert_float_equal(t.kernel_seconds, 60, 1e-9);
	assert_float_equal(t.calib_seconds, 15, 1e-9);
}

TEST(sandwich_of_a_wide_kernel)
{
	const uint64_t row[ROW_REF_WIDE] = { 1000,  2000, 3000, 10000, 20000,
					     30000, 4000, 5000, 6000,  7000 };
	struct timing t = timing_of_row(*state, row, ROW_REF_WIDE);

	assert_float_equal(t.kernel_seconds, 60, 1e-9);
	assert_float_equal(t.calib_seconds, 28, 1e-9);
}
