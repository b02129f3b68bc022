/* The times of mixes and chains of a port search. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"
#include "host/solve/evidence.h"
#include "host/solve/fit.h"
#include "host/solve/mix.h"
#include "host/solve/solving.h"
#include "host/solve/stats.h"

/* A probe slower than its baseline by this share has a busy sibling (max_slack
 * of calibrate.c). */
static const double busy_probe = 0.10;
/* A mix takes rows whose probes, before and behind, are closer to the baseline.  Seen
 * on a Zen 3 with busy siblings: of rows within 4 % three quarters have the time of an
 * idle one within 2 %, of those at 8 % a quarter. */
static const double quiet_probe = 0.04, quiet_lowest = 0.06;
static const double lower_quartile = 0.25;
/* Visits from which the baseline is kept for later packs.  Chosen: 30 of them
 * are its lower decile. */
enum { MANY_PROBES = 300 };

/* A mix whose kernels follow each other. */
struct mix_group {
	struct solve_mix mix; /* n_kernels 0: none */
	char label[PACK_MAX_LABEL];
	char fault[32];
	struct buffer rows; /* struct mix_row */
};

struct mixing {
	struct solving v;
	struct solve_probe *probe;
	bool unfinished;
	solve_each_mix *each;
	void *context;
	struct mix_group group;
};

/* Tell the caller about the group, which is then empty. */
static int end_group(struct mixing *x, struct err *e)
{
	struct mix_group *g = &x->group;
	struct mix_value value = mix_of_rows(
		(void *)g->rows.bytes, g->rows.n / sizeof(struct mix_row));
	struct solve_mix m = g->mix;

	g->mix.n_kernels = 0;
	g->rows.n = 0;
	if (m.n_kernels == 0)
		return 0;
	m.label = g->label;
	m.fault = *g->fault ? g->fault : NULL;
	m.has_value = !m.fault && value.has_value;
	m.cycles = value.cycles;
	m.sigma = value.sigma;
	return x->each(x->context, &m, e);
}

static int begin_group(struct mixing *x, const struct kernel_result *r,
		       struct err *e)
{
	struct mix_group *g = &x->group;

	if (g->mix.n_kernels > 0 && strcmp(g->label, r->kernel.label) == 0)
		return 0;
	if (end_group(x, e) != 0)
		return -1;
	g->mix = (struct solve_mix){ .kernel = r->index };
	*g->fault = '\0';
	(void)snprintf(g->label, sizeof(g->label), "%s", r->kernel.label);
	return 0;
}

static void add_rows(struct mixing *x, const struct shape *shape,
		     const struct sample *m)
{
	struct mix_group *g = &x->group;
	double *cycles = xrealloc(NULL, m->n_rows, sizeof(*cycles));
	size_t n = visit_quiet_rows(shape, &x->v.calibration, m, cycles);

	for (size_t i = 0; i < n; i++) {
		struct mix_row row = { cycles[i], (uint32_t)g->mix.n_samples };

		buffer_add(&g->rows, &row, sizeof(row));
	}
	free(cycles);
}

static int add_to_group(struct mixing *x, const struct kernel_result *r,
			struct err *e)
{
	struct shape shape = solving_shape_of(&r->kernel);
	struct mix_group *g = &x->group;
	bool usable = x->v.calibration.usable && fit_possible(shape.unroll) &&
		      shape.ops_per_body > 0;

	if (begin_group(x, r, e) != 0)
		return -1;
	g->mix.n_kernels++;
	if (r->fault)
		(void)snprintf(g->fault, sizeof(g->fault), "%s",
			       r->fault->cause);
	for (size_t i = 0; i < r->n_samples; i++, g->mix.n_samples++)
		if (usable && r->samples[i].n_rows > 0)
			add_rows(x, &shape, &r->samples[i]);
	return 0;
}

