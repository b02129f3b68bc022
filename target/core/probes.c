#include "target/core/probes.h"

#include "target/core/baseline.h"
#include "target/core/clock.h"

enum {
	/* A probe takes so many steps of the clock at least: one step more is
	 * no tenth then (as PROBE_STEPS of measure.c). */
	STEPS = 40,
	/* And so many instructions, more than the overhead of a reading. */
	LEAST = 1152,
	/* The most that a core executes in a nanosecond: two in a cycle, 4 GHz.
	 * A faster core has fewer steps. */
	PER_NS = 8,
	/* That a baseline begins with: six of them are its tenth. */
	FIRST_ROWS = 64,
	US = 1000, /* nanoseconds */
	/* Units that are powered down were seen to need up to 1.4 ms of work
	 * (an Ice Lake server): three times that to learn from them, twice that
	 * to wait.  Where they take longer the baseline follows later. */
	LEARN_NS = 5000 * US,
	MOST_NS = 3000 * US,
	/* In place of a chain's ticks on a core clock, where a probe takes the
	 * same number of cycles at every frequency. */
	NO_CHAIN = 1 << 10,
};

/* Units of 64 bytes and of 32, as in struct pack_header. */
enum { WIDEST, WIDE };

struct probe_slot {
	struct slot slot;
	struct slot *at; /* &slot, or the calibration's; NULL: no probe */
	struct baseline baseline;
};

static struct {
	struct probe_slot sibling, loads, wide[PACK_N_WAKE];
	uint32_t ignored;
	bool has_level[ROW_N_LEVELS]; /* the pack has kernels of it */
} probes;

/* Iterations of a probe.  They follow from the clock alone: each start of the
 * runtime must find the same number, or baselines would differ. */
static uint64_t iterations(const struct pack_kernel *k)
{
	uint64_t ns = STEPS * clock_step() * US / clock_ticks(US) + 1;
	uint64_t n = ns * PER_NS > LEAST ? ns * PER_NS : LEAST;

	return n / k->unroll[PACK_LENGTHS - 1] + 1;
}

static void load(struct probe_slot *p, const void *pack, uint32_t one_more)
{
	p->at = NULL;
	p->baseline = (struct baseline){ .share = 0 };
	if (one_more == 0)
		return;
	slot_load(&p->slot, one_more - 1);
	slot_iterations(&p->slot,
			iterations(&pack_kernels(pack)[one_more - 1]));
	p->at = &p->slot;
}

bool probes_are_wide(const struct pack_kernel *k)
{
	return k->flags & PACK_KERNEL_WIDE;
}

/* The slot of a probe for this kernel; NULL where it does not apply. */
static struct probe_slot *slot_of(const struct pack_kernel *k, enum probe which)
{
	bool widest = k->flags & PACK_KERNEL_WIDEST;
	struct probe_slot *p = &probes.sibling;

	if (which != PROBE_SIBLING && !probes_are_wide(k))
		return NULL;
	if (which == PROBE_LOADS)
		p = widest ? NULL : &probes.loads;
	else if (which == PROBE_WIDE)
		p = &probes.wide[widest ? WIDEST : WIDE];
	/* Where the core has no such units, or the pack no such kernel, the
	 * other width stands for both. */
	if (which == PROBE_WIDE && !p->at)
		p = &probes.wide[widest ? WIDE : WIDEST];
	return p && p->at ? p : NULL;
}

/* Ticks of a probe, 0 where it does not apply.  One that faults is left out
 * from then on. */
static uint64_t probes_run(const struct pack_kernel *k, enum probe which)
{
	struct probe_slot *p = slot_of(k, which);
	uint64_t ticks;

	if (!p)
		return 0;
	if (slot_run(p->at, SLOT_LONG, &ticks))
		return ticks;
	p->at = NULL;
	return 0;
}

void probes_run_wide(const struct pack_kernel *k, uint64_t ticks[N_PROBES])
{
	ticks[PROBE_WIDE] = probes_run(k, PROBE_WIDE);
	ticks[PROBE_LOADS] = probes_run(k, PROBE_LOADS);
}

/* Run a probe for LEARN_NS, so that its units are powered up.  The time counts
 * in which the probe runs, not that in which other programs have the processor:
 * no run counts for more than twice the fastest. */
static void power_up(const struct pack_kernel *k, enum probe which)
{
	uint64_t most = clock_ticks(LEARN_NS), least = UINT64_MAX, sum = 0;

	while (sum < most) {
		uint64_t ticks = probes_run(k, which);

		if (ticks == 0)
			return;
		least = ticks < least ? ticks : least;
		sum += ticks < 2 * least ? ticks : 2 * least;
	}
}

/* Ticks of a long chain.  What wide code leaves behind may stop the core in it,
 * or behind it in the short one, but not in both: the smaller one counts, the
 * short one scaled to the length of the other. */
static bool run_chain(struct slot *chain, uint64_t *ret_ticks)
{
	const uint32_t *unroll = chain->kernel->unroll;
	uint64_t ticks;

	if (!slot_run(chain, SLOT_LONG, ret_ticks) ||
	    !slot_run(chain, SLOT_SHORT, &ticks))
		return false;
	ticks = ticks * unroll[SLOT_LONG] / unroll[SLOT_SHORT];
	*ret_ticks = ticks < *ret_ticks ? ticks : *ret_ticks;
	return true;
}

/* The baseline of one probe from its first rows; those of wide units are
 * powered up first. */
static bool begin(const struct pack_kernel *k, enum probe which,
		  struct slot *chain)
{
	uint64_t chains[FIRST_ROWS], ticks[FIRST_ROWS];
	struct probe_slot *p = slot_of(k, which);

