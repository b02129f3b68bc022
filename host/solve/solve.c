/* A run's samples, walked twice: once for what the whole run knows of its
 * clock, once for the kernels. */
#include "host/solve/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/solve/judge.h"
#include "host/solve/mix.h"
#include "host/solve/stats.h"

/* A slower one has a busy sibling. */
static const double busy_probe = 0.10;
/* Visits from which a probe is known for good. */
enum { MANY_PROBES = 300 };

struct solving {
	struct arena a;
	struct store *s;
	struct run run;
	struct store_part part;
	bool ref;
	uint32_t n_chains;
	struct calibration calibration;
	struct buffer facts; /* struct visit_facts, one per visit */
	struct buffer records;
	struct solve_summary *summary;
	bool *settled; /* of solve_settled() */
};

static struct shape shape_of(const struct kernel_row *k)
{
	struct shape s = { .ops_per_body = k->ops_per_body,
			   .instructions = k->instructions };

	memcpy(s.unroll, k->unroll, sizeof(s.unroll));
	return s;
}

/* The chains and the probe stand in the pack in this order. */
static void note_calibration(struct solving *v, enum label_kind kind,
			     const struct kernel_row *k)
{
	if (kind == LABEL_PROBE)
		v->calibration.kernels[PACK_CALIB_PROBE] = shape_of(k);
	else if (kind == LABEL_CALIBRATE && v->n_chains < 2)
		v->calibration.kernels[v->n_chains++] = shape_of(k);
}

static void add_record(struct solving *v, const struct kernel_result *r,
		       const struct label *l)
{
	struct record record = {
		.label = *l,
		.text = arena_strdup(&v->a, r->kernel.label),
		.index = r->index,
		.chains = r->kernel.chains,
		.fault = r->fault ? arena_strdup(&v->a, r->fault->cause) : NULL,
	};

	buffer_add(&v->records, &record, sizeof(record));
}

/* First walk: records without estimates, calibration kernels. */
static int on_label(void *context, const struct kernel_result *r, struct err *e)
{
	struct solving *v = context;
	struct label l;

	(void)e;
	if (!label_split(&v->a, r->kernel.label, &l))
		return 0;
	note_calibration(v, l.kind, &r->kernel);
	/* Chains of a search for ports are for its own use: they are measured
	 * roughly. */
	if (!r->kernel.calib && l.kind <= LABEL_MIX &&
	    strcmp(v->run.what, "ports") != 0)
		add_record(v, r, &l);
	return 0;
}

static int walk_labels(struct solving *v, struct err *e)
{
	struct store_part labels = v->part;

	labels.labels_only = true;
	return store_kernels_of(v->s, v->run.id, &labels, on_label, v, e);
}

static int on_facts(void *context, const struct kernel_result *r, struct err *e)
{
	struct solving *v = context;

	(void)e;
	for (size_t i = 0; i < r->n_samples; i++) {
		struct visit_facts f;

		if (estimate_visit_facts(&v->calibration, &r->samples[i], &f))
			buffer_add(&v->facts, &f, sizeof(f));
	}
	return 0;
}

static bool chains_known(const struct calibration *c)
{
	for (int i = PACK_CALIB_CHAIN_A; i <= PACK_CALIB_CHAIN_B; i++)
		if (c->kernels[i].ops_per_body == 0 ||
		    c->kernels[i].unroll[2] <= c->kernels[i].unroll[0])
			return false;
	return true;
}

static int calibrate(struct solving *v, struct err *e)
{
	struct calibration *c = &v->calibration;

	if (!v->ref || v->n_chains < 2 || !chains_known(c))
		return ERR_OK;
	if (store_kernels_of(v->s, v->run.id, &v->part, on_facts, v, e) !=
	    ERR_OK)
		return e->code;

	estimate_calibrate(c, (const void *)v->facts.bytes,
			   v->facts.n / sizeof(struct visit_facts));
	return ERR_OK;
}

