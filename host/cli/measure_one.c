/* One run: which kernels, the link, the results; see measure.h. */
#include "host/cli/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/campaign/timing.h"
#include "host/cli/progress.h"
#include "host/cli/published.h"
#include "host/cli/table.h"
#include "host/cli/traffic.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/store/store_core.h"

/* The run that --resume or --redo continues; old->id 0: none. */
static int find_run(struct measuring *j, struct run *old, struct err *e)
{
	struct campaign *c = j->c;
	char id[RUNS_PACK_ID];
	const struct runs_query q = { .db = c->request->db,
				      .like = &j->run,
				      .pack = id };

	runs_pack_id(c, id);
	if (!j->core)
		return (j->o->redo ? runs_newest : runs_unfinished)(
			j->s, &c->arena, &q, old, e);
	if (runs_of_core(j->s, &c->arena, &q, *j->core, old, e) != ERR_OK)
		return e->code;
	if (j->o->redo && old->id == 0)
		return err_set(e, ERR_INPUT,
			       "--redo: %s has no run of this board and set on "
			       "core %" PRIu64,
			       q.db, *j->core);
	j->is_done = old->id != 0 && old->finished && !j->o->redo;
	if (j->is_done)
		printf("core %" PRIu64 ": run %" PRId64 " is finished\n",
		       *j->core, old->id);
	return ERR_OK;
}

/* Find the run that --resume or --redo continues, or make a new one. */
static int start_run(struct measuring *j, struct err *e)
{
	struct run old = { .id = 0 };

	if ((j->o->redo || j->o->r.q.resume) && find_run(j, &old, e) != ERR_OK)
		return e->code;
	if (old.id != 0)
		j->run = old;
	else if (j->o->r.q.resume)
		request_no_old_run();
	if (j->o->redo)
		return runs_complete(j->c, j->s, old.id, e);
	if (old.id != 0)
		return ERR_OK;
	return j->core ? runs_new_of_core(j->c, j->s, *j->core, &j->run, e)
		       : runs_new(j->c, j->s, &j->run, e);
}

/* Choose the kernels of --redo.  Their faults are removed from the run; the
 * run keeps its date. */
static int choose_kernels(struct measuring *j, struct err *e)
{
	struct redo_kernels *k = &j->redo;
	struct arena *a = &j->c->arena;
	const char *what = j->o->redo;
	char *date;

	if (!what)
		return ERR_OK;
	k->n = gen_n_kernels(j->c->gen);
	k->wanted = ARENA_ARRAY(a, bool, k->n);
	if (redo_choose(j->s, j->run.id, what, k, e) != ERR_OK)
		return e->code;
	printf("run %" PRId64 " of %s: ", j->run.id, j->run.date);
	if (k->n_wanted == 0) {
		printf("no kernel is %s; nothing is measured\n", what);
		return ERR_OK;
	}
	printf("%zu of %zu kernels are measured again (--redo %s)\n",
	       k->n_wanted, k->n, what);
	date = arena_printf(a, "%s %s", workspace_now(a), what);
	if (redo_forget_faults(j->s, j->run.id, k, e) == ERR_OK)
		(void)store_env(j->s, j->run.id, "redo", date, e);
	return e->code;
}

static void announce(const struct measuring *j)
{
	const struct campaign *c = j->c;
	size_t n = j->redo.wanted ? j->redo.n_wanted : campaign_n_measured(c);

	printf("%s %s: %zu kernel%s", c->board->name, c->isa->name, n,
	       PLURAL(n));
	if (j->w.n_cores > 1)
		printf(" on %zu cores at once", j->w.n_cores);
	printf(", at most about %" PRIu64 " cycles on a core clock",
	       (uint64_t)n * c->kernel_cycles);
	if (c->n_refused)
		printf("; %zu experiments without a kernel (reasons in the "
		       "database)",
		       c->n_refused);
	printf("\nresults: %s\n", j->c->request->db);
	(void)fflush(stdout);
}

static int run_link(struct measuring *j, struct err *e)
{
	struct campaign *c = j->c;
	const struct campaign_request *q = c->request;
	size_t n = campaign_n_measured(c);
	struct progress p;
	char *what =
		arena_printf(&c->arena, "%s %s", c->board->name, c->isa->name);
	struct link_traffic traffic = { .pack_bytes = 0 };
	const struct rounds_request rounds = {
		.campaign = c,
		.workspace = &j->w,
		.store = j->s,
		.run = j->run.id,
		.wanted = j->redo.wanted,
		.attached = j->o->attached,
		.seconds = j->seconds,
		.traffic = &traffic,
		.report = progress_of_session,
		.context = &p,
	};

	if (q->tty) {
		traffic_announce(j->o->attached ? 0 : c->pack.n, q->baud);
		traffic_estimate(c->board, c->pack.bytes,
				 j->redo.wanted ? j->redo.n_wanted : n,
				 q->baud);
	}
	progress_start(&p, stderr, what, "visits");
	p.estimated = true;
	(void)rounds_run(&rounds, &j->result, e);
	p.now = NULL;
	progress_end(&p);
	if (q->tty && e->code == ERR_OK)
		traffic_print(&traffic, n, q->baud);
	return e->code;
}

/* ---- results ------------------------------------------------------------- */

