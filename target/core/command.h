/* Commands of the host. */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include "common/types.h"

enum command_kind {
	COMMAND_NONE, /* nothing valid arrived in time */
	COMMAND_RUN,
	COMMAND_HELLO,
	COMMAND_LOAD,  /* a new pack arrives: the old one is discarded */
	COMMAND_START, /* it should be whole: load_finish() */
	COMMAND_STAGE, /* sustain_stage() */
	COMMAND_SUSTAIN,
	COMMAND_BYE,
	COMMAND_IDLE, /* a second of silence in a wait without a limit */
	COMMAND_GONE, /* the host closed its end */
};

/* run: kernels from..to-1, as visit number `visit`. */
struct command {
	uint32_t from, to, visit;
	/* Results of the host from earlier rounds, in thousandths of a cycle:
	 * an iteration of the probe on an undisturbed core, and the cost of a
	 * reading.  0: not known. */
	uint32_t probe, reading;
	uint32_t ignored; /* set of row_ignored() */
	/* sustain: for `ticks` of the REF clock from `begin` on; 0: at once. */
	uint64_t begin, ticks;
};

enum { COMMAND_FOREVER = 0 };

/* Wait for a valid command, for `ms` or without a limit; anything damaged or
 * unknown is answered by an error record.  The wait without a limit ends with
 * COMMAND_IDLE when nothing arrived for a second.  `n_kernels` bounds a run. */
enum command_kind command_wait(uint32_t ms, uint32_t n_kernels,
			       struct command *ret);

#endif
