#include "target/core/clock.h"

enum {
	NS_PER_S = 1000 * 1000 * 1000,
	US_PER_S = 1000 * 1000,
	NS_PER_US = 1000,
};

static struct {
	uint64_t hz;
	uint64_t step;
} clock;

/* Two equal reads were made within one step: then the smallest advance is that
 * step.  If no two are equal, the step is shorter than a read, or looks so;
 * 1. */
static uint64_t step_between_reads(void)
{
	/* The smallest of 32 advances is a single step; a clock that does not
	 * advance in this many reads does not work. */
	enum { ADVANCES = 32, MAX_READS = 100 * 1000 };
	uint64_t last = arch_ref_now();
	uint64_t step = UINT64_MAX;
	bool agreed = false;

	for (int reads = 0, seen = 0; reads < MAX_READS && seen < ADVANCES;
	     reads++) {
		uint64_t now = arch_ref_now();
		uint64_t advance = now - last;

		last = now;
		if (advance == 0) {
			agreed = true;
			continue;
		}
		seen++;
		if (advance < step)
			step = advance;
	}
	return agreed && step != UINT64_MAX ? step : 1;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void spin(int n)
{
	for (volatile int i = 0; i < n; i++)
		;
}

/* The greatest common divisor of the advances.  The counter of an AMD Zen core
 * advances every 10 ns, by 26 or more.  A second read within that time differs
 * from the first by one, so reads are spaced.  The distance varies, because a
 * constant one would look like a step. */
static uint64_t step_of_counter(void)
{
	/* The chance that all are multiples of more than the step is 2^-64. */
	enum { ADVANCES = 64 };
	uint64_t last = arch_ref_now();
	uint64_t step = 0;

	for (int i = 0; i < ADVANCES; i++) {
		spin(ADVANCES + i);

		uint64_t now = arch_ref_now();

		step = common_divisor(now - last, step);
		last = now;
	}
	return step ? step : 1;
}

static uint64_t find_step(void)
{
	uint64_t slow = step_between_reads();
	uint64_t coarse = step_of_counter();

	return slow > coarse ? slow : coarse;
}

void clock_init(void)
{
	clock.hz = arch_ref_hz();
	clock.step = find_step();
}

uint64_t clock_step(void)
{
	return clock.step;
}

uint64_t clock_hz(void)
{
	return clock.hz;
}

uint64_t clock_ticks(uint64_t ns)
{
	uint64_t hz = clock.hz ? clock.hz : NS_PER_S;
	uint64_t ticks;

	/* Two scales avoid overflow for short and long durations: a minute at
	 * 10 GHz is 6e7 us * 1e10. */
	if (ns < NS_PER_S)
		ticks = ns * hz / NS_PER_S;
	else
		ticks = ns / NS_PER_US * hz / US_PER_S;
	return ticks ? ticks : 1;
}
