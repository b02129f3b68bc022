/* Least squares over three points; see fit.h. */
#include "host/solve/fit.h"

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