static void add_silence(struct solving *v, const struct kernel_result *r)
{
	struct silence s = { .n_rows = 0 };
	struct shape shape = shape_of(&r->kernel);

	if (v->ref)
		silence_add_ref(&s, &shape, &v->calibration, r->samples,
				r->n_samples);
	else
		silence_add(&s, &r->kernel, r->samples, r->n_samples);
	silence_summarise(&v->summary->silence, &s);
}

/* Second walk: the records stand in index order still. */
struct cursor {
	struct solving *v;
	size_t at;
};

static int on_samples(void *context, const struct kernel_result *r,
		      struct err *e)
{
	struct cursor *c = context;
	struct solving *v = c->v;
	struct record *list = (void *)v->records.bytes;
	struct record *record = &list[c->at];
	struct shape shape = shape_of(&r->kernel);

	(void)e;
	if (!v->settled)
		add_silence(v, r);
	else if (r->index >= v->part.n_skip)
		return 0;
	else
		v->settled[r->index] = true;
	if (c->at == v->records.n / sizeof(*list) || record->index != r->index)
		return 0;
	enum estimate_combine combine = label_is_chain(&record->label)
						? COMBINE_MEDIAN
						: COMBINE_LOWEST;

	record->estimate =
		v->ref ? estimate_ref(&shape, &v->calibration, r->samples,
				      r->n_samples, combine)
		       : estimate_core(&shape, r->samples, r->n_samples,
				       combine);
	if (v->settled)
		v->settled[r->index] =
			record->fault || !record->estimate.doubtful;
	c->at++;
	return 0;
}

static int on_claim(void *context, struct claim *c, struct err *e)
{
	struct solving *v = context;
	struct solve_summary *sum = v->summary;

	c->run = v->run.id;
	c->isa = v->run.isa;
	c->board = v->run.board;
	sum->n_claims++;
	if (strcmp(c->kind, "issue-width") == 0)
		sum->issue_width = c->high_cycles;
	if (c->has_value && strcmp(c->verdict, "ok") == 0)
		sum->n_ok++;
	else if (c->has_value)
		sum->n_interval++;
	else if (strncmp(c->verdict, "fault:", 6) == 0)
		sum->n_faults++;
	else
		sum->n_refused++;
	return store_claim(v->s, c, e);
}

static int write_claims(struct solving *v, const struct isa *isa, struct err *e)
{
	struct judge_sink sink = { .max_width = isa->max_issue_width,
				   .carriers = isa->carriers,
				   .windows = isa->windows,
				   .slot = isa->memory ? isa->memory->slot
						       : NULL,
				   .each = on_claim,
				   .context = v };

	if (store_claims_begin(v->s, v->run.id, e) != ERR_OK)
		return e->code;
	if (judge_records(&v->a, (void *)v->records.bytes,
			  v->records.n / sizeof(struct record), &sink,
			  e) != ERR_OK ||
	    store_claims_commit(v->s, e) != ERR_OK)
		store_rollback(v->s);
	return e->code;
}

static int open_run(struct solving *v, int64_t run, struct err *e)
{
	if (store_run_get(v->s, &v->a, run, &v->run, e) != ERR_OK)
		return e->code;
	v->ref = strcmp(v->run.clock, "ref") == 0;
	return ERR_OK;
}

static int walk_samples(struct solving *v, struct err *e)
{
	struct cursor c = { .v = v };

	return store_kernels_of(v->s, v->run.id, &v->part, on_samples, &c, e);
}

static int solve(struct solving *v, int64_t run, struct err *e)
{
	const struct isa *isa;

	if (open_run(v, run, e) != ERR_OK)
		return e->code;
	isa = isa_find(v->run.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "run %lld: an instruction set this program "
			       "knows, not '%s'",
			       (long long)run, v->run.isa);
	if (walk_labels(v, e) != ERR_OK || calibrate(v, e) != ERR_OK ||
	    walk_samples(v, e) != ERR_OK)
		return e->code;
	return write_claims(v, isa, e);
}