/* Print when 95 % of the values were known. */
static void print_most(const struct rounds_result *r)
{
	if (r->most_after == 0)
		return;
	printf("95 %% of the values after %.1f s", r->most_after);
	if (r->most_base_after < r->most_after)
		printf("; of latencies and throughputs, without what refines "
		       "them, after %.1f s",
		       r->most_base_after);
	(void)putchar('\n');
}

/* What the cores did between the first visit and the last. */
static void print_cores(const struct timing *t, const struct rounds_result *r)
{
	double all = r->span * (double)r->n_cores;

	if (r->inside_ticks == 0 || t->ref_hz <= 0 || all <= 0)
		return;
	printf("%zu core%s, %.1f s from the first visit to the last: %.0f %% "
	       "of "
	       "all their time in kernels and calibration, untimed runs "
	       "included\n",
	       r->n_cores, PLURAL(r->n_cores), r->span,
	       100 * (double)r->inside_ticks / t->ref_hz / all);
}

/* The figures that `make bench` reads; of the whole run if it was resumed. */
static int print_timing(struct store *s, int64_t run,
			const struct rounds_result *r, struct err *e)
{
	struct timing t;

	if (timing_of(s, run, &t, e) != ERR_OK)
		return e->code;
	printf("%zu kernel%s, %zu visit%s in %.1f s", t.n_kernels,
	       PLURAL(t.n_kernels), t.n_visits, PLURAL(t.n_visits), r->seconds);
	if (t.n_kernels > 0)
		printf(": %.3f ms per kernel",
		       1e3 * r->seconds / (double)t.n_kernels);
	if (t.kernel_seconds > 0 && r->seconds > 0)
		printf(", %.0f %% of it inside kernels, %.0f %% inside "
		       "calibration",
		       100 * t.kernel_seconds / r->seconds,
		       100 * t.calib_seconds / r->seconds);
	(void)putchar('\n');
	print_cores(&t, r);
	print_most(r);
	return ERR_OK;
}

/* What is left to do, and how. */
static void print_left(const struct measuring *j)
{
	const struct rounds_result *r = &j->result;

	if (r->time_is_up)
		printf("stopped after %s (--time)\n", j->o->time);
	if (r->n_open > 0)
		printf("%zu kernels have no agreement yet; continue with "
		       "--redo "
		       "noisy\n",
		       r->n_open);
	if (r->n_missing > 0)
		printf("%zu kernels have no sample yet; continue with --redo "
		       "missing\n",
		       r->n_missing);
}

static int finish(const struct measuring *j, struct err *e)
{
	const struct solve_summary *sum = &j->result.solved;

	if (store_run_finish(j->s, j->run.id, e) != ERR_OK ||
	    table_print(j->s, j->run.id, j->c->board, e) != ERR_OK)
		return e->code;
	printf("\n%zu claims: %zu exact, %zu intervals, %zu without a value "
	       "(%zu faults)\n",
	       sum->n_claims, sum->n_ok, sum->n_interval, sum->n_refused,
	       sum->n_faults);
	if (sum->issue_width > 0)
		printf("issue width: %.3g instructions in a cycle at most\n",
		       sum->issue_width);
	table_silence(&sum->silence);
	if (sum->silence.all.ref)
		table_evidence(&sum->evidence);
	print_left(j);
	if (published_print(
		    j->s, j->run.id,
		    &(struct published){ j->c->isa->name, j->c->catalogue->cpu,
					 sum->issue_width, sum->issue_width,
					 j->c->catalogue },
		    e) != ERR_OK ||
	    table_other_cores(j->s, j->run.id, j->c->request->db, e) != ERR_OK)
		return e->code;
	printf("evidence of one:  anechoic show --db %s FORM\n"
	       "all of them:      anechoic export --db %s --format csv -o "
	       "FILE\n",
	       j->c->request->db, j->c->request->db);
	return ERR_OK;
}

/* A finished run cannot be resumed, so the message names --redo instead. */
static void explain_stop(const struct measuring *j, struct err *e)
{
	if (!j->o->redo || e->code != ERR_INTERRUPTED)
		return;
	*e = (struct err){ .code = ERR_OK };
	(void)err_set(e, ERR_INTERRUPTED,
		      "%s: interrupted; the samples are stored; repeat the "
		      "same --redo to continue",
		      j->c->board->name);
}

static int measure_it(struct measuring *j, struct err *e)
{
	if (choose_kernels(j, e) != ERR_OK ||
	    (j->redo.wanted && j->redo.n_wanted == 0))
		return e->code;
	if (workspace_make(j->c, &j->w, e) == ERR_OK &&
	    workspace_fill(j->c, &j->w, e) == ERR_OK) {
		request_warn_limits(j->c, j->w.n_cores ? j->w.n_cores : 1);
		announce(j);
		if (run_link(j, e) == ERR_OK &&
		    print_timing(j->s, j->run.id, &j->result, e) == ERR_OK)
			(void)finish(j, e);
	}
	workspace_remove(&j->w);
	explain_stop(j, e);
	return e->code;
}

int measure_one(struct measuring *j, struct err *e)
{
	j->run = runs_describe(j->c, plan_what_words(j->c->what));
	if (store_open(j->c->request->db, !j->o->redo, &j->s, e) != ERR_OK)
		return e->code;
	if (start_run(j, e) != ERR_OK)
		store_rollback(j->s);
	else if (!j->is_done && measure_it(j, e) == ERR_OK && j->ret_core)
		(void)store_run_core(j->s, j->keep, j->run.id, j->ret_core, e);
	store_close(j->s);
	return e->code;
}
