/* Values of probes from rows of a machine whose disturbances are known, and from
 * passes that differ. */
#include <limits.h>

#include "tests/unit/noise.h"
#include "tests/unit/unit.h"

#include "host/structures/probe.h"

enum { PACKS = 60, EACH = 12 }; /* kernels */

/* What a run of packs gave. */
struct run {
	size_t n_busy, n_known;
	/* Not `busy`, but wrong; `busy`, but right. */
	size_t n_wrong, n_false;
};

/* Packs of kernels of 3 cycles, which take half as long again while the sibling is
 * busy; the clock has steps of so many ticks.  Each pack is judged by what it and
 * those before it tell, as probe.c does. */
static struct run measure(struct machine *q, uint64_t step)
{
	static const struct kernel k = { .cycles = 3,
					 .second = 3,
					 .shared = 0.5 };
	static uint64_t values[EACH][MACHINE_ROWS * 8];
	struct calibration c = machine_calibration;
	struct visit_facts *facts = calloc(PACKS * EACH, sizeof(*facts));
	struct kernel_row row = { .label = "x" };
	struct run ret = { .n_busy = 0 };
	size_t n = 0;

	memcpy(row.unroll, machine_shape.unroll, sizeof(row.unroll));
	for (size_t pack = 0; pack < PACKS; pack++) {
		struct sample m[EACH];

		/* The number of iterations differs between starts. */
		q->n_probe = PROBE_N + pack % 2;
		for (size_t i = 0; i < EACH; i++) {
			m[i] = machine_visit(q, &k, 0, values[i]);
			for (size_t d = 0; d < ARRAY_LEN(values[i]); d++)
				values[i][d] -= values[i][d] % step;
			n += estimate_visit_facts(&c, &machine_shape, &m[i],
						  &facts[n]);
		}
		estimate_calibrate(&c, facts, n);
		q->now += 0.1e9;
		for (size_t i = 0; i < EACH; i++) {
			struct probe_value v =
				passes_value(&c, &row, &m[i], 1, 1);
			bool right = fabs(v.cycles / k.cycles - 1) <= 0.02;

			ret.n_known += v.known;
			ret.n_busy += v.known && v.busy;
			ret.n_wrong += v.known && !v.busy && !right;
			ret.n_false += v.known && v.busy && right;
		}
	}
	free(facts);
	return ret;
}

/* The steps of the clock are noise of the sibling's probe: no row is disturbed. */
TEST(an_idle_machine_has_no_busy_values)
{
	static const uint64_t steps[] = { 1, 21, 25 };

	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct machine q = machine_new(seed);
			struct run r;

			q.sibling.gap_ns = q.storm.gap_ns = INFINITY;
			r = measure(&q, steps[i]);
			assert_true(r.n_known >= PACKS * EACH * 99 / 100);
			assert_int_equal(r.n_busy, 0);
			assert_int_equal(r.n_wrong, 0);
		}
}

TEST(values_of_a_busy_sibling_are_told_apart)
{
	static const uint64_t steps[] = { 1, 21 };

	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		struct machine q = machine_new(5);
		struct run r;

		/* For about half of the time. */
		q.sibling = (struct episode){ 0.9e9, 0.2e9, 1e9, -1, -1 };
		r = measure(&q, steps[i]);
		assert_true(r.n_busy > r.n_known / 5);
		assert_true(r.n_busy < r.n_known * 4 / 5);
		assert_true(r.n_false <= r.n_known / 100);
		assert_true(r.n_wrong <= r.n_known / 100);
	}
}

/* ---- passes ------------------------------------------------------------------- */

/* The second probe takes longer in each pass; the third is disturbed by another
 * thread in the first ones. */
struct drifting {
	unsigned n_passes, n_busy;
	unsigned asked[3];
};

static int ask_drifting(void *context, const struct core_probe *list,
			const bool *settled, size_t n, struct probe_value *ret,
			struct err *e)
{
	struct drifting *d = context;

	(void)list;
	(void)e;
	for (size_t i = 0; i < n; i++) {
		double cycles = i == 1   ? 1 + d->n_passes
				: i == 2 ? 1 + (d->n_passes < d->n_busy)
					 : 1;

		if (settled[i])
			continue;
		d->asked[i]++;
		ret[i] = (struct probe_value){ .known = true,
					       .busy = i == 2 &&
						       d->n_passes < d->n_busy,
					       .cycles = cycles,
					       .low = cycles,
					       .high = cycles };
	}
	d->n_passes++;
	return ERR_OK;
}

TEST(passes_go_on_while_values_differ)
{
	static const struct core_probe list[3];
	struct probe_value v[3];
	struct drifting d = { .n_busy = 1 };
	struct passes q = { .ask = ask_drifting,
			    .context = &d,
			    .n_enough = 100 };
	struct err e = { .code = ERR_OK };

	assert_int_equal(passes_ask(&q, list, 3, v, &e), ERR_OK);
	assert_int_equal(d.asked[0], 2);
	assert_int_equal(d.asked[1], 6);
	assert_int_equal(d.asked[2], 3);
	assert_false(v[0].alone || v[2].alone || v[2].busy);
	assert_true(v[1].alone && v[1].cycles == 1 && v[2].cycles == 1);
	assert_int_equal(q.n_alone, 1);
	assert_int_equal(q.n_busy, 0);
	assert_int_equal(q.n_probes, 2 + 6 + 3);
}

/* A value that was asked once is no doubtful one: none is. */
TEST(two_passes_remain_when_enough_probes_ran)
{
	static const struct core_probe list[3];
	struct probe_value v[3];
	struct drifting d = { .n_passes = 1 };
	struct passes q = { .ask = ask_drifting, .context = &d };
	struct err e = { .code = ERR_OK };

	assert_int_equal(passes_ask(&q, list, 3, v, &e), ERR_OK);
	assert_int_equal(d.asked[0], 2);
	assert_int_equal(d.asked[1], 2);
	assert_false(v[0].alone || v[2].alone);
	assert_true(v[1].alone);
}

/* Passes go on until another thread of the core rests, but not for ever. */
TEST(passes_wait_for_another_thread)
{
	static const struct core_probe list[3];
	struct probe_value v[3];
	struct drifting d = { .n_busy = 9 };
	struct passes q = { .ask = ask_drifting,
			    .context = &d,
			    .n_enough = 10000 };
	struct err e = { .code = ERR_OK };

	assert_int_equal(passes_ask(&q, list, 3, v, &e), ERR_OK);
	assert_int_equal(d.asked[2], 11);
	assert_true(v[2].cycles == 1 && !v[2].busy && !v[2].alone);
	d.n_busy = UINT_MAX;
	for (int i = 0; i < 100; i++)
		assert_int_equal(passes_ask(&q, list, 3, v, &e), ERR_OK);
	assert_true(v[2].busy);
	/* Of 30 pauses 8 were before, and 4 are in the first six passes; a pass
	 * more follows the last. */
	assert_int_equal(d.asked[2], 11 + 100 * 6 + 30 - 8 - 4 + 1);
}
