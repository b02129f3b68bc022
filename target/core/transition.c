#include "target/core/transition.h"

#include "target/core/probes.h"

enum {
	/* Short chains of half a microsecond after the probe: 10 us.  The
	 * longest delay seen is 6 us. */
	CHAINS = 20,
	/* Runs of the probe before them: a few microseconds of wide code. */
	PROBES = 8,
	REPEATS = 33, /* half a millisecond */
	/* Stopped: a chain takes a quarter longer than the fastest, that is
	 * 0.12 us.  A change of frequency stays below it, a stop of half a
	 * microsecond exceeds it. */
	STOP_SHARE = 4,
	/* A long chain takes as long as three short ones; one more covers the
	 * time between runs. */
	LONG_CHAIN = 4,
};

static struct {
	struct {
		enum transition is;
		uint32_t n_chains; /* short ones until it has passed */
	} level[ROW_N_LEVELS];
} transition;

/* Run the probe, then chains.  A stop between two runs is not seen, so in half
 * of the repeats a long chain replaces the first short ones: the runs then end
 * at other times.  False if a chain faults. */
static bool run_once(const struct pack_kernel *k, struct slot *chain,
		     bool long_first, uint64_t ticks[CHAINS])
{
	uint64_t probe[N_PROBES], one;
	int i = 0;

	for (int n = 0; n < PROBES; n++)
		probes_run_wide(k, probe);
	if (long_first) {
		if (!slot_run(chain, SLOT_LONG, &one))
			return false;
		while (i < LONG_CHAIN - 1)
			ticks[i++] = one / (LONG_CHAIN - 1);
	}
	for (; i < CHAINS; i++)
		if (!slot_run(chain, SLOT_SHORT, &ticks[i]))
			return false;
	return true;
}

/* The first and the last chain in which the core stopped; false: none. */
static bool find_stops(const uint64_t ticks[CHAINS], uint32_t *ret_first,
		       uint32_t *ret_last)
{
	uint64_t least = ticks[0];
	bool any = false;

	for (uint32_t i = 0; i < CHAINS; i++)
		if (ticks[i] < least)
			least = ticks[i];
	for (uint32_t i = 0; i < CHAINS; i++) {
		if (ticks[i] <= least + least / STOP_SHARE)
			continue;
		if (!any)
			*ret_first = i;
		*ret_last = i;
		any = true;
	}
	return any;
}

/* Other disturbances hit few of the repeats, so the stop is real if a third of them
 * have it.  A repeat is early if its first stop is in one of the first
 * LONG_CHAIN chains.  The chains wait if more than a quarter of the repeats with
 * a stop are early. */
static bool learn(const struct pack_kernel *k, struct slot *chain)
{
	const enum row_level level = probes_level(k);
	uint32_t n_stops = 0, n_early = 0, end = 0;
	uint64_t probe[N_PROBES];

	transition.level[level].is = TRANSITION_NONE;
	if (!probes_need(k))
		return true;
	probes_run_wide(k, probe);
	if (probe[PROBE_WIDE] == 0)
		return true; /* the core has no such units, or no probe */
	for (int i = 0; i < REPEATS; i++) {
		uint64_t ticks[CHAINS];
		uint32_t first = 0, last = 0;

		if (!run_once(k, chain, i % 2 != 0, ticks))
			return false;
		if (!find_stops(ticks, &first, &last))
			continue;
		n_stops++;
		n_early += first < LONG_CHAIN;
		end = last + 1 > end ? last + 1 : end;
	}
	transition.level[level].is = 3 * n_stops <= REPEATS  ? TRANSITION_NONE
				     : 4 * n_early > n_stops ? TRANSITION_PASS
							     : TRANSITION_HOLD;
	transition.level[level].n_chains = end > LONG_CHAIN ? end : LONG_CHAIN;
	return true;
}

bool transition_open(struct slot *chain)
{
	static const struct pack_kernel kernels[] = {
		{ .flags = PACK_KERNEL_WIDE },
		{ .flags = PACK_KERNEL_WIDE | PACK_KERNEL_WIDEST },
	};

	for (unsigned i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (!learn(&kernels[i], chain))
			return false;
	return true;
}

enum transition transition_of(const struct pack_kernel *k)
{
	return transition.level[probes_level(k)].is;
}

bool transition_pass(const struct pack_kernel *k, struct slot *chain)
{
	const enum row_level level = probes_level(k);
	uint64_t ticks;

	if (level == ROW_NARROW)
		return true;
	if (transition.level[level].is == TRANSITION_NONE)
		return slot_run(chain, SLOT_LONG, &ticks);
	for (uint32_t i = 0; i < transition.level[level].n_chains; i++)
		if (!slot_run(chain, SLOT_SHORT, &ticks))
			return false;
	return true;
}
