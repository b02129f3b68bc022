#include "target/core/patience.h"

enum {
	SHARE_BITS = 32,
	BUSY_SHARE = 10, /* a tenth more than in silence */
	FASTER = 10,     /* a tenth of the rows is faster than silence */
	FEW = 1 << 16,   /* one row moves silence by so little */
	CONVINCED = 16,  /* rows much faster than silence */
	WORTH = 3,       /* rows beside a sibling are worth nothing */
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

void patience_begin(struct patience *p, const uint64_t *probes,
		    const uint64_t *chains, size_t n)
{
	uint64_t best = 0;

	/* The highest with no more than a tenth below it. */
	for (size_t i = 0; i < n; i++) {
		uint64_t share = share_of(probes[i], chains[i]);

		if (share > best &&
		    count_below(probes, chains, n, share) <= n / FASTER)
			best = share;
	}
	*p = (struct patience){ .silence = best };
}

bool patience_is_busy(const struct patience *p, uint64_t probe, uint64_t chain)
{
	return p->silence > 0 &&
	       share_of(probe, chain) > p->silence + p->silence / BUSY_SHARE;
}

void patience_expect(struct patience *p, uint64_t probe, uint64_t chain)
{
	uint64_t share = share_of(probe, chain);

	if (share > 0 && (p->silence == 0 || share < p->silence))
		p->silence = share;
}

/* Are most rows much faster than silence?  A chain that a stall hit looks like
 * that too, but in storms of stalls no more than one in five is. */
static bool was_sibling(struct patience *p, uint64_t share)
{
	if (share + share / BUSY_SHARE < p->silence) {
		p->n_faster++;
		if (share > p->fastest)
			p->fastest = share;
	} else if (p->n_faster > 0 && --p->n_faster == 0) {
		p->fastest = 0;
	}
	return p->n_faster == CONVINCED;
}

void patience_learn(struct patience *p, uint64_t probe, uint64_t chain)
{
	uint64_t share = share_of(probe, chain);
	uint64_t step = p->silence / FEW;

	if (share == 0)
		return;
	if (was_sibling(p, share)) {
		p->silence = p->fastest;
		p->fastest = p->n_faster = 0;
		return;
	}
	if (share < p->silence)
		p->silence -= step;
	else if (share > p->silence)
		p->silence += step / (FASTER - 1);
}

void patience_earn(struct patience *p, uint64_t ticks, uint64_t most)
{
	uint64_t room = most > p->credit ? most - p->credit : 0;

	ticks -= p->waited < ticks ? p->waited : ticks;
	p->waited = 0;
	p->credit += ticks < room / WORTH ? ticks * WORTH : room;
}

bool patience_spend(struct patience *p, uint64_t ticks)
{
	p->waited += ticks;
	p->credit -= ticks < p->credit ? ticks : p->credit;
	return p->credit > 0;
}
