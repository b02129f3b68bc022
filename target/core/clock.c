#include "target/core/clock.h"

enum {
	NS_PER_S = 1000 * 1000 * 1000,
	US_PER_S = 1000 * 1000,
	NS_PER_US = 1000,
};

static struct {
	uint64_t hz;
} clock;

void clock_init(void)
{
	clock.hz = arch_ref_hz();
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
