/* Receives the commands that the host sends to the runtime. */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include "common/types.h"

enum command_kind {
	COMMAND_NONE, /* nothing valid arrived in time */
	COMMAND_RUN,
	COMMAND_WORK,      /* visit the kernels of two lists */
	COMMAND_HELLO,     /* send info, pack and ready again */
	COMMAND_MOVE,      /* the same, from `core` */
	COMMAND_LOAD,      /* a new pack arrives: the old one is discarded */
	COMMAND_START,     /* all of it was sent: check and start it */
	COMMAND_STAGE,     /* prepare a kernel: sustain_stage() */
	COMMAND_SUSTAIN,   /* run the prepared kernels for a time */
	COMMAND_REGISTERS, /* run a kernel and say what it leaves: observe.h */
	COMMAND_BYE,
	COMMAND_IDLE, /* without a limit only: nothing came for a second */
	COMMAND_GONE, /* the host closed its end */
};

/* Kernels from..to-1. */
struct command_range {
	uint32_t from, to;
};

enum {
	COMMAND_LISTS = 2,
	COMMAND_MAX_RANGES = 256, /* of one list */
};

/* run: kernels from..to-1, as visit number `visit`.  work: those of the lists;
 * from and to are their first and the one behind their last. */
struct command {
	uint32_t from, to, visit;
	/* work: where the code stands: another number asks for another place. */
	uint32_t place;
	/* work: kernels that need a quiet core, and those that do not. */
	size_t n_ranges[COMMAND_LISTS];
	struct command_range ranges[COMMAND_LISTS][COMMAND_MAX_RANGES];
	/* Results of the host from earlier rounds, in thousandths of a cycle:
	 * an iteration of the probe on an undisturbed core, and the cost of a
	 * reading.  0: not known. */
	uint32_t probe, reading;
	uint32_t ignored; /* set of row_ignored() */
	/* sustain: for `ticks` of the REF clock from `begin` on; `begin` 0: at
	 * once. */
	uint64_t begin, ticks;
	uint64_t core; /* move */
};

enum { COMMAND_FOREVER = 0 };

/* Wait up to `ms` milliseconds for a valid command; COMMAND_FOREVER: until one
 * arrives or a second passes without input (COMMAND_IDLE).  Damaged and unknown
 * lines are answered by an error record.  A run or work of kernels beyond `n_kernels`
 * is refused. */
enum command_kind command_wait(uint32_t ms, uint32_t n_kernels,
			       struct command *ret);

#endif
