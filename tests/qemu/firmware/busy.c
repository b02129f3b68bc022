#include "tests/qemu/firmware/variant.h"

const struct variant variant = {
	.has_dbcn = true,
	.counters = COUNTERS,
	/* 10 MHz: some 1,300 instructions at one a nanosecond. */
	.period = 13,
};
