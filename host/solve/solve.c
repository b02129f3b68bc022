/* A run's samples are read twice: for the calibration of its clock, then for
 * the kernels. */
#include "host/solve/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/isa/branch.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/solve/fit.h"
#include "host/solve/judge.h"
#include "host/solve/solving.h"

struct shape solving_shape_of(const struct kernel_row *k)
{
	struct shape s = { .ops_per_body = k->ops_per_body,
			   .instructions = k->instructions,
			   .class = (uint8_t)k->class,
			   .jumps = branch_jumps(k->label) };

	memcpy(s.unroll, k->unroll, sizeof(s.unroll));
	return s;
}

/* Order of the chains and the probe in the pack. */
static void note_calibration(struct solving *v, enum experiment_kind kind,
			     const struct kernel_row *k)
{
	if (kind == EXPERIMENT_PROBE)
		v->calibration.kernels[PACK_CALIB_PROBE] = solving_shape_of(k);
	else if (kind == EXPERIMENT_CALIBRATE && v->n_chains < 2)
		v->calibration.kernels[v->n_chains++] = solving_shape_of(k);
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
	/* A port search measures its chains roughly, and probes of structures are
	 * judged by who asked them: for their own use. */
	if (!r->kernel.calib && experiment_kind_is(l.kind, EXPERIMENT_JUDGED) &&
	    strcmp(v->run.what, "ports") != 0 &&
	    strcmp(v->run.what, "probes") != 0)
		add_record(v, r, &l);
	return 0;
}

int solving_walk_labels(struct solving *v, struct err *e)
{
	struct store_part labels = v->part;

	labels.labels_only = true;
	return store_kernels_of(v->s, v->run.id, &labels, on_label, v, e);
}

