/* Sandwiches: chain, calls, chain. */
#include "tests/validate/clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
	CHAIN = 100,       /* additions written out */
	CHAIN_LOOPS = 120, /* 12,000 cycles */
	N_SANDWICHES = 15,
	N_VISITS = 6,
};

static double now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The compiler may not join additions that it thinks are looked at. */
#define STEP    \
	x += y; \
	__asm__ volatile("" : "+r"(x));
#define STEPS_10 STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP

static uint64_t chain(uint64_t y)
{
	uint64_t x = 1;

	for (int i = 0; i < CHAIN_LOOPS; i++) {
		STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10;
		STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10;
	}
	return x;
}

static double chain_ns(void)
{
	volatile uint64_t y = 3;
	double start = now_ns();

	(void)chain(y);
	return now_ns() - start;
}

/* Nanoseconds that reading the clock itself adds. */
static double overhead_ns(void)
{
	double least = INFINITY;

	for (int i = 0; i < 100; i++) {
		double start = now_ns();

		least = fmin(least, now_ns() - start);
	}
	return least;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Cycles of n calls, or -1 when fewer than a third of the sandwiches have equal
 * sides. */
static double visit(clock_run run, void *context, long n, double overhead)
{
	double cycles[N_SANDWICHES];
	size_t kept = 0;

	run(context, n); /* caches and predictors */
	for (int i = 0; i < N_SANDWICHES; i++) {
		double before = chain_ns() - overhead, start = now_ns(), ns;
		double after;

		run(context, n);
		ns = now_ns() - start - overhead;
		after = chain_ns() - overhead;
		if (fabs(before - after) > 0.02 * fmin(before, after))
			continue;
		cycles[kept++] =
			ns * CHAIN * CHAIN_LOOPS * 2 / (before + after);
	}
	if (kept < N_SANDWICHES / 3)
		return -1;
	qsort(cycles, kept, sizeof(*cycles), by_value);
	return cycles[kept / 2];
}

double clock_cycles(clock_run run, void *context)
{
	enum { GOAL_NS = 15000, MAX_CALLS = 1000000 };
	double overhead = overhead_ns(), best = -1;
	double start;
	long n = 1;

	for (;; n *= 2) {
		start = now_ns();
		run(context, n);
		if (now_ns() - start > GOAL_NS || n > MAX_CALLS)
			break;
	}
	for (int i = 0; i < N_VISITS; i++) {
		double cycles = visit(run, context, n, overhead);

		if (cycles > 0 && (best < 0 || cycles < best))
			best = cycles;
	}
	return best / (double)n;
}
