/* See rows.h. */
#include "host/solve/rows.h"

#include <math.h>

#include "host/solve/fit.h"
#include "host/solve/sandwich.h"
#include "host/solve/stats.h"

/* Limits beyond which a row gets a flag.  METHOD: they leave 0.3-0.4 % error at
 * p99.9 of known integers; what a flag means is learned (learn.c). */
static const double max_slow = 0.04; /* above the lower quartile */
static const double quartile = 0.25;
static const double max_probe = 0.10; /* above the baseline */

static uint8_t slow_probes(const struct calibration *c, const struct shape *k,
			   const struct sample *m, const struct sandwich_row *r)
{
	static const uint8_t marks[N_PROBES] = {
		[PROBE_SIBLING] = 1 << MARK_SIBLING,
		[PROBE_WIDE] = 1 << MARK_WIDE,
		[PROBE_LOADS] = 1 << MARK_LOADS,
	};
	uint32_t core = m->core % ESTIMATE_CORES;
	uint8_t ret = c->never_quiet[core] ? marks[PROBE_SIBLING] : 0;

	for (int p = 0; p < N_PROBES; p++) {
		double usual = c->baseline[core][k->class][p];
		double cycles =
			sandwich_probe(r->probes, p, c->reading[core],
				       m->calib_iterations[PACK_CALIB_PROBE]);

		double slack = p == PROBE_SIBLING ? c->slack[core] : max_probe;

		if (usual > 0 && cycles > usual * (1 + slack))
			ret |= marks[p];
	}
	return ret;
}

/* The sibling may become busy after the probe of
 * a row; the probe of the next row shows it. */
size_t rows_read(const struct shape *k, const struct calibration *c,
		 const struct sample *m, struct visit_row *list)
{
	size_t n = 0;
	bool adjacent = false; /* does list[n - 1] belong to the row before? */

	if (!sandwich_ok(m))
		return 0;
	for (size_t i = 0; i < m->n_rows; i++) {
		struct visit_row *r = &list[n];
		struct sandwich_row s;

		if (!sandwich_read(c, m, i, &s)) {
			adjacent = false;
			continue;
		}

		struct fit f = fit_line(s.lengths, k->unroll);
		double ops = (double)m->n_iterations * k->ops_per_body;

		*r = (struct visit_row){
			.tpc = s.tpc,
			.ticks = f.rise / (f.run * ops),
			.bend = f.range > 0 && f.rise > 0 ? f.residual : NAN,
			.bound = fit_bound(s.lengths, k->unroll) / ops,
			.marks = slow_probes(c, k, m, &s),
		};
		r->cycles = r->ticks / r->tpc;
		for (int l = 0; l < PACK_LENGTHS; l++)
			r->lengths[l] =
				s.lengths[l] / (r->tpc * ops * k->unroll[l]);
		if (!s.chains_agree)
			r->marks |= 1 << MARK_CHAINS;
		if (adjacent)
			list[n - 1].marks |= r->marks & (1 << MARK_SIBLING);
		adjacent = true;
		n++;
	}
	return n;
}

void rows_mark_slow(struct visit_row *list, size_t n, double *work)
{
	double limit;

	for (size_t i = 0; i < n; i++)
		work[i] = list[i].tpc;
	limit = stats_quantile(work, n, quartile) * (1 + max_slow);
	for (size_t i = 0; i < n; i++)
		if (list[i].tpc > limit)
			list[i].marks |= 1 << MARK_SLOW;
}
