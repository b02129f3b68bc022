/* The cost of a reading and the baselines of probes, from the visits of a
 * run. */
#include <math.h>

#include "host/base/file.h"
#include "host/solve/estimate.h"
#include "tests/unit/unit.h"

enum { VISITS = 1000 };

/* On an undisturbed core, and with a busy sibling: cycles of a reading, and
 * of an iteration of the probe. */
static const double quiet_reading = 81.5, quiet_probe = 25.3;
static const double busy_reading = 116, busy_probe = 46;

/* Visits of which one in ten has a different number of iterations of the probe,
 * and this share a busy sibling. */
static void fill(struct visit_facts *list, double busy)
{
	double sum = 0;

	for (size_t i = 0; i < VISITS; i++) {
		bool is_busy = (sum += busy) >= 1;
		double reading = is_busy ? busy_reading : quiet_reading;
		double probe = is_busy ? busy_probe : quiet_probe;

		sum -= is_busy;
		list[i] = (struct visit_facts){
			.b_over_a = 1,
			.has_probe = true,
			.core = (uint8_t)(i / 10 % 2),
			.reading = reading,
			.n_probe = i % 10 == 0 ? 5 : 12,
		};
		list[i].probes[PROBE_SIBLING] =
			reading + probe * (double)list[i].n_probe;
	}
}

/* A busy sibling delays readings, too.  If it is busy in most visits, the
 * probes of the others must not seem faster than on an undisturbed core: all
 * later visits would be called busy. */
TEST(readings_with_a_busy_sibling)
{
	static const double shares[] = { 0, 0.2, 0.5, 0.6, 0.8 };

	for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
		struct visit_facts list[VISITS];
		struct calibration c = { .usable = false };

		fill(list, shares[i]);
		estimate_calibrate(&c, list, VISITS);
		assert_true(c.usable);
		for (int core = 0; core < 2; core++) {
			double probe = c.baseline[core][0][PROBE_SIBLING];

			assert_true(fabs(c.reading[core] - quiet_reading) <
				    0.01);
			assert_true(fabs(probe - quiet_probe) < 0.01);
		}
	}
}

/* All readings are delayed, so the probe seems too fast.  A known cost of a
 * reading corrects this. */
TEST(reading_that_is_known)
{
	struct visit_facts list[VISITS];
	struct calibration c = { .usable = false };

	fill(list, 0);
	for (size_t i = 0; i < VISITS; i++)
		list[i].reading = busy_reading;
	estimate_calibrate(&c, list, VISITS);
	assert_true(c.baseline[0][0][PROBE_SIBLING] < 0.95 * quiet_probe);
	estimate_recalibrate(&c, list, VISITS, quiet_reading);
	for (int core = 0; core < 2; core++) {
		assert_true(c.reading[core] == quiet_reading);
		assert_true(fabs(c.baseline[core][0][PROBE_SIBLING] -
				 quiet_probe) < 0.01);
	}
	/* Recalibration never raises the cost. */
	estimate_recalibrate(&c, list, VISITS, busy_reading);
	assert_true(c.reading[0] == quiet_reading);
}

/* Probes of a sibling that is idle for this share of the visits, and otherwise
 * busy with any intensity. */
static void fill_uneven(struct visit_facts *list, double idle)
{
	fill(list, 0);
	for (size_t i = 0; i < VISITS; i++) {
		double one = (double)(i * 7919 % VISITS) / VISITS;
		double probe = quiet_probe;

		if (one >= idle)
			probe *= 1.02 + (one - idle) / (1 - idle);
		/* Ticks of a clock. */
		probe *= 1 + 0.005 * (double)(i % 3);
		list[i].row_probe =
			quiet_reading + probe * (double)list[i].n_probe;
		list[i].probes[PROBE_SIBLING] = list[i].row_probe;
	}
}

/* A sibling that is idle at times leaves the probe one time, which stands out;
 * one that is always busy, with any intensity, leaves none. */
TEST(a_sibling_that_is_never_idle)
{
	struct visit_facts list[VISITS];
	struct calibration c = { .usable = false };

	fill_uneven(list, 0.15);
	estimate_calibrate(&c, list, VISITS);
	for (int core = 0; core < 2; core++) {
		double probe = c.baseline[core][0][PROBE_SIBLING];

		assert_false(c.never_quiet[core]);
		assert_true(fabs(probe / quiet_probe - 1) < 0.02);
		assert_true(c.slack[core] >= 0.03 && c.slack[core] < 0.06);
	}
	fill_uneven(list, 0);
	estimate_calibrate(&c, list, VISITS);
	assert_true(c.never_quiet[0] && c.never_quiet[1]);
}
