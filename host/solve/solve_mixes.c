/* The times of mixes and chains of a port search. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/solve/mix.h"
#include "host/solve/solving.h"

/* A probe slower than its baseline by this share has a busy sibling (max_slack
 * of calibrate.c). */
static const double busy_probe = 0.10;
/* Visits from which the baseline is kept for later packs.  Chosen: 30 of them
 * are its lower decile. */
enum { MANY_PROBES = 300 };

struct mixing {
	struct solving v;
	struct solve_probe *probe;
	solve_each_mix *each;
	void *context;
};

static int on_mix(void *context, const struct kernel_result *r, struct err *e)
{
	struct mixing *x = context;
	struct shape shape = solving_shape_of(&r->kernel);
	struct solve_mix m = { .kernel = r->index,
			       .label = r->kernel.label,
			       .n_samples = r->n_samples,
			       .fault = r->fault ? r->fault->cause : NULL };
	struct mix_value value;

	if (strncmp(m.label, "mix:", 4) != 0 &&
	    strncmp(m.label, "latency:", 8) != 0)
		return 0;
	if (x->v.ref) {
		struct estimate one =
			estimate_ref(&shape, &x->v.calibration, r->samples,
				     r->n_samples, COMBINE_LOWEST);

		value = mix_of_estimate(&one);
	} else {
		value = mix_of_core(&shape, r->samples, r->n_samples);
	}
	m.has_value = !m.fault && value.has_value;
	m.cycles = value.cycles;
	m.sigma = value.sigma;
	return x->each(x->context, &m, e);
}

/* Set the sibling's baseline of every core to `cycles` if that is lower. */
static void lower_baselines(struct calibration *c, double cycles)
{
	for (int core = 0; core < ESTIMATE_CORES; core++)
		for (int group = 0; group < ESTIMATE_CLASSES; group++) {
			double *one = &c->baseline[core][group][PROBE_SIBLING];

			if (*one == 0 || cycles < *one)
				*one = cycles;
		}
}

/* Iterations of the probe in the first visit that ran it. */
static double iterations_of(const struct visit_facts *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].has_probe && list[i].n_probe > 0)
			return (double)list[i].n_probe;
	return 1;
}

/* Keep the lowest baseline of all packs and the lowest cost of a reading.  A
 * busy sibling makes both larger, and a reading that is overestimated makes the
 * probe too small.  So a pack whose readings were delayed has its baseline from
 * the lowest reading, and if a pack shows a lower one, the kept baseline grows
 * by what was subtracted too much.  A baseline needs more than a few visits. */
static void keep_probe(struct solving *v, struct solve_probe *probe)
{
	const struct visit_facts *list = (const void *)v->facts.bytes;
	double *mine = &v->calibration.baseline[0][0][PROBE_SIBLING];
	double *reading = &v->calibration.reading[0];
	size_t n = v->facts.n / sizeof(*list), n_probes = 0, n_busy = 0;

	if (probe->reading > 0)
		estimate_recalibrate(&v->calibration, list, n, probe->reading);
	if (n >= MANY_PROBES && *reading > 0 && *mine > 0) {
		if (probe->cycles > 0 && probe->reading > *reading)
			probe->cycles += (probe->reading - *reading) /
					 iterations_of(list, n);
		if (probe->cycles == 0 || *mine < probe->cycles)
			probe->cycles = *mine;
		probe->reading = *reading;
	}
	if (probe->cycles > 0)
		lower_baselines(&v->calibration, probe->cycles);
	for (size_t i = 0; i < n; i++) {
		double cycles = estimate_probe(&v->calibration, &list[i],
					       PROBE_SIBLING);

		n_probes += cycles > 0;
		n_busy += cycles > *mine * (1 + busy_probe);
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
	probe->cycles = cycles;
	probe->reading = fmax(0, strtod(rest, NULL));
	return ERR_OK;
}

static int mixes(struct mixing *x, int64_t run, struct err *e)
{
	struct solving *v = &x->v;

	if (solving_open_run(v, run, e) != ERR_OK ||
	    solving_walk_labels(v, e) != ERR_OK ||
	    solving_calibrate(v, e) != ERR_OK ||
	    find_kept(v, run, x->probe, e) != ERR_OK)
		return e->code;
	keep_probe(v, x->probe);
	return store_kernels_of(v->s, run, &v->part, on_mix, x, e);
}

/* The kernels from q->first on, to `end`; 0: all. */
static int solve_part(struct store *s, const struct solve_mixing *q,
		      uint32_t end, struct err *e)
{
	struct mixing x = {
		.v = { .s = s, .part = { .first = q->first, .end = end } },
		.probe = q->probe,
		.each = q->each,
		.context = q->context,
	};
	int ret = mixes(&x, q->run, e);

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
