/* What a run on a reference clock has to be judged by: do its chains agree, and
 * how fast is its probe in silence? */
#include <math.h>
#include <stdlib.h>

#include "host/solve/sandwich.h"
#include "host/solve/stats.h"

/* Chains a and b count the same cycles, or one of them is no chain. */
static const double max_chain_ratio = 0.02;
/* An undisturbed probe is faster than this share of the visits: siblings
 * may be busy for most of a run. */
static const double probe_quantile = 0.10;

bool estimate_visit_facts(const struct calibration *c, const struct sample *m,
			  struct visit_facts *ret)
{
	size_t n_rows = 0, n_good = 0;

	if (!sandwich_ok(m))
		return false;

	double *sides = xrealloc(NULL, m->n_rows, 3 * sizeof(*sides));
	double *readings = sides + m->n_rows;
	double *probes = readings + m->n_rows;

	for (size_t row = 0; row < m->n_rows; row++) {
		struct sandwich_row r;

		if (sandwich_read(c, m, row, &r)) {
			readings[n_good] = r.reading;
			probes[n_good++] = r.probe;
		}
		if (r.tpc > 0)
			sides[n_rows++] = r.b_over_a;
	}
	if (n_rows > 0)
		*ret = (struct visit_facts){
			.b_over_a = stats_median(sides, n_rows),
			.has_probe = n_good > 0 && m->calib_iterations[2] > 0,
			.n_probe = m->calib_iterations[2],
		};
	if (n_rows > 0 && ret->has_probe) {
		ret->reading = stats_median(readings, n_good);
		ret->probe = stats_median(probes, n_good);
	}
	free(sides);
	return n_rows > 0;
}

double estimate_probe(const struct calibration *c, const struct visit_facts *f)
{
	const struct sandwich_row r = { .probe = f->probe };

	return f->has_probe ? sandwich_probe(&r, c->reading, f->n_probe) : 0;
}

/* A calibrated visit's figure by figure into `list`. */
static size_t list_readings(const struct visit_facts *facts, size_t n,
			    double *list)
{
	size_t n_list = 0;

	for (size_t i = 0; i < n; i++)
		if (facts[i].has_probe)
			list[n_list++] = facts[i].reading;
	return n_list;
}

static size_t list_probes(const struct calibration *c,
			  const struct visit_facts *facts, size_t n,
			  double *list)
{
	size_t n_list = 0;

	for (size_t i = 0; i < n; i++) {
		list[n_list] = estimate_probe(c, &facts[i]);
		n_list += list[n_list] > 0;
	}
	return n_list;
}

void estimate_calibrate(struct calibration *c, const struct visit_facts *facts,
			size_t n)
{
	double *list = xrealloc(NULL, n + 1, sizeof(*list));
	size_t n_list;

	for (size_t i = 0; i < n; i++)
		list[i] = facts[i].b_over_a;
	if (n > 0)
		c->usable = fabs(stats_median(list, n) - 1) <= max_chain_ratio;
	n_list = list_readings(facts, n, list);
	if (n_list > 0)
		c->reading = fmax(stats_median(list, n_list), 0);
	n_list = list_probes(c, facts, n, list);
	if (n_list > 0)
		c->probe_baseline =
			stats_quantile(list, n_list, probe_quantile);
	free(list);
}
