/* See effects.h. */
#include "tests/adversary/effects.h"

#include <math.h>

bool effect_is_throttled(const struct kernel *k)
{
	const double many = 0.25; /* cycles of an instruction, at most */

	return !k->chain && k->probe == N_PROBES && k->cycles > 0 &&
	       k->cycles <= many;
}

double effect_throttle(const struct machine *m, struct rng *r, double at,
		       double now, double *slow)
{
	enum { SIXTEENTHS = 16, LEAST = 8 };

	while (at <= now) {
		bool begins = *slow == 1;

		*slow = begins ? (double)SIXTEENTHS /
					 (LEAST + rng_below(r, LEAST))
			       : 1;
		at += rng_exponential(r, begins ? m->throttle_ns
						: m->throttle_gap_ns);
	}
	return at;
}

double effect_of_place(const struct machine *m, const struct kernel *k,
		       unsigned place)
{
	struct rng r = rng_new(m->seed + 1000 * (uint64_t)k->number, 5 + place);

	if (k->number < KERNEL_FIRST)
		return 1;
	return rng_unit(&r) < m->place_share ? m->place_slow : 1;
}
