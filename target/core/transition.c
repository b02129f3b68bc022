#include "target/core/transition.h"

#include "target/core/probes.h"

enum {
	/* Short chains of half a microsecond after the probe: 10 us.  The
	 * longest delay seen is 6 us. */
	CHAINS = 20,
	/* The first of them may still be slowed by the probe's last
	 * instructions. */
	FIRST = 1,
	/* Runs of the probe before them: a few microseconds of wide code. */
	PROBES = 8,
	REPEATS = 33, /* half a millisecond */
	/* A stall of a quarter microsecond makes a chain half as long again. */
	STALL_SHARE = 2,
	/* The host takes chains that differ by a fiftieth for disturbed
	 * (max_sides in host/solve/sandwich.c). */
	DIFFERENT_SHARE = 50,
};

/* Short chains after which the core has settled; 0: nothing changes. */
static struct {
	uint32_t n_chains[ROW_N_LEVELS];
} transition;

/* Run the probe, then chains.  False if a chain faults. */
static bool run_once(const struct pack_kernel *k, struct slot *chain,
		     uint64_t ticks[CHAINS])
{
	uint64_t probe[N_PROBES];

	for (int i = 0; i < PROBES; i++)
		probes_run_wide(k, probe);
	for (int i = 0; i < CHAINS; i++)
		if (!slot_run(chain, SLOT_SHORT, &ticks[i]))
			return false;
	return true;
}

/* The last chain with a stall; -1: none. */
static int last_stall(const uint64_t ticks[CHAINS])
{
	uint64_t least = ticks[0];
	int last = -1;

	for (int i = 0; i < CHAINS; i++)
		if (ticks[i] < least)
			least = ticks[i];
	for (int i = 0; i < CHAINS; i++)
		if (ticks[i] > least + least / STALL_SHARE)
			last = i;
	return last;
}

/* Is the chain behind the probe slower or faster than the last one? */
static bool is_different(const uint64_t ticks[CHAINS])
{
	uint64_t a = ticks[FIRST], b = ticks[CHAINS - 1];
	uint64_t distance = a > b ? a - b : b - a;

	return distance > b / DIFFERENT_SHARE;
}

/* Disturbances of other origin hit few of the repeats, so the change is real if
 * most of them have it. */
static bool learn(const struct pack_kernel *k, struct slot *chain)
{
	uint32_t n_stalls = 0, n_different = 0, end = 0;

	for (int i = 0; i < REPEATS; i++) {
		uint64_t ticks[CHAINS];
		int last;

		if (!run_once(k, chain, ticks))
			return false;
		last = last_stall(ticks);
		n_stalls += last >= 0;
		n_different += is_different(ticks);
		if (last + 1 > (int)end)
			end = (uint32_t)last + 1;
	}
	if (2 * n_stalls <= REPEATS && 2 * n_different <= REPEATS)
		end = 0;
	else if (2 * n_stalls <= REPEATS)
		end = CHAINS;
	transition.n_chains[probes_level(k)] = end;
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

bool transition_exists(const struct pack_kernel *k)
{
	return transition.n_chains[probes_level(k)] > 0;
}

bool transition_pass(const struct pack_kernel *k, struct slot *chain)
{
	uint64_t ticks;

	for (uint32_t i = 0; i < transition.n_chains[probes_level(k)]; i++)
		if (!slot_run(chain, SLOT_SHORT, &ticks))
			return false;
	return true;
}
