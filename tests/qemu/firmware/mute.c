#include "tests/qemu/firmware/variant.h"

const struct firmware_variant variant = {
	.counters = COUNTER_TIME,
};
