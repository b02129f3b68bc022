/* Does the last level keep each line that it is asked for?
 *
 * A buffer that no cache has is read in order several times.  If the level keeps a line when it
 * is read again, and then with probability p, the shares of the passes that come
 * from memory are 1, 1, 1 - p, (1 - p)^2 ...  From the second on they add up to
 * 1 / p. */
#include <math.h>
#include <stdlib.h>

#include "tests/estimate/machine/machine.h"

enum {
	PASSES = 11,
	BUFFERS = 5, /* the median of these counts */
	PART = 2,    /* a buffer is this part of what the level keeps */
	BEYOND = 4,  /* and so many times the level before, at least */
};

/* 1 / p from one buffer; 0: most of the second pass does not come from memory. */
static double sum_of_shares(size_t bytes, double memory)
{
	double seconds[PASSES], best, sum = 0, second = 0;

	measure_passes(bytes, seconds, PASSES);
	best = seconds[0];
	for (int i = 1; i < PASSES; i++)
		best = fmin(best, seconds[i]);
	for (int i = 1; i < PASSES; i++) {
		double share = fmin(1, (seconds[i] - best) / (memory - best));

		second = i == 1 ? share : second;
		sum += share;
	}
	return second > 0.5 ? sum : 0;
}

unsigned long machine_keep(const struct level *levels, size_t n)
{
	/* Memory has to be so much slower, or the passes are too much alike. */
	static const double slower = 1.3;
	size_t least = BEYOND * levels[n - 2].bytes;
	size_t bytes = levels[n - 1].kept / PART / HUGE_PAGE * HUGE_PAGE;
	double sums[BUFFERS], memory, kept;

	if (bytes < least)
		return 0;
	memory = measure_pass(MOST, 0);
	kept = measure_pass(bytes, 0);
	if (memory < slower * kept)
		return 0;
	for (int i = 0; i < BUFFERS; i++)
		sums[i] = sum_of_shares(bytes, memory);
	qsort(sums, BUFFERS, sizeof(*sums), probe_by_size);
	if (!(sums[BUFFERS / 2] > 0))
		return 0;
	return (unsigned long)fmax(1, fmin(100, 100 / sums[BUFFERS / 2] + 0.5));
}
