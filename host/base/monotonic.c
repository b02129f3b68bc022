#include "host/base/monotonic.h"

#include <time.h>

static uint64_t read_ns(clockid_t clock)
{
	enum { NS_PER_S = 1000 * 1000 * 1000 };
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

uint64_t monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

double monotonic_s(void)
{
	return 1e-9 * (double)monotonic_ns();
}

double monotonic_cpu_s(void)
{
	return 1e-9 * (double)read_ns(CLOCK_PROCESS_CPUTIME_ID);
}
