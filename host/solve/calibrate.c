/* The calibration of a run on a reference clock: do its chains agree, what is
 * the cost of a reading, and how fast are its probes on an undisturbed core? */
#include <math.h>
#include <stdlib.h>

#include "host/base/arena.h"
#include "host/solve/sandwich.h"
#include "host/solve/stats.h"

/* If chains a and b differ by more, one of them is no 1-cycle chain.  Chosen:
 * the median of a run has a smaller error, and another latency a larger one. */
static const double max_chain_ratio = 0.02;
/* The baseline of a probe is this quantile over the visits: siblings may be
 * busy for most of a run. */
static const double baseline_quantile = 0.10;
/* A busy sibling makes the probe take 50 to 100 % longer (METHOD); the noise of
 * a reading stays below this (PROBE_STEPS of target/core/measure.c). */
static const double max_slack = 0.10;
/* A core or a class with fewer visits has no baseline: three visits are the
 * tenth that baseline_quantile selects. */
enum { FEW_VISITS = 30 };

static double median_of_probe(const struct sandwich_row *rows, size_t n,
			      enum probe which, double *work)
{
	size_t n_run = 0;

	for (size_t i = 0; i < n; i++)
		if (rows[i].probes[which] > 0)
			work[n_run++] = rows[i].probes[which];
	return n_run > 0 ? stats_median(work, n_run) : 0;
}

/* Medians over n rows, or over those whose chains agree if there are any. */
static void read_medians(struct sandwich_row *rows, size_t n, double *work,
			 struct visit_facts *ret)
{
	size_t n_agree = 0, n_told = 0;

	for (size_t i = 0; i < n; i++)
		if (rows[i].b_over_a > 0)
			work[n_told++] = rows[i].b_over_a;
	ret->b_over_a = n_told > 0 ? stats_median(work, n_told) : 0;
	for (size_t i = 0; i < n; i++)
		if (rows[i].chains_agree)
			rows[n_agree++] = rows[i];
	if (n_agree == 0 || ret->n_probe == 0)
		return;
	ret->has_probe = true;
	for (size_t i = 0; i < n_agree; i++)
		work[i] = rows[i].reading;
	ret->reading = stats_median(work, n_agree);
	for (int p = 0; p < N_PROBES; p++)
		ret->probes[p] = median_of_probe(rows, n_agree, p, work);
	ret->row_probe = rows[n_agree / 2].probes[PROBE_SIBLING];
}

bool estimate_visit_facts(const struct calibration *c, const struct shape *k,
			  const struct sample *m, struct visit_facts *ret)
{
	struct sandwich_row *rows;
	double *work;
	size_t n = 0;

	if (!sandwich_ok(m))
		return false;
	rows = xrealloc(NULL, m->n_rows, sizeof(*rows));
	work = xrealloc(NULL, m->n_rows, sizeof(*work));
	for (size_t row = 0; row < m->n_rows; row++)
		n += sandwich_read(c, m, row, &rows[n]);
	if (n > 0) {
		*ret = (struct visit_facts){
			.core = (uint8_t)(m->core % ESTIMATE_CORES),
			.class = k->class,
			.n_probe = m->calib_iterations[PACK_CALIB_PROBE],
		};
		read_medians(rows, n, work, ret);
	}
	free(work);
	free(rows);
	return n > 0;
}

double estimate_probe(const struct calibration *c, const struct visit_facts *f,
		      enum probe which)
{
	return f->has_probe ? sandwich_probe(f->probes, which,
					     c->reading[f->core], f->n_probe)
			    : 0;
}

enum { ANY = -1 };

/* Visits of which a probe is looked at; `work` has room for a number of
 * each. */
struct probed {
	const struct calibration *c;
	const struct visit_facts *facts;
	size_t n;
	enum probe which;
	double *work;
};

/* The quantile of the probe over the visits of a core and a class; 0 when there
 * are fewer than `least`. */
static double quantile_of(const struct probed *p, int core, int group,
			  size_t least)
{
	size_t n_list = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct visit_facts *f = &p->facts[i];

		if ((core != ANY && f->core != core) ||
		    (group != ANY && f->class != group))
			continue;
		p->work[n_list] = estimate_probe(p->c, f, p->which);
		n_list += p->work[n_list] > 0;
	}
	return n_list >= least && n_list > 0
		       ? stats_quantile(p->work, n_list, baseline_quantile)
		       : 0;
}

