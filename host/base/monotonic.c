#include "host/base/monotonic.h"

#include <time.h>

uint64_t monotonic_ns(void)
{
	enum { NS_PER_S = 1000 * 1000 * 1000 };
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

double monotonic_s(void)
{
	return 1e-9 * (double)monotonic_ns();
}