static int on_facts(void *context, const struct kernel_result *r, struct err *e)
{
	struct solving *v = context;
	struct shape shape = solving_shape_of(&r->kernel);

	(void)e;
	for (size_t i = 0; i < r->n_samples; i++) {
		struct visit_facts f;

		if (estimate_visit_facts(&v->calibration, &shape,
					 &r->samples[i], &f))
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

int solving_calibrate(struct solving *v, struct err *e)
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

/* Second walk, core clock: estimates at once.  The records are still in index
 * order. */
struct cursor {
	struct solving *v;
	size_t at;
};

static struct record *record_of(struct cursor *c, uint32_t kernel)
{
	struct record *list = (void *)c->v->records.bytes;
	size_t n = c->v->records.n / sizeof(*list);

	while (c->at < n && list[c->at].index < kernel)
		c->at++;
	return c->at < n && list[c->at].index == kernel ? &list[c->at] : NULL;
}

static enum estimate_combine combine_of(const struct record *r)
{
	return r && label_is_chain(&r->label) ? COMBINE_MEDIAN : COMBINE_LOWEST;
}

static void read_core(struct solving *v, const struct kernel_result *r,
		      const struct shape *shape, struct record *record)
{
	struct silence s = { .n_rows = 0 };

	if (record)
		record->estimate = estimate_core(
			shape, r->samples, r->n_samples, combine_of(record));
	if (!v->summary)
		return;
	silence_add(&s, &r->kernel, r->samples, r->n_samples);
	silence_summarise(&v->summary->silence, &s);
}

static struct kept *kept_of(struct solve_memory *m, uint32_t kernel)
{
	static const struct kept none;

	while (m->kept.n / sizeof(none) <= kernel)
		buffer_add(&m->kept, &none, sizeof(none));
	return (struct kept *)(void *)m->kept.bytes + kernel;
}

/* Ref clock: visits of all kernels are read before any kernel is judged. */
static void read_ref(struct solving *v, const struct kernel_result *r,
		     const struct shape *shape, struct record *record)
{
	struct kept *k = kept_of(v->memory, r->index);
	bool usable = v->calibration.usable && fit_possible(shape->unroll) &&
		      shape->ops_per_body > 0;

	k->is_new = true;
	k->class = shape->class;
	k->combine = (uint8_t)combine_of(record);
	memcpy(k->unroll, shape->unroll, sizeof(k->unroll));
	k->visits = xrealloc(k->visits, r->n_samples + 1, sizeof(*k->visits));
	k->n = usable ? (uint32_t)visits_read(shape, &v->calibration,
					      r->samples, r->n_samples,
					      k->visits)
		      : 0;
	k->n_samples = usable ? (uint32_t)r->n_samples : 0;
	k->n_short = 0;
	for (size_t i = 0; i < k->n_samples; i++)
		k->n_short += visit_is_short(&r->samples[i]);
	if (record && !usable && r->n_samples > 0)
		record->estimate.state = v->calibration.usable
						 ? VERDICT_BAD_DATA
						 : VERDICT_NO_CALIBRATION;
}

static int on_samples(void *context, const struct kernel_result *r,
		      struct err *e)
{
	struct cursor *c = context;
	struct shape shape = solving_shape_of(&r->kernel);
	struct record *record = record_of(c, r->index);

	(void)e;
	if (record)
		record->estimate = (struct estimate){
			.state = VERDICT_MISSING,
			.n_visits = (uint32_t)r->n_samples,
		};
	/* It came after the labels were read. */
	if (record && r->fault && !record->fault)
		record->fault = arena_strdup(&c->v->a, r->fault->cause);
	if (c->v->ref)
		read_ref(c->v, r, &shape, record);
	else
		read_core(c->v, r, &shape, record);
	return 0;
}

static struct kernel_visits visits_of(const struct kept *k)
{
	return (struct kernel_visits){ .class = k->class,
				       .combine = k->combine,
				       .n = k->n,
				       .visits = k->visits,
				       .unroll = k->unroll };
}

static size_t count_visits(const struct solve_memory *m)
{
	const struct kept *kept = (const void *)m->kept.bytes;
	size_t n = 0;

	for (size_t k = 0; k < m->kept.n / sizeof(*kept); k++)
		n += kept[k].n_samples;
	return n;
}

/* Learning takes the visits of all kernels.  Fewer new ones than this share
 * change no rate of a class by more than itself. */
static const double much_new = 0.05;

static bool is_much_new(const struct solve_memory *m)
{
	size_t n = count_visits(m);

	return n == 0 ||
	       (double)(n - m->n_learned) > much_new * (double)m->n_learned;
}

void solving_learn(struct solving *v)
{
	const struct kept *kept = (const void *)v->memory->kept.bytes;
	size_t n = v->memory->kept.n / sizeof(*kept);
	struct kernel_visits *list = xrealloc(NULL, n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = visits_of(&kept[i]);
	evidence_learn(v->evidence, list, n);
	v->memory->n_learned = count_visits(v->memory);
	free(list);
}

void solving_judge(struct solving *v, bool all)
{
	struct kept *kept = (void *)v->memory->kept.bytes;
	struct cursor c = { .v = v };

	for (uint32_t i = 0; i < v->memory->kept.n / sizeof(*kept); i++) {
		struct kernel_visits t = visits_of(&kept[i]);
		struct record *record = record_of(&c, i);
		struct silence one = { .n_rows = 0 };

		if (record && t.n > 0 && (all || kept[i].is_new)) {
			record->estimate = evidence_judge(v->evidence, &t);
			record->estimate.n_visits = kept[i].n_samples;
		}
		kept[i].is_new = false;
		if (!v->summary)
			continue;
		silence_add_ref(&one, t.visits, t.n);
		silence_summarise(&v->summary->silence, &one);
	}
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
	if (c->has_value && c->verdict == VERDICT_OK)
		sum->n_ok++;
	else if (c->has_value)
		sum->n_interval++;
	else if (c->verdict == VERDICT_FAULT)
		sum->n_faults++;
	else
		sum->n_refused++;
	return store_claim(v->s, c, e);
}

static int write_claims(struct solving *v, const struct isa *isa, struct err *e)
{
	struct judge_sink sink = { .max_width = isa->max_issue_width,
				   .loop_behind = isa->iteration.behind,
				   .carriers = isa->carriers,
				   .windows = isa->windows,
				   .decoding = isa->decoding,
				   .slot = isa->memory ? isa->memory->slot
						       : NULL,
				   .in_order = isa->in_order != NULL,
				   .latencies = strstr(v->run.what, "latency"),
				   .each = on_claim,
				   .context = v };

	if (store_claims_begin(v->s, v->run.id, e) != ERR_OK)
		return e->code;
	if (judge_records(&v->a, (void *)v->records.bytes,
			  v->records.n / sizeof(struct record), &sink,
			  e) != ERR_OK ||
	    store_commit(v->s, e) != ERR_OK)
		store_rollback(v->s);
	return e->code;
}

int solving_open_run(struct solving *v, int64_t run, struct err *e)
{
	if (store_run_get(v->s, &v->a, run, &v->run, e) != ERR_OK)
		return e->code;
	v->ref = v->run.clock == CLOCK_REF;
	if (!v->evidence)
		v->evidence = ARENA_NEW(&v->a, struct evidence);
	return ERR_OK;
}

int solving_walk_samples(struct solving *v, struct err *e)
{
	struct cursor c = { .v = v };

	if (store_kernels_of(v->s, v->run.id, &v->part, on_samples, &c, e) !=
	    ERR_OK)
		return e->code;
	if (v->ref) {
		if (is_much_new(v->memory))
			solving_learn(v);
		solving_judge(v, false);
	}
	return ERR_OK;
}

static int solve(struct solving *v, int64_t run, struct err *e)
{
	const struct isa *isa;

	if (solving_open_run(v, run, e) != ERR_OK)
		return e->code;
	isa = isa_find(v->run.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "run %lld is of an unknown instruction set '%s'",
			       (long long)run, v->run.isa);
	if (solving_walk_labels(v, e) != ERR_OK ||
	    solving_calibrate(v, e) != ERR_OK ||
	    solving_walk_samples(v, e) != ERR_OK)
		return e->code;
	if (v->ref)
		evidence_report(v->evidence, &v->summary->evidence);
	return write_claims(v, isa, e);
}

void solving_free_walk(struct solving *v)
{
	buffer_free(&v->facts);
	buffer_free(&v->records);
	arena_free(&v->a);
}

int solve_calibration(struct store *s, int64_t run, struct calibration *ret,
		      struct err *e)
{
	struct solving v = { .s = s };

	if (solving_open_run(&v, run, e) == ERR_OK) {
		*ret = v.calibration;
		if (v.ref && solving_walk_labels(&v, e) == ERR_OK &&
		    solving_calibrate(&v, e) == ERR_OK)
			*ret = v.calibration;
	}
	solving_free_walk(&v);
	return e->code;
}

void solving_forget(struct solve_memory *m)
{
	struct kept *kept = (void *)m->kept.bytes;

	for (size_t i = 0; i < m->kept.n / sizeof(*kept); i++)
		free(kept[i].visits);
	buffer_free(&m->kept);
	if (m->walk)
		solving_free_walk(m->walk);
	free(m->walk);
}

static int solve_one(struct solving *v, int64_t run, struct err *e)
{
	int ret = solve(v, run, e);

	solving_free_walk(v);
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
		struct solve_memory memory = { .kept = { 0 } };
		struct solving v = { .s = s,
				     .memory = &memory,
				     .summary = &sum };

		code = solve_one(&v, ids[i], e);
		solving_forget(&memory);
	}
	arena_free(&a);
	if (code == ERR_OK)
		*ret = sum;
	return code;
}
