#include "tests/qemu/firmware/variant.h"

const struct firmware_variant variant = {
	.has_dbcn = true,
	.counters = COUNTERS,
	/* 10 MHz: some 10,000 instructions at one a nanosecond, three rows of
	 * a kernel. */
	.period = 101,
};
