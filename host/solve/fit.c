/* Least squares over three points; see fit.h. */
#include "host/solve/fit.h"

#include <math.h>

#include "common/bend.h"

struct fit fit_line(const double ticks[PACK_LENGTHS],
		    const uint32_t unroll[PACK_LENGTHS])
{
	double sum = 0;
	struct fit f = { .range = ticks[2] - ticks[0] };

	for (int i = 0; i < PACK_LENGTHS; i++)
		sum += unroll[i];
	/* With 3u - sum(u) for u - mean(u) everything stays whole.  Ticks are
	 * taken relative to the shortest length to keep the products small. */
	for (int i = 0; i < PACK_LENGTHS; i++) {
		double weight = PACK_LENGTHS * (double)unroll[i] - sum;

		f.rise += weight * (ticks[i] - ticks[0]);
		f.run += weight * unroll[i];
	}

	double part = (double)(unroll[1] - unroll[0]) /
		      (double)(unroll[2] - unroll[0]);
	double off = ticks[1] - ticks[0] - part * f.range;

	f.residual = f.range > 0 ? off / f.range : 0;
	return f;
}

/* A line through three vertical spans exists where one exists through each two
 * of them, so the pairs bound the slope. */
bool fit_slopes(const double ticks[PACK_LENGTHS],
		const uint32_t unroll[PACK_LENGTHS], double *ret_low,
		double *ret_high)
{
	double low = -INFINITY, high = INFINITY;

	for (int i = 0; i < PACK_LENGTHS; i++) {
		double off = i == 0 ? BEND_FIRST : BEND_OTHER;

		for (int k = i + 1; k < PACK_LENGTHS; k++) {
			double rise = ticks[k] - ticks[i];
			double run = (double)unroll[k] - unroll[i];

			low = fmax(low, (rise - off - BEND_OTHER) / run);
			high = fmin(high, (rise + off + BEND_OTHER) / run);
		}
	}
	*ret_low = low;
	*ret_high = high;
	return low <= high;
}

double fit_bound(const double ticks[PACK_LENGTHS],
		 const uint32_t unroll[PACK_LENGTHS])
{
	double best = ticks[0] / unroll[0];

	for (int i = 1; i < PACK_LENGTHS; i++)
		if (ticks[i] / unroll[i] < best)
			best = ticks[i] / unroll[i];
	return best;
}

bool fit_possible(const uint32_t unroll[PACK_LENGTHS])
{
	return unroll[0] > 0 && unroll[0] < unroll[1] && unroll[1] < unroll[2];
}
