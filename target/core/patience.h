/* When to wait before a row, and for how long.  A side probe that is slow tells
 * that something disturbs the core: a busy sibling thread, vector units that
 * sleep.  To wait for its end often costs less than to measure again.  Nothing
 * here judges a row: the host decides from the recorded ticks. */
#ifndef CORE_PATIENCE_H
#define CORE_PATIENCE_H

#include "common/types.h"

/* What a probe takes when nothing disturbs the core, as a share of the
 * calibration chain's time (2^-32): so it is the same at every frequency. */
struct baseline {
	uint64_t share; /* 0: not known */
	/* Of late: how many more rows were much faster than the baseline than
	 * were not, and the slowest of those. */
	uint64_t fastest;
	uint32_t n_faster;
	/* Waits in a row that ended while the probe was still slow, and how
	 * many slow rows are to be measured without a wait. */
	uint32_t n_failed, n_skip;
};

/* Time that may be spent waiting, in ticks. */
struct patience {
	uint64_t credit;
	uint64_t waited; /* since credit was earned last */
};

/* Begin with the first n > 0 rows: a tenth of them is faster. */
void baseline_begin(struct baseline *b, const uint64_t *probes,
		    const uint64_t *chains, size_t n);

/* Is the probe more than a tenth slower than its baseline? */
bool baseline_is_slow(const struct baseline *b, uint64_t probe, uint64_t chain);

/* Lower the baseline to what the host has seen in earlier rows of this core. */
void baseline_expect(struct baseline *b, uint64_t probe, uint64_t chain);

/* Follow the lowest tenth of all rows.  It moves within tens of thousands of
 * rows; but where most rows of some dozen are a tenth faster than the baseline,
 * they are the new one: the first rows met a disturbance. */
void baseline_learn(struct baseline *b, uint64_t probe, uint64_t chain);

/* Is a slow probe worth a wait?  Each wait that ends with the probe still slow
 * doubles the number of slow rows until the next: what never ends is not waited
 * for.  A row whose probe is fast ends that. */
bool baseline_is_worth_waiting(struct baseline *b);
void baseline_waited(struct baseline *b, bool still_slow);

/* Measuring for so many ticks allows as many of waiting, `most` at a time. Time
 * waited among them earns nothing. */
void patience_earn(struct patience *p, uint64_t ticks, uint64_t most);

/* So many ticks were waited; false when no credit is left. */
bool patience_spend(struct patience *p, uint64_t ticks);

#endif
