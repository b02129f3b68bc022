/* Rows of which one length met what the others did not: a branch or a line of a cache
 * that the core had forgotten.  On a core clock nothing else tells such a row. */
#include "host/fake/measure.h"

void fake_miss(double percent, double random, uint64_t row[PACK_LENGTHS])
{
	enum { CYCLES = 30, ALL = 100 };
	double drawn = random * ALL;

	if (drawn < percent)
		row[(size_t)(drawn / percent * PACK_LENGTHS)] += CYCLES;
}
