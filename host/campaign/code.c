/* From snippets to times; see code.h. */
#include "host/campaign/code.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/campaign/runs.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/solve/solve.h"
#include "host/store/store_run.h"

enum {
	/* A sandwich holds iterations of loops of thousands of cycles. */
	SANDWICH_NS = 12000,
};

int code_pack_begin(struct campaign *c, struct err *e)
{
	struct gen_profile profile = c->profile;
	struct experiment *calibration;
	size_t n_calibration;

	if (profile.sandwich_ns < SANDWICH_NS)
		profile.sandwich_ns = SANDWICH_NS;
	gen_free(c->gen);
	buffer_free(&c->pack);
	c->gen = gen_new(c->catalogue, &profile);
	if (plan_calibrate(&c->arena, c->catalogue, &calibration,
			   &n_calibration, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n_calibration; i++)
		if (gen_add(c->gen, &calibration[i], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

int code_pack(struct campaign *c, struct mc_parser *parser,
	      struct snippet *list, size_t n, struct err *e)
{
	if (code_pack_begin(c, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		if (gen_add_snippet(c->gen, parser, &list[i].gen, e) != ERR_OK)
			return e->code;
	return gen_finish(c->gen, &c->pack, e);
}

/* ---- results ---------------------------------------------------------------- */

struct collector {
	const struct code_run *q;
	struct arena *a;
	struct code_result *ret;
	const void *pack;
	bool core_clock; /* of the run */
};

static struct claim kept_claim(struct arena *a, const struct claim *c)
{
	struct claim ret = *c;

	ret.form = arena_strdup(a, c->form);
	ret.detail = arena_strdup(a, c->detail);
	ret.label = arena_strdup(a, c->label);
	ret.kind = ret.isa = ret.board = ret.source = ret.destination = "";
	ret.verdict_text =
		c->verdict_text ? arena_strdup(a, c->verdict_text) : NULL;
	return ret;
}

static int take_claim(void *context, const struct claim *c, struct err *e)
{
	struct collector *w = context;

	(void)e;
	for (size_t i = 0; i < w->q->n; i++)
		if (strcmp(c->kind, "code") == 0 &&
		    strcmp(w->q->list[i].key, c->form) == 0)
			w->ret[i].claim = kept_claim(w->a, c);
	return ERR_OK;
}

/* The instruction at a byte of the kernel; -1: it is outside the code, or frames
 * of different length leave it open.  Which length faulted is not stored. */
static int insn_at(const struct snippet *s, uint64_t pc)
{
	const struct gen_snippet *g = &s->gen;
	uint64_t at = pc - g->body_at[0], before = s->offsets[s->n_called];
	uint64_t n = g->own_loop ? 1 : g->bodies[PACK_LENGTHS - 1];

	n = before + n * (g->n - before);
	if (g->body_at[1] != g->body_at[0] || g->body_at[2] != g->body_at[0] ||
	    pc < g->body_at[0] || at >= n)
		return -1;
	/* Copies of straight code follow each other, behind its functions. */
	if (at >= before)
		at = before + (at - before) % (g->n - before);
	for (size_t k = 0; k < s->n_called + s->n_insns; k++)
		if (at >= s->offsets[k] && at < s->offsets[k + 1])
			return (int)k;
	return -1;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return ORDER(*x, *y);
}

struct code_count code_count_of(double *readings, size_t n)
{
	enum { QUARTER = 4 };

	if (n == 0)
		return (struct code_count){ .known = false };
	qsort(readings, n, sizeof(*readings), by_size);
	return (struct code_count){ .known = true,
				    .low = readings[n / QUARTER],
				    .middle = readings[n / 2],
				    .high = readings[n - 1 - n / QUARTER] };
}

/* What a counter tells of a body in all rows. */
static struct code_count count_rows(struct arena *a,
				    const struct kernel_result *r, bool retired)
{
	enum { LAST = PACK_LENGTHS - 1 };
	const uint32_t *bodies = r->kernel.unroll;
	double *readings;
	size_t n = 0, room = 0;

	for (size_t i = 0; i < r->n_samples; i++)
		room += r->samples[i].n_rows;
	readings = ARENA_ARRAY(a, double, room + 1);
	for (size_t i = 0; i < r->n_samples; i++) {
		const struct sample *m = &r->samples[i];
		const uint64_t *v = retired ? m->retired : m->values;

		if ((retired && !m->retired) || m->row != PACK_LENGTHS ||
		    m->n_iterations == 0)
			continue;
		for (uint32_t k = 0; k < m->n_rows; k++, v += PACK_LENGTHS)
			readings[n++] = ((double)v[LAST] - (double)v[0]) /
					((double)m->n_iterations *
					 ((double)bodies[LAST] - bodies[0]));
	}
	return code_count_of(readings, n);
}

static int take_kernel(void *context, const struct kernel_result *r,
		       struct err *e)
{
	struct collector *w = context;

	(void)e;
	for (size_t i = 0; !r->fault && i < w->q->n; i++)
		if (strcmp(r->kernel.label, w->q->list[i].label) == 0) {
			w->ret[i].retired = count_rows(w->a, r, true);
			if (w->core_clock)
				w->ret[i].cycles = count_rows(w->a, r, false);
		}
	for (size_t i = 0; r->fault && i < w->q->n; i++) {
		const struct snippet *s = &w->q->list[i];

		if (strcmp(r->kernel.label, s->label) != 0)
			continue;
		w->ret[i].address = r->fault->address;
		w->ret[i].insn = insn_at(s, r->fault->pc);
		w->ret[i].in_init =
			r->fault->pc >= s->gen.init_at &&
			r->fault->pc < s->gen.init_at + s->gen.frame.n_init;
	}
	return ERR_OK;
}

static int collect_results(const struct code_run *q, int64_t run,
			   struct code_result *ret, struct err *e)
{
	struct collector w = { .q = q,
			       .a = &q->campaign->arena,
			       .ret = ret,
			       .pack = q->campaign->pack.bytes };
	struct run stored;

	if (store_run_get(q->store, w.a, run, &stored, e) != ERR_OK)
		return e->code;
	w.core_clock = stored.clock == CLOCK_CORE;
	for (size_t i = 0; i < q->n; i++)
		ret[i] = (struct code_result){
			.claim = { .verdict = VERDICT_MISSING, .detail = "" },
			.insn = -1
		};
	if (store_claims(q->store, run, NULL, take_claim, &w, e) != ERR_OK)
		return e->code;
	return store_kernels(q->store, run, take_kernel, &w, e);
}

/* Begin a run of the campaign's pack, and run it. */
static int run_pack(const struct code_run *q, struct run *ret, struct err *e)
{
	struct campaign *c = q->campaign;
	struct workspace w = { .folder = NULL };
	struct rounds_result result = { .seconds = 0 };
	struct rounds_request rounds = {
		.campaign = c,
		.workspace = &w,
		.store = q->store,
		.seconds = q->seconds,
		.report = q->report,
		.context = q->context,
	};

	*ret = runs_describe(c, "code");
	if (runs_new(c, q->store, ret, e) != ERR_OK) {
		store_rollback(q->store);
		return e->code;
	}
	rounds.run = ret->id;
	if (workspace_make(c, &w, e) == ERR_OK &&
	    workspace_fill(c, &w, e) == ERR_OK)
		(void)rounds_run(&rounds, &result, e);
	workspace_remove(&w);
	return e->code;
}

int code_measure(const struct code_run *q, struct code_result *ret,
		 struct err *e)
{
	struct run run;

	if (run_pack(q, &run, e) == ERR_OK &&
	    store_run_finish(q->store, run.id, e) == ERR_OK)
		(void)collect_results(q, run.id, ret, e);
	return e->code;
}

static int store_varying(const struct code_run *q, const struct run *run,
			 const char *reason, struct err *e)
{
	if (store_claims_begin(q->store, run->id, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < q->n; i++) {
		const struct claim c = { .run = run->id,
					 .isa = run->isa,
					 .board = run->board,
					 .form = q->list[i].key,
					 .kind = "code",
					 .source = "",
					 .destination = "",
					 .verdict = VERDICT_PATH_VARIES,
					 .label = q->list[i].label,
					 .solver_version = SOLVER_VERSION,
					 .detail = reason };

		if (store_claim(q->store, &c, e) != ERR_OK)
			return e->code;
	}
	return store_commit(q->store, e) == ERR_OK
		       ? store_run_finish(q->store, run->id, e)
		       : e->code;
}

int code_store_varying(const struct code_run *q, struct mc_parser *parser,
		       const char *reason, struct err *e)
{
	struct snippet first;
	struct run run;

	if (q->n == 0)
		return ERR_OK;
	first = q->list[0];
	if (code_pack(q->campaign, parser, &first, 1, e) != ERR_OK ||
	    run_pack(q, &run, e) != ERR_OK)
		return e->code;
	if (store_varying(q, &run, reason, e) != ERR_OK)
		store_rollback(q->store);
	return e->code;
}