static int on_mix(void *context, const struct kernel_result *r, struct err *e)
{
	struct mixing *x = context;
	struct shape shape = solving_shape_of(&r->kernel);
	struct solve_mix m = { .kernel = r->index,
			       .n_kernels = 1,
			       .label = r->kernel.label,
			       .n_samples = r->n_samples,
			       .fault = r->fault ? r->fault->cause : NULL };
	struct mix_value value;

	if (strncmp(m.label, "mix:", 4) != 0 &&
	    strncmp(m.label, "latency:", 8) != 0)
		return 0;
	if (x->v.ref)
		return add_to_group(x, r, e);
	value = mix_of_core(&shape, r->samples, r->n_samples);
	m.has_value = !m.fault && value.has_value;
	m.cycles = value.cycles;
	m.sigma = value.sigma;
	return x->each(x->context, &m, e);
}

/* Where a core's sibling was busy all the time, or its own baseline is that of a
 * busy one, set it to `cycles`.  Elsewhere its own is better: the lowest of many
 * packs lies at the fast edge of the noise of undisturbed probes. */
static void lower_baselines(struct calibration *c, double cycles)
{
	for (int core = 0; core < ESTIMATE_CORES; core++) {
		double *own = &c->baseline[core][0][PROBE_SIBLING];

		if (!c->never_quiet[core] && *own > 0 &&
		    *own <= cycles * (1 + busy_probe)) {
			c->slack[core] = fmin(c->slack[core], quiet_probe);
			continue;
		}
		c->never_quiet[core] = false;
		c->slack[core] = quiet_lowest;
		for (int group = 0; group < ESTIMATE_CLASSES; group++)
			c->baseline[core][group][PROBE_SIBLING] = cycles;
	}
}

static void add_baseline(struct solve_probe *probe, double cycles)
{
	double sorted[SOLVE_PROBE_PACKS];
	size_t n;

	probe->packs[probe->n_packs++ % SOLVE_PROBE_PACKS] = cycles;
	n = probe->n_packs < SOLVE_PROBE_PACKS ? probe->n_packs
					       : SOLVE_PROBE_PACKS;
	memcpy(sorted, probe->packs, n * sizeof(*sorted));
	probe->cycles = stats_quantile(sorted, n, lower_quartile);
}

/* Keep a baseline of all packs but those that are far above it, whose sibling was
 * always busy, and the lowest cost of a reading.  A busy sibling
 * makes both larger, and a reading that is overestimated makes the probe too
 * small.  So a pack whose readings were delayed has its baseline from the lowest
 * reading.  A baseline needs more than a few visits. */
static void keep_probe(struct mixing *x)
{
	struct solving *v = &x->v;
	struct solve_probe *probe = x->probe;
	const struct visit_facts *list = (const void *)v->facts.bytes;
	double mine, reading;
	size_t n = v->facts.n / sizeof(*list), n_probes = 0, n_busy = 0;

	if (probe->reading > 0)
		estimate_recalibrate(&v->calibration, list, n, probe->reading);
	mine = v->calibration.baseline[0][0][PROBE_SIBLING];
	reading = v->calibration.reading[0];
	if (!x->unfinished && n >= MANY_PROBES && reading > 0 && mine > 0) {
		if (probe->n_packs == 0 ||
		    (!v->calibration.never_quiet[0] &&
		     mine <= probe->cycles * (1 + busy_probe)))
			add_baseline(probe, mine);
		probe->reading = reading;
	}
	if (probe->cycles > 0)
		lower_baselines(&v->calibration, probe->cycles);
	mine = v->calibration.baseline[0][0][PROBE_SIBLING];
	for (size_t i = 0; i < n; i++) {
		double cycles = estimate_probe(&v->calibration, &list[i],
					       PROBE_SIBLING);

		n_probes += cycles > 0;
		n_busy += cycles > mine * (1 + busy_probe);
	}
	probe->busy = n_probes > 0 ? (double)n_busy / (double)n_probes : 0;
}

enum { KEY_ROOM = 32, TEXT_ROOM = 64 };

/* The environment's key of a probe with this unroll.  Its value: cycles of the
 * probe and of a reading. */
