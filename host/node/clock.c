#include "host/node/clock.h"

/* Chosen: a reading is exact to a step of the clock, of which the long chain
 * takes 500 or more (CHAIN_STEPS of the runtime), so the cost is exact to 1.2 %
 * of a short chain; a stop of 1 us is a third of one. */
static const double below = 0.015, above = 0.03;

/* Ticks that each of the row's chains takes in addition to its cycles, as a
 * share of the short one's. */
static double cost_of(const struct clock_chains *how, const uint64_t *row)
{
	double ratio = how->long_cycles / how->short_cycles;
	double longer = (double)row[2], shorter = (double)row[3];

	return (ratio * shorter - longer) / (ratio - 1) / shorter;
}

static bool has_chains(const uint64_t *row)
{
	return row[3] > 0 && row[2] > row[3];
}

void clock_add(const struct clock_chains *how, const uint64_t (*rows)[CORE_ROW],
	       size_t n, struct buffer *clocks)
{
	double cycles = how->long_cycles - how->short_cycles;
	double least = 1;

	for (size_t i = 0; i < n; i++) {
		double cost = has_chains(rows[i]) ? cost_of(how, rows[i]) : 1;

		if (cost >= -below && cost < least)
			least = cost;
	}
	for (size_t i = 0; i < n; i++) {
		double cost = has_chains(rows[i]) ? cost_of(how, rows[i]) : 1;
		double hz;

		if (cost < -below || cost > least + above || cost >= 1)
			continue;
		hz = cycles * how->hz / (double)(rows[i][2] - rows[i][3]);
		buffer_add(clocks, &hz, sizeof(hz));
	}
}
