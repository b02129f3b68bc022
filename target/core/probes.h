/* Probes: short kernels that run before every row and whose ticks are recorded
 * with it.  They show states of the core that slow some kernels, but not the
 * calibration chains.
 *
 *	sibling   independent instructions: slower while the SMT sibling uses
 *	          the front end
 *	wide      multiplications as wide as the kernel: slower while vector
 *	          units are powered down (an Ice Lake server does that after
 *	          0.7 ms without use)
 *	loads     loads of 32 bytes: slower for a while after code on 64 bytes,
 *	          the sibling's code too (the same core: 0.6 cycles for 0.5)
 *
 * `wide` runs before kernels with registers of 32 bytes or more, `loads` before
 * those of 32 bytes.  The runtime waits, for a bounded time, while one of them
 * is slower than its baseline.  Then it measures the row in any case. */
#ifndef CORE_PROBES_H
#define CORE_PROBES_H

#include "common/row.h"
#include "target/core/slot.h"

/* Prepare the probes of a pack and measure their baselines.  `sibling` and
 * `chain`: the calibration kernels, tuned; NULL on a core clock.  slot_open()
 * came before.  False when one of these two faults; other probes that fault
 * are left out. */
bool probes_open(const void *pack, struct slot *sibling, struct slot *chain);

/* On a core clock, before a kernel: run its probes until none is slow, for at
 * most three milliseconds.  Running them powers units up. */
void probes_wake(const struct pack_kernel *k);

/* The host's figures for an undisturbed core: ticks of the sibling's probe and
 * of the chain of the same row. */
void probes_expect(uint64_t probe, uint64_t chain);

/* Probes without information according to the host (row_ignored()): they are
 * run and recorded, but count as fast. */
void probes_ignore(uint32_t ignored);

/* Does the kernel have probes of its own, wide and loads? */
bool probes_are_wide(const struct pack_kernel *k);

/* Does the pack have kernels of this kernel's width, other than calibration?
 * If not, `wide` and `loads` have no baseline for it. */
bool probes_need(const struct pack_kernel *k);

/* The width of the kernel's registers, which determines its probes. */
enum row_level probes_level(const struct pack_kernel *k);

/* Run the kernel's own probes: ticks of each, 0 where it was not run. */
void probes_run_wide(const struct pack_kernel *k, uint64_t ticks[N_PROBES]);

/* Probes that are slower than their baselines: bit i is enum probe i.  Ticks of
 * the chain in the same row; 0: not run. */
unsigned probes_slow(const struct pack_kernel *k,
		     const uint64_t ticks[N_PROBES], uint64_t chain);

/* Should the runtime wait for a slow probe?  Call once for each row or wait;
 * each call is counted. */
bool probes_are_worth_waiting(const struct pack_kernel *k, unsigned slow);

/* Run the probes that apply to the kernel until none is slow or `most` ticks
 * have passed. */
void probes_wait(const struct pack_kernel *k, uint64_t chain, uint64_t most);

/* Note which probes were slow before a wait, and which after it. */
void probes_waited(const struct pack_kernel *k, unsigned before,
		   unsigned after);

/* Update the baselines from a row. */
void probes_learn(const struct pack_kernel *k, const uint64_t ticks[N_PROBES],
		  uint64_t chain);

#endif
