/* Wide units that sleep.  An Intel core that has met no wide multiplication or
 * addition for two thirds of a millisecond runs the next ones at a quarter of
 * the speed, for 0.1 to 1.4 ms (an Ice Lake server): longer than a visit takes,
 * so that all of its rows agree on a wrong value.  The pack names kernels that
 * keep such units busy, of 64 bytes and of 32; one of them runs before every
 * row of a kernel with registers as wide, until it takes as long as it does
 * awake.  On cores that do not sleep it does so at once.
 *
 * And for up to 0.7 ms after the last instruction on 64 bytes such a core takes
 * 0.6 cycles instead of 0.5 for a load of 32 bytes: the others run for a
 * millisecond then. */
#ifndef CORE_WAKE_H
#define CORE_WAKE_H

#include "target/core/slot.h"

/* Learn how long each of the pack's kernels takes awake; one that faults, or
 * that the pack does not have, the other stands in for.  slot_open() came
 * before. */
void wake_open(const void *pack);

/* Before a kernel runs: wake what it needs, for three milliseconds at most. */
void wake(const struct pack_kernel *k);

/* Ticks of loads of 32 bytes, to be run behind wake(): a process on the sibling
 * thread that runs code on 64 bytes slows them, too.  0 where the kernel does
 * not care, the pack has no such loads, or they faulted. */
uint64_t wake_loads(const struct pack_kernel *k);

#endif
