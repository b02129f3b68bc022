/* A table of the targets of jumps.  Where it holds fewer than a loop has, and the one
 * that was used longest ago goes first, no jump of the loop finds its own.  What runs
 * between two runs of a loop fills the table, too, so that in the first iteration
 * of each run none does. */
#include "host/fake/kernel.h"

void fake_find_targets(const struct core *core, const struct fake_kernel *k,
		       int length, struct fake_timing *t)
{
	uint32_t n = 0;

	for (size_t i = 0; i < k->n[length]; i++)
		n += k->ops[k->sequence[length][i]].jumps;
	if (core->targets == 0)
		return;
	t->jumps_first = n * core->retarget;
	t->jumps_again = n > core->targets ? t->jumps_first : 0;
}
