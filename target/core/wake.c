#include "target/core/wake.h"

#include "target/core/clock.h"

enum {
	US = 1000,            /* nanoseconds */
	LEARN_NS = 5000 * US, /* some times as long as units may sleep on */
	MOST_NS = 3000 * US,  /* twice as long as they were seen to */
	/* A sleeping unit is four times as slow.  A sibling thread makes it
	 * twice as slow, a lower frequency a third. */
	ASLEEP = 3,
	/* Long beside what a measurement costs, short beside a row. */
	ITERATIONS = 8,
};

static struct {
	struct slot slot;
	uint64_t awake; /* ticks of a run, the fewest seen; 0: no kernel */
	uint64_t most;  /* ticks of the REF clock to wait at a time */
} units;

/* Run for so long; or less, until it is awake.  Returns the fewest ticks. */
static uint64_t run_for(uint64_t most, bool until_awake)
{
	uint64_t begin = arch_ref_now(), least = UINT64_MAX, ticks;

	do {
		if (!slot_run(&units.slot, SLOT_LONG, &ticks))
			return 0;
		if (ticks < least)
			least = ticks;
		if (until_awake && ticks < units.awake * ASLEEP)
			return least < units.awake ? least : units.awake;
	} while (arch_ref_now() - begin < most);
	return least;
}

void wake_open(const void *pack)
{
	const struct pack_header *h = pack_header(pack);

	units.most = clock_ticks(MOST_NS);
	units.awake = 0;
	for (int i = 0; i < PACK_N_WAKE && units.awake == 0; i++) {
		if (h->wake[i] == 0)
			continue;
		slot_load(&units.slot, h->wake[i] - 1);
		slot_iterations(&units.slot, ITERATIONS);
		units.awake = run_for(clock_ticks(LEARN_NS), false);
	}
}

/* Units that are not awake in time are not what they seemed to be - one run
 * that looked too fast is enough - and learned anew. */
void wake(const struct pack_kernel *k)
{
	if (units.awake > 0 && (k->flags & PACK_KERNEL_WIDE))
		units.awake = run_for(units.most, true);
}
