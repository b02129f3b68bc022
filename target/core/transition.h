/* What wide code leaves behind.
 *
 * Some cores change their state a few microseconds after the last wide
 * instruction: they stop for a microsecond or more, and then run at another
 * frequency.  A chain that runs in that time is no calibration of the kernel.
 * Seen so far, after multiplications on 64 bytes:
 *
 *	Golden Cove server     stops 2 us later for 1 us
 *	Granite Rapids server  stops 3 to 6 us later for 1.4 us, then runs
 *	                       8 % faster
 *	Zen 5                  nothing
 *
 * Delay and effect differ from core to core, so they are measured when the
 * runtime starts.  The chains of a kernel's row are then kept clear of the stop
 * in one of two ways. */
#ifndef CORE_TRANSITION_H
#define CORE_TRANSITION_H

#include "target/core/slot.h"

enum transition {
	TRANSITION_NONE, /* nothing that shows */
	/* The delay is longer than a long chain.  The kernel runs before each
	 * chain: the chain then ends before the stop, in the kernel's state. */
	TRANSITION_HOLD,
	/* The delay is shorter: the chains wait until the stop is over. */
	TRANSITION_PASS,
};

/* Measure what the wide probe of each width leaves behind.  `chain` is a
 * calibration chain with its iterations.  False if it faults. */
bool transition_open(struct slot *chain);

/* What the wide probes of this kernel leave behind; TRANSITION_NONE for a kernel
 * without wide probes. */
enum transition transition_of(const struct pack_kernel *k);

/* Run `chain` until what the probes left behind has passed.  Where nothing was
 * found this takes the time of a long chain, because a stop may be too short to
 * be found.  False if the chain faults. */
bool transition_pass(const struct pack_kernel *k, struct slot *chain);

#endif
