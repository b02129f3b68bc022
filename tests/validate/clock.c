/* Sandwiches: chain, probe, short run, long run, probe, chain. */
#include "tests/validate/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/base/arena.h"

enum {
	CHAIN = 100,      /* additions written out */
	CHAIN_LOOPS = 80, /* 8,000 cycles */
	PROBE_LOOPS = 40, /* of 200 no-operations */
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

static double probe_ns(void)
{
	double start = now_ns();

	for (int i = 0; i < PROBE_LOOPS; i++)
		__asm__ volatile(".rept 200\n\tnop\n\t.endr");
	return now_ns() - start;
}

void clock_settle(void)
{
	static const double wide_ns = 1e6;
	double start = now_ns();

	while (now_ns() - start < wide_ns)
		(void)chain_ns();
}

static double run_ns(clock_run run, void *context, enum clock_length length)
{
	double start = now_ns();

	run(context, length);
	return now_ns() - start;
}

bool clock_row(clock_run run, void *context, struct clock_row *ret)
{
	double before = chain_ns(), probe = probe_ns();
	double ns[CLOCK_N] = { run_ns(run, context, CLOCK_SHORT),
			       run_ns(run, context, CLOCK_LONG) };
	double probe_after = probe_ns(), after = chain_ns();
	double per_ns = CHAIN * CHAIN_LOOPS * 2 / (before + after);

	if (fabs(before - after) > 0.02 * fmin(before, after))
		return false;
	/* A sibling that came in between is still there. */
	ret->probe = fmax(probe, probe_after) * per_ns;
	for (int i = 0; i < CLOCK_N; i++)
		ret->cycles[i] = ns[i] * per_ns;
	return true;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(double *list, size_t n, double share)
{
	if (n == 0)
		return 0;
	qsort(list, n, sizeof(*list), by_value);
	return list[(size_t)((double)(n - 1) * share)];
}

/* A neighbour may have the sibling thread for most of the time. */
double clock_quiet(double *probes, size_t n)
{
	return quantile(probes, n, 0.02);
}

/* Disturbance only adds, and a loop may run in one of several states, for
 * thousands of calls: what is often seen at the lower end is the value.  Often:
 * a tenth of all, within so much of each other. */
static double lower_end(double *list, size_t n)
{
	static const double same = 1.02;
	size_t often = n / 10 + 1;

	if (n == 0)
		return 0;
	qsort(list, n, sizeof(*list), by_value);
	for (size_t i = 0; i + often <= n; i++)
		if (list[i + often - 1] <= same * list[i])
			return list[i + often / 2];
	return list[n / 4];
}

double clock_difference(const struct clock_row *rows, size_t n, double quiet)
{
	double *list = xrealloc(NULL, n + 1, sizeof(*list));
	double value[CLOCK_N];

	for (int l = 0; l < CLOCK_N; l++) {
		size_t kept = 0;

		for (size_t i = 0; i < n; i++)
			if (clock_is_quiet(&rows[i], quiet))
				list[kept++] = rows[i].cycles[l];
		value[l] = lower_end(list, kept);
	}
	free(list);
	return value[CLOCK_LONG] - value[CLOCK_SHORT];
}
