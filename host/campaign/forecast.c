/* Measures one shard of many; see forecast.h. */
#include "host/campaign/forecast.h"

#include <stdio.h>

#include "common/pack.h"
#include "host/base/monotonic.h"
#include "host/campaign/rounds.h"
#include "host/campaign/runs.h"
#include "host/campaign/timing.h"

enum {
	/* The default set has tens of thousands of kernels: a part has some
	 * hundreds, enough for a share to a few percent. */
	N_PARTS = 200,
	PART = N_PARTS / 2,
	/* A part of which a quarter was not reached is no sample of the set. */
	MOST_MISSING_PART = 4,
};

struct forecaster {
	struct campaign c;
	struct workspace w;
	struct store *s;
	struct forecast *f;
	/* Of the first session: when visits began to arrive, and until when. */
	double from, to;
	size_t n_from, n_to;
	bool is_over;
};

static void note_visits(void *context, const struct link_progress *p)
{
	struct forecaster *x = context;
	double now = monotonic_s();

	/* A count that falls is another session's. */
	x->is_over = x->is_over || p->n_done < x->n_to;
	if (x->is_over || p->n_done == 0)
		return;
	if (x->n_from == 0) {
		x->from = now;
		x->n_from = p->n_done;
	}
	x->to = now;
	x->n_to = p->n_done;
}

static int take_result(struct forecaster *x, int64_t run,
		       const struct rounds_result *r, struct err *e)
{
	struct forecast *f = x->f;
	struct campaign *c = &x->c;
	const char *counters;
	struct timing t;
	struct run stored;

	if (timing_of(x->s, run, &t, e) != ERR_OK ||
	    store_run_get(x->s, &c->arena, run, &stored, e) != ERR_OK ||
	    store_env_get(x->s, &c->arena, run, "counters", &counters, e) !=
		    ERR_OK)
		return e->code;
	(void)snprintf(f->counters, sizeof(f->counters), "%s",
		       counters ? counters : "");
	f->core_clock = stored.clock == CLOCK_CORE;
	f->n_cores = x->w.n_cores ? x->w.n_cores : 1;
	f->n_kernels = c->n_experiments - c->n_refused -
		       (gen_n_kernels(c->gen) - campaign_n_measured(c));
	f->n_part = campaign_n_measured(c);
	f->n_settled = f->n_part - r->n_open - r->n_missing;
	f->n_missing = r->n_missing;
	f->n_values = r->solved.n_claims;
	f->n_exact = r->solved.n_ok;
	f->seconds = r->seconds;
	f->first_visits =
		f->core_clock ? 1 : pack_header(c->pack.bytes)->n_visits - 1;
	if (x->to > x->from)
		f->rate = (double)(x->n_to - x->n_from) / (x->to - x->from);
	if (t.n_kernels > 0)
		f->all_visits = (double)t.n_visits / (double)t.n_kernels;
	if (f->rate <= 0 || t.n_kernels == 0)
		return err_set(e, ERR_FAILED,
			       "%s: nothing was measured in %.1f s",
			       c->board->name, r->seconds);
	forecast_extend(f);
	return ERR_OK;
}

void forecast_extend(struct forecast *f)
{
	double visit = (double)f->n_kernels / f->rate;
	double most = f->all_visits > f->first_visits ? f->all_visits
						      : f->first_visits;

	f->least_seconds = f->plan_seconds + visit * f->first_visits;
	f->most_seconds = f->plan_seconds + visit * most;
}

bool forecast_has_rounds(const struct forecast *f)
{
	return f->all_visits >= f->first_visits &&
	       f->n_missing <= f->n_part / MOST_MISSING_PART;
}

static int measure_part(struct forecaster *x, double seconds, struct err *e)
{
	struct campaign *c = &x->c;
	struct run run = runs_describe(c, "latency,throughput");
	struct rounds_result r;
	struct rounds_request q = {
		.campaign = c,
		.workspace = &x->w,
		.seconds = seconds,
		.report = note_visits,
		.context = x,
	};

	if (workspace_make(c, &x->w, e) != ERR_OK ||
	    workspace_fill(c, &x->w, e) != ERR_OK ||
	    store_open(arena_printf(&c->arena, "%s/part.db", x->w.folder), true,
		       &x->s, e) != ERR_OK)
		return e->code;
	q.store = x->s;
	if (runs_new(c, x->s, &run, e) != ERR_OK) {
		store_rollback(x->s);
		return e->code;
	}
	q.run = run.id;
	if (rounds_run(&q, &r, e) == ERR_OK)
		(void)take_result(x, run.id, &r, e);
	return e->code;
}

int forecast_make(const struct campaign_request *q, double seconds,
		  struct forecast *ret, struct err *e)
{
	struct campaign_request part = *q;
	struct forecast f = { .rate = 0 };
	struct forecaster x = { .f = &f };
	double start = monotonic_s();

	part.shard = PART;
	part.n_shards = N_PARTS;
	if (campaign_open(&part, &x.c, e) == ERR_OK) {
		f.plan_seconds = monotonic_s() - start;
		if (measure_part(&x, seconds, e) == ERR_OK)
			*ret = f;
		store_close(x.s);
		workspace_remove(&x.w);
	}
	campaign_close(&x.c);
	return e->code;
}
