#include "tests/qemu/firmware/variant.h"

const struct variant variant = {
	.has_dbcn = true,
	.counters = COUNTER_CYCLE | COUNTER_INSTRET,
};