	/* A baseline takes 5 ms: not for widths that the pack lacks. */
	if (!p || (which != PROBE_SIBLING && !probes_need(k)))
		return true;
	if (which == PROBE_WIDE)
		power_up(k, which);
	for (int i = 0; i < FIRST_ROWS; i++) {
		ticks[i] = probes_run(k, which);
		chains[i] = NO_CHAIN;
		if (chain && !run_chain(chain, &chains[i]))
			return false;
	}
	if (p->at)
		baseline_begin(&p->baseline, ticks, chains, FIRST_ROWS);
	return p->at || which != PROBE_SIBLING;
}

/* Has the pack kernels of this width to measure? */
static bool has_kernels(const void *pack, enum row_level level)
{
	const struct pack_kernel *k = pack_kernels(pack);

	for (uint32_t i = 0; i < pack_header(pack)->n_kernels; i++)
		if (!(k[i].flags & PACK_KERNEL_CALIB) &&
		    probes_level(&k[i]) == level)
			return true;
	return false;
}

bool probes_open(const void *pack, struct slot *sibling, struct slot *chain)
{
	static const struct pack_kernel widest = {
		.flags = PACK_KERNEL_WIDE | PACK_KERNEL_WIDEST,
	};
	static const struct pack_kernel wide = { .flags = PACK_KERNEL_WIDE };
	const struct pack_header *h = pack_header(pack);

	probes.ignored = 0;
	probes.sibling.at = sibling;
	load(&probes.loads, pack, h->loads);
	for (int i = 0; i < PACK_N_WAKE; i++)
		load(&probes.wide[i], pack, h->wake[i]);
	for (int i = 0; i < ROW_N_LEVELS; i++)
		probes.has_level[i] = has_kernels(pack, i);
	return begin(&wide, PROBE_SIBLING, chain) &&
	       begin(&wide, PROBE_WIDE, chain) &&
	       begin(&wide, PROBE_LOADS, chain) &&
	       begin(&widest, PROBE_WIDE, chain);
}

bool probes_need(const struct pack_kernel *k)
{
	return probes.has_level[probes_level(k)];
}

void probes_expect(uint64_t probe, uint64_t chain)
{
	baseline_expect(&probes.sibling.baseline, probe, chain);
}

enum row_level probes_level(const struct pack_kernel *k)
{
	return k->flags & PACK_KERNEL_WIDEST ? ROW_64_BYTES
	       : k->flags & PACK_KERNEL_WIDE ? ROW_32_BYTES
					     : ROW_NARROW;
}

void probes_ignore(uint32_t ignored)
{
	probes.ignored = ignored;
}

static bool is_slow(const struct pack_kernel *k, enum probe which,
		    uint64_t ticks, uint64_t chain)
{
	const struct probe_slot *p = slot_of(k, which);

	return p && ticks > 0 &&
	       !(probes.ignored & row_ignored(probes_level(k), which)) &&
	       baseline_is_slow(&p->baseline, ticks, chain);
}

unsigned probes_slow(const struct pack_kernel *k,
		     const uint64_t ticks[N_PROBES], uint64_t chain)
{
	unsigned slow = 0;

	for (int i = 0; i < N_PROBES; i++)
		if (is_slow(k, i, ticks[i], chain))
			slow |= 1u << i;
	return slow;
}

bool probes_are_worth_waiting(const struct pack_kernel *k, unsigned slow)
{
	bool worth = false;

	for (int i = 0; i < N_PROBES; i++)
		if ((slow >> i & 1) &&
		    baseline_is_worth_waiting(&slot_of(k, i)->baseline))
			worth = true;
	return worth;
}

/* Units power up because their probe runs: no other runs until it is fast. */
void probes_wait(const struct pack_kernel *k, uint64_t chain, uint64_t most)
{
	const unsigned all = (1u << N_PROBES) - 1;
	uint64_t begin = arch_ref_now();
	unsigned run = all, slow;

	do {
		uint64_t ticks[N_PROBES] = { 0 };

		for (int i = 0; i < N_PROBES; i++)
			if (run >> i & 1)
				ticks[i] = probes_run(k, i);
		slow = probes_slow(k, ticks, chain);
		if (!slow && run == all)
			return;
		run = slow >> PROBE_WIDE & 1 ? 1u << PROBE_WIDE : all;
	} while (arch_ref_now() - begin < most);
}

void probes_waited(const struct pack_kernel *k, unsigned before, unsigned after)
{
	for (int i = 0; i < N_PROBES; i++)
		if ((before >> i & 1) && slot_of(k, i))
			baseline_waited(&slot_of(k, i)->baseline,
					after >> i & 1);
}

void probes_learn(const struct pack_kernel *k, const uint64_t ticks[N_PROBES],
		  uint64_t chain)
{
	for (int i = 0; i < N_PROBES; i++) {
		struct probe_slot *p = slot_of(k, i);

		if (p && ticks[i] > 0)
			baseline_learn(&p->baseline, ticks[i], chain);
	}
}

void probes_wake(const struct pack_kernel *k)
{
	uint64_t ticks[N_PROBES] = { 0 };
	unsigned slow;

	if (!probes_are_wide(k))
		return;
	probes_run_wide(k, ticks);
	slow = probes_slow(k, ticks, NO_CHAIN);
	if (slow && probes_are_worth_waiting(k, slow)) {
		probes_wait(k, NO_CHAIN, clock_ticks(MOST_NS));
		probes_run_wide(k, ticks);
		probes_waited(k, slow, probes_slow(k, ticks, NO_CHAIN));
	}
	probes_learn(k, ticks, NO_CHAIN);
}