/* Do the chains take the same cycles?  A stall after code of one class may
 * affect the same chain in all of its rows, so one class in which the chains
 * agree is enough. */
static bool chains_agree(const struct visit_facts *facts, size_t n,
			 double *work)
{
	for (int group = ANY; group < ESTIMATE_CLASSES; group++) {
		size_t n_list = 0;

		for (size_t i = 0; i < n; i++)
			if (facts[i].b_over_a > 0 &&
			    (group == ANY || facts[i].class == group))
				work[n_list++] = facts[i].b_over_a;
		if (n_list >= (group == ANY ? 1 : FEW_VISITS) &&
		    fabs(stats_median(work, n_list) - 1) <= max_chain_ratio)
			return true;
	}
	return false;
}

/* Does the probe show a busy sibling? */
static bool is_slow(const struct calibration *c, const struct visit_facts *f)
{
	double usual = c->baseline[f->core][f->class][PROBE_SIBLING];

	return usual > 0 &&
	       estimate_probe(c, f, PROBE_SIBLING) > usual * (1 + max_slack);
}

/* With `undisturbed` only visits count whose probe is close to the baseline: a
 * busy sibling delays a reading, too, and an overestimated reading makes the
 * probes of all other visits too fast. */
static void calibrate_readings(struct calibration *c,
			       const struct visit_facts *facts, size_t n,
			       bool undisturbed, double *work)
{
	const struct calibration before = *c;
	double all = 0;

	for (int core = ANY; core < ESTIMATE_CORES; core++) {
		size_t n_list = 0;

		for (size_t i = 0; i < n; i++)
			if (facts[i].has_probe &&
			    (core == ANY || facts[i].core == core) &&
			    !(undisturbed && is_slow(&before, &facts[i])))
				work[n_list++] = facts[i].reading;

		double reading =
			n_list > 0 ? fmax(stats_median(work, n_list), 0) : 0;

		if (core == ANY)
			all = reading;
		else
			c->reading[core] = n_list >= FEW_VISITS ? reading : all;
	}
}

/* Values that lie in a window at the fast end of all values. */
struct fast_end {
	double width;    /* of the window, relative to its start */
	size_t first, n; /* in the window */
	/* How many more there are than in a window of that width behind it. */
	double contrast;
};

/* The window of this width that stands out most, of those that begin in the
 * fastest twentieth of n sorted values and hold a twenty-fifth of them. */
static struct fast_end find_end(const double *list, size_t n, double width)
{
	/* Chosen: outliers, and the least share of a run that is called
	 * undisturbed. */
	const double outliers = 0.05, few = 0.04;
	const size_t behind = 3; /* windows */
	struct fast_end best = { .width = width };
	size_t end = 0, last = 0;

	for (size_t i = 0; (double)i < outliers * (double)n; i++) {
		double limit = list[i] * (1 + width);
		double far = list[i] * (1 + width * (double)(1 + behind));

		while (end < n && list[end] <= limit)
			end++;
		while (last < n && list[last] <= far)
			last++;

		double contrast =
			(double)(behind * (end - i)) / (double)(last - end + 1);

		if ((double)(end - i) >= few * (double)n &&
		    contrast > best.contrast) {
			best.first = i;
			best.n = end - i;
			best.contrast = contrast;
		}
	}
	return best;
}

/* Was the sibling ever idle?  An idle one leaves its probe one time, at the
 * fast end of all; a busy one any of many.  So that time stands out from those
 * behind it.  Its window becomes the baseline, and its width how much slower a
 * probe may be. */
