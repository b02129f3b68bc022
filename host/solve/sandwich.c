/* See sandwich.h. */
#include "host/solve/sandwich.h"

#include <math.h>

/* METHOD: the limit that leaves 0.3-0.4 % error at p99.9 of known integers. */
static const double max_sides = 0.02; /* chains a and b differ */

static const double max_ticks = 9007199254740992.0;

/* Ticks per cycle by one chain, 0 when it cannot be told. */
static double chain_tpc(const struct shape *chain, double long_ticks,
			double short_ticks, uint64_t n)
{
	double ops = (double)(chain->unroll[2] - chain->unroll[0]) *
		     chain->ops_per_body * (double)n;

	return long_ticks > short_ticks ? (long_ticks - short_ticks) / ops : 0;
}

bool sandwich_ok(const struct sample *m)
{
	return m->row == SANDWICH_ROW && m->n_iterations > 0 && m->n_rows > 0 &&
	       m->calib_iterations[0] > 0 && m->calib_iterations[1] > 0;
}

bool sandwich_read(const struct calibration *c, const struct sample *m,
		   size_t row, struct sandwich_row *ret)
{
	const struct shape *chain = &c->kernels[PACK_CALIB_CHAIN_A];
	const uint64_t *n = m->calib_iterations;
	double d[SANDWICH_ROW];

	*ret = (struct sandwich_row){ .tpc = 0 };
	for (int i = 0; i < SANDWICH_ROW; i++) {
		d[i] = (double)m->values[row * SANDWICH_ROW + (size_t)i];
		if (d[i] >= max_ticks)
			return false;
	}
	for (int i = 0; i < PACK_LENGTHS; i++)
		ret->lengths[i] = d[SANDWICH_LENGTHS + i];

	double a = chain_tpc(chain, d[SANDWICH_A_LONG], d[SANDWICH_A_SHORT],
			     n[PACK_CALIB_CHAIN_A]);
	double b =
		chain_tpc(&c->kernels[PACK_CALIB_CHAIN_B], d[SANDWICH_B_LONG],
			  d[SANDWICH_B_SHORT], n[PACK_CALIB_CHAIN_B]);

	if (a <= 0 || b <= 0)
		return false;
	ret->b_over_a = b / a;
	ret->tpc = (a + b) / 2;
	ret->reading = d[SANDWICH_A_LONG] / a -
		       (double)chain->unroll[2] * chain->ops_per_body *
			       (double)n[PACK_CALIB_CHAIN_A];
	ret->probe = d[SANDWICH_PROBE] / ret->tpc;
	return fabs(a - b) <= max_sides * ret->tpc;
}

double sandwich_probe(const struct sandwich_row *r, double reading, uint64_t n)
{
	return n > 0 && r->probe > reading ? (r->probe - reading) / (double)n
					   : 0;
}
