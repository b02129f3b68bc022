/* Side probes: short kernels that run before every row and whose ticks are
 * recorded with it.  They show states of the core that slow some kernels and
 * leave the calibration chains alone.
 *
 *	sibling   independent instructions: slower while a sibling thread
 *	          shares the front end
 *	wide      multiplications as wide as the kernel: slower while vector
 *	          units sleep (an Ice Lake server lets them sleep after 0.7 ms)
 *	loads     loads of 32 bytes: slower for a while after code on 64 bytes,
 *	          the sibling's code too (the same core: 0.6 cycles for 0.5)
 *
 * wide and loads run before kernels with registers of 32 bytes or more.  The
 * runtime waits, for a bounded time, while one is slower than its baseline; the
 * row is measured all the same when that does not help. */
#ifndef CORE_PROBES_H
#define CORE_PROBES_H

#include "common/row.h"
#include "target/core/slot.h"

/* Prepare the probes of a pack and learn their baselines.  `sibling` and
 * `chain`: the calibration kernels, tuned; NULL on a core clock.  slot_open()
 * came before.  False when one of these two faults; other probes that fault
 * are left out. */
bool probes_open(const void *pack, struct slot *sibling, struct slot *chain);

/* On a core clock, before a kernel: wake what it needs, for three milliseconds
 * at most. */
void probes_wake(const struct pack_kernel *k);

/* The host knows what the sibling probe takes on a quiet core beside such a
 * chain. */
void probes_expect(uint64_t probe, uint64_t chain);

/* The host has learned that these probes tell nothing (row_ignored()): they are
 * run and recorded, but count as fast. */
void probes_ignore(uint32_t ignored);

/* Does the kernel have probes of its own, wide and loads? */
bool probes_are_wide(const struct pack_kernel *k);

/* Run the kernel's own probes: ticks of each, 0 where it was not run. */
void probes_run_wide(const struct pack_kernel *k, uint64_t ticks[N_PROBES]);

/* Which of these are slower than their baselines: bit i is enum probe i.
 * Ticks of the chain in the same row; 0: not run. */
unsigned probes_slow(const struct pack_kernel *k,
		     const uint64_t ticks[N_PROBES], uint64_t chain);

/* Is one of the slow probes worth a wait?  To be asked once for each. */
bool probes_are_worth_waiting(const struct pack_kernel *k, unsigned slow);

/* Run the probes that apply to the kernel until none is slow or `most` ticks
 * have passed. */
void probes_wait(const struct pack_kernel *k, uint64_t chain, uint64_t most);

/* What was slow before a wait, and what still is when a row begins. */
void probes_waited(const struct pack_kernel *k, unsigned before,
		   unsigned after);

/* Let a row teach the baselines. */
void probes_learn(const struct pack_kernel *k, const uint64_t ticks[N_PROBES],
		  uint64_t chain);

#endif
