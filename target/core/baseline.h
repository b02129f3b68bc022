/* Decides when to wait before a row, and for how long.  A slow probe shows a
 * disturbed core: a busy SMT sibling, vector units that are powered down.
 * Waiting until it ends often costs less than measuring again.  The host judges
 * the rows, from the recorded ticks. */
#ifndef CORE_BASELINE_H
#define CORE_BASELINE_H

#include "common/types.h"

/* Time of a probe on an undisturbed core, as a share of the calibration chain's
 * time (2^-32), which does not depend on the frequency. */
struct baseline {
	uint64_t share; /* 0: not known */
	/* Counts up for each row that is much faster than the baseline, and
	 * down to 0 for each other one. */
	uint32_t n_faster;
	uint64_t fastest; /* the largest share of the rows that count up */
	/* Consecutive waits that ended with the probe still slow, and the
	 * number of slow rows to measure without a wait. */
	uint32_t n_failed, n_skip;
};

/* Time that may be spent waiting, in ticks. */
struct wait_credit {
	uint64_t credit;
	uint64_t waited; /* since wait_credit_earn() */
	uint64_t least;  /* shortest row since it was 0: of the visit */
};

/* Set the baseline from the first n > 0 rows, so that at most a tenth of them
 * is faster. */
void baseline_begin(struct baseline *b, const uint64_t *probes,
		    const uint64_t *chains, size_t n);

/* Is the probe more than a tenth slower than its baseline? */
bool baseline_is_slow(const struct baseline *b, uint64_t probe, uint64_t chain);

/* Lower the baseline to the value that the host computed from earlier rows. */
void baseline_expect(struct baseline *b, uint64_t probe, uint64_t chain);

/* Move the baseline slowly, over tens of thousands of rows, to where a tenth of
 * the rows is faster.  When n_faster reaches 16, the first rows were disturbed:
 * set the baseline to `fastest`. */
void baseline_learn(struct baseline *b, uint64_t probe, uint64_t chain);

/* Should the runtime wait for a slow probe?  Each wait that ends with the probe
 * still slow doubles the number of slow rows until the next wait, so that
 * disturbances that last cost little.  A row with a fast probe ends that. */
bool baseline_is_worth_waiting(struct baseline *b);
void baseline_waited(struct baseline *b, bool still_slow);

/* A row took this many ticks: add a quarter of them (WORTH) to the credit, up to
 * `most`.  Ticks spent waiting do not count, nor those by which the row exceeds the
 * shortest one of its visit: then another program had the processor. */
void wait_credit_earn(struct wait_credit *p, uint64_t ticks, uint64_t most);

/* Take ticks of waiting from the credit; false if none is left. */
bool wait_credit_spend(struct wait_credit *p, uint64_t ticks);

#endif
