#include "target/core/wake.h"

#include "target/core/clock.h"

enum {
	US = 1000,            /* nanoseconds */
	LEARN_NS = 5000 * US, /* some times as long as units may sleep on */
	MOST_NS = 3000 * US,  /* twice as long as they were seen to */
	/* A sleeping unit is four times as slow.  A sibling thread makes it
	 * twice as slow, a lower frequency a third. */
	ASLEEP = 3,
	/* After code on 64 bytes: measured, 0.7 ms. */
	SETTLE_NS = 1000 * US,
	/* Long beside what a measurement costs, short beside a row. */
	ITERATIONS = 8,
	/* The coarsest clock has 28 steps for so many loads. */
	LOADS = 2 * ITERATIONS,
};

enum { WIDEST, WIDE, N_UNITS = PACK_N_WAKE };

struct unit {
	struct slot slot;
	uint64_t awake; /* ticks of a run, the fewest seen; 0: no kernel */
};

static struct {
	struct unit list[N_UNITS];
	uint64_t most;   /* ticks of the REF clock to wait at a time */
	uint64_t settle; /* ... from what is widest to what is wide */
	uint64_t widest; /* when one of 64 bytes last began; 0: never */
	struct slot loads;
	bool has_loads;
} units;

/* Run for so long; or less, until it is awake.  Returns the fewest ticks. */
static uint64_t run_for(struct unit *u, uint64_t most, bool until_awake)
{
	uint64_t begin = arch_ref_now(), least = UINT64_MAX, ticks;

	do {
		if (!slot_run(&u->slot, SLOT_LONG, &ticks))
			return 0;
		if (ticks < least)
			least = ticks;
		if (until_awake && ticks < u->awake * ASLEEP)
			return least < u->awake ? least : u->awake;
	} while (arch_ref_now() - begin < most);
	return least;
}

void wake_open(const void *pack)
{
	const struct pack_header *h = pack_header(pack);

	units.most = clock_ticks(MOST_NS);
	units.settle = clock_ticks(SETTLE_NS);
	units.widest = 0;
	units.has_loads = h->loads > 0;
	if (units.has_loads) {
		slot_load(&units.loads, h->loads - 1);
		slot_iterations(&units.loads, LOADS);
	}
	for (int i = 0; i < N_UNITS; i++) {
		struct unit *u = &units.list[i];

		u->awake = 0;
		if (h->wake[i] == 0)
			continue;
		slot_load(&u->slot, h->wake[i] - 1);
		slot_iterations(&u->slot, ITERATIONS);
		u->awake = run_for(u, clock_ticks(LEARN_NS), false);
	}
	if (units.list[WIDEST].awake > 0)
		units.widest = arch_ref_now();
}

/* What code on 64 bytes leaves behind is over, and the unit awake then. */
static void settle(struct unit *u)
{
	uint64_t since = arch_ref_now() - units.widest;

	if (units.widest > 0 && since < units.settle)
		(void)run_for(u, units.settle - since, false);
	units.widest = 0;
}

/* Units that are not awake in time are not what they seemed to be - one run
 * that looked too fast is enough - and learned anew. */
void wake(const struct pack_kernel *k)
{
	bool widest = k->flags & PACK_KERNEL_WIDEST;
	struct unit *u = &units.list[widest ? WIDEST : WIDE];

	if (!(k->flags & PACK_KERNEL_WIDE))
		return;
	if (u->awake == 0)
		u = &units.list[widest ? WIDE : WIDEST];
	if (!widest && u->awake > 0)
		settle(u);
	if (u->awake > 0)
		u->awake = run_for(u, units.most, true);
	if (widest)
		units.widest = arch_ref_now();
}

uint64_t wake_loads(const struct pack_kernel *k)
{
	uint64_t ticks;

	if (!units.has_loads || !(k->flags & PACK_KERNEL_WIDE) ||
	    (k->flags & PACK_KERNEL_WIDEST))
		return 0;
	units.has_loads = slot_run(&units.loads, SLOT_LONG, &ticks);
	return units.has_loads ? ticks : 0;
}
