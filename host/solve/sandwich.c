/* See sandwich.h. */
#include "host/solve/sandwich.h"

#include <math.h>

/* METHOD: where the chains of both sides lie closer, 0.3-0.4 % error at p99.9
 * of known integers are left.  Rows beyond it are marked, not dropped. */
static const double max_sides = 0.02;

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
	return row_is_ref(m->row) && m->n_iterations > 0 && m->n_rows > 0 &&
	       m->calib_iterations[0] > 0 && m->calib_iterations[1] > 0;
}

bool sandwich_read(const struct calibration *c, const struct sample *m,
		   size_t row, struct sandwich_row *ret)
{
	const struct shape *chain = &c->kernels[PACK_CALIB_CHAIN_A];
	const uint64_t *n = m->calib_iterations;
	double d[ROW_REF_WIDE] = { 0 };

	*ret = (struct sandwich_row){ .tpc = 0 };
	for (size_t i = 0; i < m->row; i++) {
		d[i] = (double)m->values[row * m->row + i];
		if (d[i] >= max_ticks)
			return false;
	}
	for (int i = 0; i < PACK_LENGTHS; i++)
		ret->lengths[i] = d[ROW_LENGTHS + i];

	double a = chain_tpc(chain, d[ROW_A_LONG], d[ROW_A_SHORT],
			     n[PACK_CALIB_CHAIN_A]);
	double b = chain_tpc(&c->kernels[PACK_CALIB_CHAIN_B], d[ROW_B_LONG],
			     d[ROW_B_SHORT], n[PACK_CALIB_CHAIN_B]);

	if (a <= 0 || b <= 0)
		return false;
	ret->b_over_a = b / a;
	ret->tpc = (a + b) / 2;
	ret->reading = d[ROW_A_LONG] / a -
		       (double)chain->unroll[2] * chain->ops_per_body *
			       (double)n[PACK_CALIB_CHAIN_A];
	ret->probes[PROBE_SIBLING] = d[ROW_PROBE] / ret->tpc;
	ret->probes[PROBE_WIDE] = d[ROW_WIDE] / ret->tpc;
	ret->probes[PROBE_LOADS] = d[ROW_LOADS] / ret->tpc;
	ret->chains_agree = fabs(a - b) <= max_sides * ret->tpc;
	return true;
}

double sandwich_probe(const double probes[N_PROBES], enum probe which,
		      double reading, uint64_t n)
{
	double cycles = probes[which] - reading;

	if (which != PROBE_SIBLING)
		n = 1;
	return n > 0 && cycles > 0 ? cycles / (double)n : 0;
}
