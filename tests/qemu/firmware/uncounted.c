#include "tests/qemu/firmware/variant.h"

const struct firmware_variant variant = {
	.has_dbcn = true,
	.counters = COUNTER_CYCLE | COUNTER_TIME,
};
