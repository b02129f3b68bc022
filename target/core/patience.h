/* How long to wait for silence.  A busy sibling thread takes from a kernel
 * what no solver can give back: such rows are measured for nothing.  The probe
 * tells before the kernel runs, and to wait costs less than to come back. */
#ifndef CORE_PATIENCE_H
#define CORE_PATIENCE_H

#include "common/types.h"

struct patience {
	/* What the probe takes in silence, as a share of the chain's time
	 * (2^-32): so it is the same at every frequency.  0: not known. */
	uint64_t silence;
	uint64_t credit; /* ticks that may be waited */
	uint64_t waited; /* since the last were earned */
	/* More rows that were much faster than silence than others, of late,
	 * and the slowest of them. */
	uint64_t fastest;
	uint32_t n_faster;
};

/* Begin with the first rows, of which a tenth is taken to be faster than
 * silence.  n is not 0. */
void patience_begin(struct patience *p, const uint64_t *probes,
		    const uint64_t *chains, size_t n);

/* Is the core shared right now, by what the probe and the chain took? */
bool patience_is_busy(const struct patience *p, uint64_t probe, uint64_t chain);

/* Somebody knows what the probe takes in silence, beside such a chain: from
 * then on it is known here, unless a shorter one is. */
void patience_expect(struct patience *p, uint64_t probe, uint64_t chain);

/* Let a row say what silence is: a tenth of all rows are faster.  Tens of
 * thousands of rows change it: a sibling that never rests is silence after a
 * while, and nobody waits in vain for ever.  But where most rows of some dozen
 * are faster by a tenth, it was a sibling that was taken for silence, and is
 * no longer. */
void patience_learn(struct patience *p, uint64_t probe, uint64_t chain);

/* Measuring for so many ticks allows waiting for three times as many, but for
 * no more than `most` at a time.  What was waited among them earns nothing: it
 * would allow to wait three times as long again. */
void patience_earn(struct patience *p, uint64_t ticks, uint64_t most);

/* So many ticks were waited; false when there is no more to wait with. */
bool patience_spend(struct patience *p, uint64_t ticks);

#endif