static void key_of(uint32_t unroll, char key[KEY_ROOM])
{
	(void)snprintf(key, KEY_ROOM, "silent_probe_%u", (unsigned)unroll);
}

int solve_store_probe(struct store *s, int64_t run,
		      const struct solve_probe *probe, struct err *e)
{
	char key[KEY_ROOM], text[TEXT_ROOM];

	if (!(probe->cycles > 0))
		return ERR_OK;
	key_of(probe->unroll, key);
	(void)snprintf(text, sizeof(text), "%.6g %.6g", probe->cycles,
		       probe->reading);
	return store_env(s, run, key, text, e);
}

static int find_kept(struct solving *v, int64_t run, struct solve_probe *probe,
		     struct err *e)
{
	char key[KEY_ROOM], text[TEXT_ROOM], *rest;
	double cycles;

	probe->unroll = v->calibration.kernels[PACK_CALIB_PROBE].unroll[2];
	key_of(probe->unroll, key);
	if (!v->ref || probe->cycles > 0 ||
	    store_env_least(v->s, run, key, text, sizeof(text), e) != ERR_OK)
		return e->code;
	cycles = strtod(text, &rest);
	if (!(cycles > 0) || !isfinite(cycles))
		return ERR_OK;
	add_baseline(probe, cycles);
	probe->reading = fmax(0, strtod(rest, NULL));
	return ERR_OK;
}

static int mixes(struct mixing *x, int64_t run, struct err *e)
{
	struct solving *v = &x->v;
	int ret;

	if (solving_open_run(v, run, e) != ERR_OK ||
	    solving_walk_labels(v, e) != ERR_OK ||
	    solving_calibrate(v, e) != ERR_OK ||
	    find_kept(v, run, x->probe, e) != ERR_OK)
		return e->code;
	keep_probe(x);
	ret = store_kernels_of(v->s, run, &v->part, on_mix, x, e);
	return ret == 0 ? end_group(x, e) : ret;
}

/* The kernels from q->first on, to `end`; 0: all. */
static int solve_part(struct store *s, const struct solve_mixing *q,
		      uint32_t end, struct err *e)
{
	struct mixing x = {
		.v = { .s = s, .part = { .first = q->first, .end = end } },
		.probe = q->probe,
		.unfinished = q->unfinished,
		.each = q->each,
		.context = q->context,
	};
	int ret = mixes(&x, q->run, e);

	buffer_free(&x.group.rows);
	solving_free_walk(&x.v);
	return ret;
}

int solve_mixes(struct store *s, const struct solve_mixing *q, struct err *e)
{
	return solve_part(s, q, 0, e);
}

/* Where packs begin: at a calibration kernel behind another kernel. */
struct pack_starts {
	struct buffer list; /* uint32_t */
	bool calibrates;
};

static int note_start(void *context, const struct kernel_result *r,
		      struct err *e)
{
	struct pack_starts *w = context;
	bool calibrates = strncmp(r->kernel.label, "calibrate:", 10) == 0;

	(void)e;
	if (w->list.n == 0 || (calibrates && !w->calibrates))
		buffer_add(&w->list, &r->index, sizeof(r->index));
	w->calibrates = calibrates;
	return 0;
}

int solve_mix_packs(struct store *s, const struct solve_mixing *q,
		    struct err *e)
{
	const struct store_part all = { .first = q->first,
					.labels_only = true };
	struct pack_starts w = { .calibrates = false };
	int ret = store_kernels_of(s, q->run, &all, note_start, &w, e);
	const uint32_t *starts = (const void *)w.list.bytes;
	size_t n = w.list.n / sizeof(*starts);
	struct solve_mixing pack = *q;

	for (size_t i = 0; i < n && ret == ERR_OK; i++) {
		pack.first = starts[i];
		ret = solve_part(s, &pack, i + 1 < n ? starts[i + 1] : 0, e);
	}
	buffer_free(&w.list);
	return ret;
}
