#include "tests/qemu/firmware/variant.h"

const struct firmware_variant variant = {
	.has_dbcn = true,
	.no_power = true,
	.counters = COUNTERS,
};
