/* Differences between the firmwares of this folder; each has a file. */
#ifndef FIRMWARE_VARIANT_H
#define FIRMWARE_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

/* mcounteren: what S-mode may read. */
enum {
	COUNTER_CYCLE = 1 << 0,
	COUNTER_TIME = 1 << 1,
	COUNTER_INSTRET = 1 << 2,
	COUNTERS = COUNTER_CYCLE | COUNTER_TIME | COUNTER_INSTRET,
};

struct firmware_variant {
	bool has_dbcn;
	bool no_power; /* this firmware cannot switch the machine off */
	uint32_t counters;
	uint32_t period; /* ticks between interrupts of its own; 0: none */
};

extern const struct firmware_variant variant;

#endif
