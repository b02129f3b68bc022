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

/* Two reads that agree were both made within one step: then the smallest
 * advance seen is that step.  Where no two agree the clock is finer than a
 * read takes. */
static uint64_t find_step(void)
{
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

	/* Two scales keep both short and long durations clear of overflow:
	 * a minute at 10 GHz is 6e7 us * 1e10. */
	if (ns < NS_PER_S)
		ticks = ns * hz / NS_PER_S;
	else
		ticks = ns / NS_PER_US * hz / US_PER_S;
	return ticks ? ticks : 1;
}
