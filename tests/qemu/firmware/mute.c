#include "tests/qemu/firmware/variant.h"

const struct variant variant = {
	.counters = COUNTER_TIME,
};