static void check_quiet(struct calibration *c, const struct visit_facts *facts,
			size_t n, int core, double *work)
{
	/* From the noise of readings on a clock of fine steps to that on a
	 * clock of coarse ones; a probe may never be slower by more than
	 * max_slack. */
	static const double widths[] = { 0.02, 0.03, 0.045, 0.07, 0.1, 0.15 };
	/* Chosen: a share of 0.04 has a standard error of half of it.  Seen in
	 * 300 simulated machines: at most 3.5 where the sibling is always busy,
	 * at least 14 where it is idle for a tenth of the time; real ones: 11
	 * to 3000. */
	const double stands_out = 5, least_slack = 0.03;
	enum { ENOUGH = 100 };
	struct fast_end best = { .contrast = 0 };
	size_t n_list = 0;

	c->slack[core] = max_slack;
	c->never_quiet[core] = false;
	for (size_t i = 0; i < n; i++) {
		double probes[N_PROBES] = { 0 };

		if (facts[i].core != core || !facts[i].has_probe)
			continue;
		probes[PROBE_SIBLING] = facts[i].row_probe;
		work[n_list] =
			sandwich_probe(probes, PROBE_SIBLING, c->reading[core],
				       facts[i].n_probe);
		n_list += work[n_list] > 0;
	}
	if (n_list < ENOUGH)
		return;
	stats_sort(work, n_list);
	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++) {
		struct fast_end one = find_end(work, n_list, widths[i]);

		if (one.contrast > best.contrast)
			best = one;
	}
	c->never_quiet[core] = best.contrast < stands_out;
	if (c->never_quiet[core])
		return;
	c->slack[core] = fmin(fmax(best.width, least_slack), max_slack);
	for (int group = 0; group < ESTIMATE_CLASSES; group++)
		c->baseline[core][group][PROBE_SIBLING] =
			work[best.first + best.n / 2];
}

/* Of a class with few visits: the highest baseline of the others of its width,
 * which have the same probes, so that no undisturbed row has the flag.  0: each
 * has few. */
static double baseline_of_width(const double own[ESTIMATE_CLASSES], int group)
{
	int first = kernel_class_first(group);
	double best = 0;

	for (int i = first; i < first + KERNEL_N_ACCESSES && group > 0; i++)
		if (i < ESTIMATE_CLASSES && own[i] > best)
			best = own[i];
	return best;
}

/* The sibling's probe takes the same time before kernels of every class; the
 * other probes do not. */
static void calibrate_probe(struct calibration *c,
			    const struct visit_facts *facts, size_t n,
			    enum probe which, double *work)
{
	const struct probed p = { c, facts, n, which, work };
	bool by_class = which != PROBE_SIBLING;
	double all = quantile_of(&p, ANY, ANY, 1);

	for (int core = 0; core < ESTIMATE_CORES; core++) {
		double mine = quantile_of(&p, core, ANY, FEW_VISITS);
		double own[ESTIMATE_CLASSES];

		for (int group = 0; group < ESTIMATE_CLASSES; group++)
			own[group] = by_class ? quantile_of(&p, core, group,
							    FEW_VISITS)
					      : mine;
		for (int group = 0; group < ESTIMATE_CLASSES; group++) {
			double one = own[group] > 0
					     ? own[group]
					     : baseline_of_width(own, group);

			c->baseline[core][group][which] =
				one > 0 ? one : (mine > 0 ? mine : all);
		}
	}
}

/* All baselines, from the current costs of a reading. */
static void calibrate_probes(struct calibration *c,
			     const struct visit_facts *facts, size_t n,
			     double *work)
{
	for (int which = 0; which < N_PROBES; which++)
		calibrate_probe(c, facts, n, which, work);
	for (int core = 0; core < ESTIMATE_CORES; core++)
		check_quiet(c, facts, n, core, work);
}

void estimate_calibrate(struct calibration *c, const struct visit_facts *facts,
			size_t n)
{
	double *work = xrealloc(NULL, n + 1, sizeof(*work));

	c->usable = chains_agree(facts, n, work);
	calibrate_readings(c, facts, n, false, work);
	calibrate_probe(c, facts, n, PROBE_SIBLING, work);
	calibrate_readings(c, facts, n, true, work);
	calibrate_probes(c, facts, n, work);
	free(work);
}

void estimate_recalibrate(struct calibration *c,
			  const struct visit_facts *facts, size_t n,
			  double most_reading)
{
	double *work = xrealloc(NULL, n + 1, sizeof(*work));

	for (int core = 0; core < ESTIMATE_CORES; core++)
		c->reading[core] = fmin(c->reading[core], most_reading);
	calibrate_probes(c, facts, n, work);
	free(work);
}
