/* What this machine has of the last level, and what other programs do there.
 *
 * A buffer that is read in order again and again is kept up to some size: that from
 * which on reading takes longer than halfway to memory.  If others bring lines
 * into the level as well, a program that reads more slowly keeps less.  With x
 * bytes per cycle of others, a program that asks for r bytes per cycle keeps
 * r / (r + x) of the level (host/estimate/others.c).  Two speeds show the size of
 * the level and x. */
#include <math.h>

#include "tests/estimate/machine/machine.h"

enum {
	BEYOND = 4,     /* a buffer of so many times a level is beyond it */
	UNIT = 1 << 10, /* in which sizes are printed */
	SLOWER = 4,     /* the second speed */
};

/* Additions that depend on each other take a cycle each. */
static double cycles_per_second(void)
{
	enum { PIECES = 200, ADDS = 100 * 1000 };
	double best = 0;

	for (int i = 0; i < PIECES; i++) {
		double start = clock_now(), seconds;
		unsigned long x = 0;

		for (int k = 0; k < ADDS / 10; k++)
			__asm__ volatile("add $1, %0\n\tadd $1, %0\n\t"
					 "add $1, %0\n\tadd $1, %0\n\t"
					 "add $1, %0\n\tadd $1, %0\n\t"
					 "add $1, %0\n\tadd $1, %0\n\t"
					 "add $1, %0\n\tadd $1, %0"
					 : "+r"(x));
		seconds = clock_now() - start;
		if (best == 0 || seconds < best)
			best = seconds;
	}
	return ADDS / best;
}

/* The largest buffer whose lines take less than `middle` seconds each, if the
 * program does nothing for `idle` seconds after each line, which do not count.  By
 * bisection, to an eighth. */
static size_t kept(size_t small, size_t large, double middle, double idle)
{
	if (measure_pass(large, idle) < middle)
		return large;
	while (large - small > small / 8) {
		size_t between = small + (large - small) / 2;

		if (between > 2 * small)
			between = 2 * small;
		if (measure_pass(between, idle) < middle)
			small = between;
		else
			large = between;
	}
	return small;
}

/* Whole sets, and whole units. */
static unsigned long whole(double bytes, unsigned long ways)
{
	unsigned long unit = UNIT * ways;

	return (unsigned long)(bytes / (double)unit + 0.5) * unit;
}

double machine_share(struct level *levels, size_t n)
{
	struct level *last = &levels[n - 1];
	size_t small = BEYOND * levels[n - 2].bytes;
	size_t large = last->bytes < MOST ? last->bytes : MOST;
	double middle, rate, bytes[2], rates[2], others, most;

	last->kept = last->bytes;
	if (small >= large / 2)
		return 0;
	middle = (measure_pass(small, 0) + measure_pass(MOST, 0)) / 2;
	rate = LINE / (middle * cycles_per_second());
	for (int i = 0; i < 2; i++) {
		double idle = i > 0 ? (SLOWER - 1) * middle : 0;

		bytes[i] = (double)kept(small, large, middle, idle);
		rates[i] = i > 0 ? rate / SLOWER : rate;
	}
	most = (double)large;
	last->kept = (unsigned long)bytes[0];
	last->bytes = whole(bytes[0], last->ways);
	if (bytes[0] >= most || bytes[1] >= bytes[0])
		return 0;
	/* Both are r / (r + x) of the level, which is no larger than the kernel
	 * reports. */
	others = bytes[1] / rates[1] - bytes[0] / rates[0];
	others = others > 0 ? (bytes[0] - bytes[1]) / others : HUGE_VAL;
	others = fmin(others, (most / bytes[0] - 1) * rates[0]);
	last->bytes = whole(bytes[0] * (1 + others / rates[0]), last->ways);
	last->shared = true;
	return others;
}
