/* Does the last level keep each line that it is asked for?
 *
 * A set that no cache has is read in order several times.  If the level keeps a line
 * only when it is read again, and then with probability p, the shares of the passes
 * that come from memory are 1, 1, 1 - p, (1 - p)^2 ...  Those of n passes from the
 * second on add up to (1 - (1 - p)^n) / p. */
#include <math.h>
#include <stdlib.h>

#include "tests/estimate/machine/machine.h"

enum {
	PASSES = 11,
	SETS = 5,   /* the median of these counts */
	PART = 2,   /* the set is this part of what the level keeps */
	BEYOND = 4, /* and at least so many times the level before */
};

/* The share of each pass that comes from memory: the median of the sets, because a
 * disturbance lasts for few passes.  Seconds of a line: in memory, and in the
 * level. */
static void find_shares(size_t bytes, double memory, double level,
			double shares[PASSES])
{
	double seconds[SETS][PASSES];

	for (int i = 0; i < SETS; i++)
		measure_passes(bytes, seconds[i], PASSES);
	for (int k = 0; k < PASSES; k++) {
		double of_pass[SETS];

		for (int i = 0; i < SETS; i++)
			of_pass[i] = seconds[i][k];
		qsort(of_pass, SETS, sizeof(*of_pass), probe_by_size);
		shares[k] = (of_pass[SETS / 2] - level) / (memory - level);
		shares[k] = fmax(0, fmin(1, shares[k]));
	}
}

/* The percent for which the shares add up to this. */
static unsigned long percent_of(double sum)
{
	unsigned long percent = 100;

	for (; percent > 1; percent--) {
		double p = (double)percent / 100;

		if ((1 - pow(1 - p, PASSES - 1)) / p >= sum)
			break;
	}
	return percent;
}

unsigned long machine_keep(const struct level *levels, size_t n)
{
	/* Memory has to be so much slower, or the passes are too much alike. */
	static const double slower = 1.3;
	size_t least = BEYOND * levels[n - 2].bytes;
	size_t bytes = levels[n - 1].kept / PART / HUGE_PAGE * HUGE_PAGE;
	double shares[PASSES], memory, level, sum = 0;

	if (bytes < least)
		return 0;
	memory = measure_pass(MOST, 0);
	level = measure_pass(bytes, 0);
	if (memory < slower * level)
		return 0;
	find_shares(bytes, memory, level, shares);
	for (int k = 1; k < PASSES; k++)
		sum += shares[k];
	/* Most of the second pass has to come from memory. */
	return shares[1] > 0.5 ? percent_of(sum) : 0;
}
