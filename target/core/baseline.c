#include "target/core/baseline.h"

enum {
	SHARE_BITS = 32, /* fixed point: ticks of a run are below 2^32 */
	/* Slow is a tenth more than the baseline.  A busy sibling makes it half
	 * as much again and more (METHOD), and the noise of a reading is less
	 * (PROBE_STEPS). */
	SLOW_SHARE = 10,
	/* A tenth of the rows is faster than the baseline: siblings may be busy
	 * for most of the time. */
	FASTER = 10,
	/* Step of the baseline per row: a busy sibling raises it by 7 % in
	 * 40,000 rows, about a second. */
	FEW = 1 << 16,
	/* Rows much faster than the baseline: more than bursts of stalls cause,
	 * which are at most one row in five. */
	CONVINCED = 16,
	/* Ticks of measuring per tick of waiting.  Chosen: waiting takes at
	 * most a fifth of a run.  A visit that ends early costs less than a
	 * wait, and comes again at another time. */
	WORTH = 4,
	/* Then one slow row of 1,024 waits.  Chosen: the cost is small. */
	MOST_FAILED = 10,
};

static uint64_t share_of(uint64_t probe, uint64_t chain)
{
	return chain > 0 && probe >> SHARE_BITS == 0
		       ? (probe << SHARE_BITS) / chain
		       : 0;
}

/* How many of the rows are below a share? */
static size_t count_below(const uint64_t *probes, const uint64_t *chains,
			  size_t n, uint64_t share)
{
	size_t below = 0;

	for (size_t i = 0; i < n; i++)
		below += share_of(probes[i], chains[i]) < share;
	return below;
}

void baseline_begin(struct baseline *b, const uint64_t *probes,
		    const uint64_t *chains, size_t n)
{
	uint64_t best = 0;

	/* The highest value with at most a tenth of the rows below it. */
	for (size_t i = 0; i < n; i++) {
		uint64_t share = share_of(probes[i], chains[i]);

		if (share > best &&
		    count_below(probes, chains, n, share) <= n / FASTER)
			best = share;
	}
	*b = (struct baseline){ .share = best };
}

bool baseline_is_slow(const struct baseline *b, uint64_t probe, uint64_t chain)
{
	return b->share > 0 &&
	       share_of(probe, chain) > b->share + b->share / SLOW_SHARE;
}

void baseline_expect(struct baseline *b, uint64_t probe, uint64_t chain)
{
	uint64_t share = share_of(probe, chain);

	if (share > 0 && (b->share == 0 || share < b->share))
		b->share = share;
}

/* Are most rows much faster than the baseline, so that it was disturbed?  A row
 * with a stall in its chain looks the same, but in bursts of stalls that is at
 * most one row in five. */
static bool was_disturbed(struct baseline *b, uint64_t share)
{
	if (share + share / SLOW_SHARE < b->share) {
		b->n_faster++;
		if (share > b->fastest)
			b->fastest = share;
	} else if (b->n_faster > 0) {
		b->n_faster--;
		if (b->n_faster == 0)
			b->fastest = 0;
	}
	return b->n_faster == CONVINCED;
}

void baseline_learn(struct baseline *b, uint64_t probe, uint64_t chain)
{
	uint64_t share = share_of(probe, chain);
	uint64_t step = b->share / FEW;

	if (share == 0)
		return;
	if (!baseline_is_slow(b, probe, chain))
		b->n_failed = b->n_skip = 0;
	if (was_disturbed(b, share)) {
		b->share = b->fastest;
		b->fastest = b->n_faster = 0;
		return;
	}
	if (share < b->share)
		b->share -= step;
	else if (share > b->share)
		b->share += step / (FASTER - 1);
}

bool baseline_is_worth_waiting(struct baseline *b)
{
	if (b->n_skip == 0)
		return true;
	b->n_skip--;
	return false;
}

void baseline_waited(struct baseline *b, bool still_slow)
{
	if (!still_slow) {
		b->n_failed = 0;
		return;
	}
	b->n_failed += b->n_failed < MOST_FAILED;
	b->n_skip = (1u << b->n_failed) - 1;
}

void wait_credit_earn(struct wait_credit *p, uint64_t ticks, uint64_t most)
{
	uint64_t room = most > p->credit ? most - p->credit : 0;

	ticks -= p->waited < ticks ? p->waited : ticks;
	p->waited = 0;
	if (p->least == 0 || ticks < p->least)
		p->least = ticks;
	p->credit += p->least / WORTH < room ? p->least / WORTH : room;
}

bool wait_credit_spend(struct wait_credit *p, uint64_t ticks)
{
	p->waited += ticks;
	p->credit -= ticks < p->credit ? ticks : p->credit;
	return p->credit > 0;
}