static void free_walk(struct solving *v)
{
	buffer_free(&v->facts);
	buffer_free(&v->records);
	arena_free(&v->a);
}

int solve_calibration(struct store *s, int64_t run, struct calibration *ret,
		      struct err *e)
{
	struct solving v = { .s = s };

	if (open_run(&v, run, e) == ERR_OK) {
		*ret = v.calibration;
		if (v.ref && walk_labels(&v, e) == ERR_OK &&
		    calibrate(&v, e) == ERR_OK)
			*ret = v.calibration;
	}
	free_walk(&v);
	return e->code;
}

static int solve_one(struct solving *v, int64_t run, struct err *e)
{
	int ret = solve(v, run, e);

	free_walk(v);
	return ret;
}

int solve_run(struct store *s, int64_t run, struct solve_summary *ret,
	      struct err *e)
{
	struct solve_summary sum = { 0 };
	struct arena a = { 0 };
	int64_t *ids = &run;
	size_t n = 1;
	int code = run == 0 ? store_runs(s, &a, &ids, &n, e) : ERR_OK;

	for (size_t i = 0; i < n && code == ERR_OK; i++) {
		struct solving v = { .s = s, .summary = &sum };

		code = solve_one(&v, ids[i], e);
	}
	arena_free(&a);
	if (code == ERR_OK)
		*ret = sum;
	return code;
}

int solve_settled(struct store *s, int64_t run, const struct calibration *c,
		  bool *settled, size_t n, struct err *e)
{
	struct solving v = { .s = s,
			     .calibration = *c,
			     .part = { .skip = settled, .n_skip = n },
			     .settled = settled };

	if (open_run(&v, run, e) == ERR_OK && walk_labels(&v, e) == ERR_OK)
		(void)walk_samples(&v, e);
	free_walk(&v);
	return e->code;
}

/* ---- mixes --------------------------------------------------------------- */

struct mixing {
	struct solving v;
	struct solve_probe *probe;
	solve_each_mix *each;
	void *context;
};

static int on_mix(void *context, const struct kernel_result *r, struct err *e)
{
	struct mixing *x = context;
	struct shape shape = shape_of(&r->kernel);
	struct solve_mix m = { .kernel = r->index,
			       .label = r->kernel.label,
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

/* A busy sibling only makes the probe slower; a few visits prove nothing. */
static void keep_probe(struct solving *v, struct solve_probe *probe)
{
	const struct visit_facts *list = (const void *)v->facts.bytes;
	double *mine = &v->calibration.probe_baseline;
	size_t n = v->facts.n / sizeof(*list), n_probes = 0, n_busy = 0;

	if (probe->cycles > 0 && (*mine == 0 || probe->cycles < *mine))
		*mine = probe->cycles;
	else if (*mine > 0 && n >= MANY_PROBES)
		probe->cycles = *mine;
	if (probe->cycles == *mine)
		probe->reading = v->calibration.reading;
	for (size_t i = 0; i < n; i++) {
		double cycles = estimate_probe(&v->calibration, &list[i]);

		n_probes += cycles > 0;
		n_busy += cycles > *mine * (1 + busy_probe);
	}
	probe->busy = n_probes > 0 ? (double)n_busy / (double)n_probes : 0;
}

static int mixes(struct mixing *x, int64_t run, struct err *e)
{
	struct solving *v = &x->v;

	if (open_run(v, run, e) != ERR_OK || walk_labels(v, e) != ERR_OK ||
	    calibrate(v, e) != ERR_OK)
		return e->code;
	keep_probe(v, x->probe);
	return store_kernels_of(v->s, run, &v->part, on_mix, x, e);
}

int solve_mixes(struct store *s, int64_t run, uint32_t first,
		struct solve_probe *probe, solve_each_mix *each, void *context,
		struct err *e)
{
	struct mixing x = { .v = { .s = s, .part = { .first = first } },
			    .probe = probe,
			    .each = each,
			    .context = context };
	int ret = mixes(&x, run, e);

	free_walk(&x.v);
	return ret;
}
