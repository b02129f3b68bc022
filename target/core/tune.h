/* How often a loop must run to take a given time on a reference clock. */
#ifndef CORE_TUNE_H
#define CORE_TUNE_H

#include "target/core/slot.h"

/* Ticks of `ns` nanoseconds, at least `steps` of the steps in which the clock
 * advances. */
uint64_t tune_ticks(uint64_t ns, uint64_t steps);

/* Find the iterations for which length `length` takes about `target` ticks, and
 * set the slot to them.  `empty`: ticks of an empty kernel.  One iteration is
 * too short to scale from, so a tenth of the target is approached first.  The
 * smaller of two runs counts: disturbances only add time.  False if it
 * faulted. */
bool tune_slot(struct slot *s, int length, uint64_t target, uint64_t empty,
	       uint64_t *ret_n);

/* Find the iterations of the sibling's probe for about `target` ticks, from a
 * chain of 1-cycle operations: so many take chain_ticks.  The probe is not run:
 * a busy sibling slows it, and hardly a chain.  Its iterations would differ
 * between starts, and so would the part of the cost of a reading that the host
 * subtracts from each. */
void tune_probe(struct slot *s, uint64_t target, uint64_t chain_operations,
		uint64_t chain_ticks, uint64_t *ret_n);

#endif
