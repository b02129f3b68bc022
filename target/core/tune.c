/* See tune.h. */
#include "target/core/tune.h"

#include "target/core/clock.h"

uint64_t tune_ticks(uint64_t ns, uint64_t steps)
{
	uint64_t ticks = clock_ticks(ns);
	uint64_t least = steps * clock_step();

	return ticks < least ? least : ticks;
}

bool tune_slot(struct slot *s, int length, uint64_t target, uint64_t empty,
	       uint64_t *ret_n)
{
	enum { FIRST_SHARE = 10, MAX_ROUNDS = 16 };
	const uint64_t step = clock_step() > 0 ? clock_step() : 1;
	uint64_t n = 1;
	bool near = false;

	for (int round = 0; round < MAX_ROUNDS && !near; round++) {
		uint64_t one, two, ticks;

		slot_iterations(s, n);
		if (!slot_run(s, length, &one) || !slot_run(s, length, &two))
			return false;
		ticks = one < two ? one : two;
		ticks = ticks > empty ? ticks - empty : 0;
		ticks = ticks > step ? ticks : step;
		/* A stall can make one scale too small, so the last step must
		 * not be a long one. */
		near = (ticks >= target / 2 && ticks <= target * 3 / 2) ||
		       (n == 1 && ticks >= target);
		n = n *
		    (ticks < target / FIRST_SHARE / 2 ? target / FIRST_SHARE
						      : target) /
		    ticks;
		if (n == 0)
			n = 1;
	}
	slot_iterations(s, n);
	*ret_n = n;
	return true;
}

void tune_probe(struct slot *s, uint64_t target, uint64_t chain_operations,
		uint64_t chain_ticks, uint64_t *ret_n)
{
	/* Instructions in a cycle, at most.  A core that executes fewer has a
	 * longer probe. */
	enum { WIDTH = 8 };
	uint64_t cycles = chain_operations * target / chain_ticks;
	uint64_t n = WIDTH * cycles / s->kernel->unroll[SLOT_LONG];

	*ret_n = n > 0 ? n : 1;
	slot_iterations(s, *ret_n);
}
