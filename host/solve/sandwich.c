/* See sandwich.h. */
#include "host/solve/sandwich.h"

#include <math.h>

/* METHOD: with rows whose chains differ by less, known integers have an error
 * of 0.3-0.4 % at p99.9.  Other rows get a flag. */
static const double max_sides = 0.02;

/* Two readings this close agree: a step of the clock is 0.4 % of a long one
 * (CHAIN_STEPS of target/core/measure.c), 1.2 % of a short one. */
static const double max_readings = 0.01;

static const double max_ticks = 9007199254740992.0;

/* Readings of the chains in a row.  The operations of each are known, so each
 * gives the ticks per cycle once the cost of a reading is known. */
enum { A_LONG, A_SHORT, B_LONG, B_SHORT, N_READINGS };

struct sandwich_chains {
	double ticks[N_READINGS], ops[N_READINGS];
};

static struct sandwich_chains read_chains(const struct calibration *c,
					  const struct sample *m,
					  const double d[ROW_REF_WIDE])
{
	const struct shape *a = &c->kernels[PACK_CALIB_CHAIN_A];
	const struct shape *b = &c->kernels[PACK_CALIB_CHAIN_B];
	double n_a = (double)m->calib_iterations[PACK_CALIB_CHAIN_A] *
		     a->ops_per_body;
	double n_b = (double)m->calib_iterations[PACK_CALIB_CHAIN_B] *
		     b->ops_per_body;

	return (struct sandwich_chains){
		.ticks = { d[ROW_A_LONG], d[ROW_A_SHORT], d[ROW_B_LONG],
			   d[ROW_B_SHORT] },
		.ops = { n_a * a->unroll[2], n_a * a->unroll[0],
			 n_b * b->unroll[2], n_b * b->unroll[0] },
	};
}

/* Ticks per cycle from the difference of a chain's two readings, without the
 * cost of a reading; 0 if it is not positive. */
static double difference(const struct sandwich_chains *x, int long_one,
			 int short_one)
{
	double rise = x->ticks[long_one] - x->ticks[short_one];

	return rise > 0 ? rise / (x->ops[long_one] - x->ops[short_one]) : 0;
}

/* Ticks per cycle if the chains disagree: one of the four readings was
 * disturbed.  Take the fastest two that agree, because disturbances only add
 * time.  0: no two agree. */
static double undisturbed(const struct sandwich_chains *x, double reading)
{
	double t[N_READINGS], best = 0;

	for (int i = 0; i < N_READINGS; i++)
		t[i] = x->ticks[i] / (x->ops[i] + reading);
	for (int i = 0; i < N_READINGS; i++)
		for (int at = 0; at < i; at++) {
			double mean = (t[i] + t[at]) / 2;

			if (fabs(t[i] - t[at]) <= max_readings * mean &&
			    (best == 0 || mean < best))
				best = mean;
		}
	return best;
}

bool sandwich_ok(const struct sample *m)
{
	return row_is_ref(m->row) && m->n_iterations > 0 && m->n_rows > 0 &&
	       m->calib_iterations[0] > 0 && m->calib_iterations[1] > 0;
}

bool sandwich_read(const struct calibration *c, const struct sample *m,
		   size_t row, struct sandwich_row *ret)
{
	uint32_t core = m->core % ESTIMATE_CORES;
	double d[ROW_REF_WIDE] = { 0 };
	struct sandwich_chains x;

	*ret = (struct sandwich_row){ .tpc = 0 };
	for (size_t i = 0; i < m->row; i++) {
		d[i] = (double)m->values[row * m->row + i];
		if (d[i] >= max_ticks)
			return false;
	}
	for (int i = 0; i < PACK_LENGTHS; i++)
		ret->lengths[i] = d[ROW_LENGTHS + i];
	x = read_chains(c, m, d);

	double a = difference(&x, A_LONG, A_SHORT);
	double b = difference(&x, B_LONG, B_SHORT);

	if (a > 0 && b > 0) {
		ret->b_over_a = b / a;
		ret->tpc = (a + b) / 2;
		ret->reading = d[ROW_A_LONG] / a - x.ops[A_LONG];
		ret->chains_agree = fabs(a - b) <= max_sides * ret->tpc;
	}
	if (!ret->chains_agree && c->reading[core] > 0) {
		double t = undisturbed(&x, c->reading[core]);

		ret->tpc = t > 0 ? t : ret->tpc;
	}
	if (ret->tpc <= 0)
		return false;
	ret->probes[PROBE_SIBLING] = d[ROW_PROBE] / ret->tpc;
	ret->probes[PROBE_WIDE] = d[ROW_WIDE] / ret->tpc;
	ret->probes[PROBE_LOADS] = d[ROW_LOADS] / ret->tpc;
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
