/* anechoic measure --what ports; see ports.h. */
#include "host/cli/ports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/progress.h"
#include "host/cli/table.h"
#include "host/cli/timing.h"
#include "host/cli/workspace.h"
#include "host/isa/variant.h"
#include "host/plan/plan.h"
#include "host/solve/solve.h"

enum {
	/* Kernels of one pack: some megabytes of code. */
	PACK_KERNELS = 2000,
	/* On a core clock an experiment may be long, for many repeats. */
	CORE_CYCLES = 60000,
	CORE_REPEATS = 16,
	/* Code of longer mixes is not kept: their labels say it all. */
	KEPT_INSTANCES = 16,
	N_CHECKS = 200,
	N_FIT = 2000,
	PASSES = 4,
};

/* Of the time: the rest is for the fit. */
static const double share_of_search = 0.85;

struct hunt {
	struct campaign *c;
	const struct options *o;
	struct store *s;
	struct run run;
	struct workspace w;
	struct plan_ports_form *forms;
	size_t n_forms, n_left; /* left out: they depend on themselves */
	struct experiment *calibration;
	size_t n_calibration;
	struct ports_answers *answers;
	bool only_old; /* measure nothing */
	uint32_t next_kernel;
	double started, seconds; /* budget; 0: none */
	size_t n_measured, most; /* kernels, budget; 0: none */
	bool ended;              /* the budget */
	struct progress progress;
};

static const char *const phase_words[PORTS_N_PHASES] = {
	[PORTS_SINGLES] = "alone", [PORTS_SLOTS] = "slots",
	[PORTS_MERGE] = "classes", [PORTS_MATRIX] = "matrix",
	[PORTS_CHECK] = "check",   [PORTS_FLOOD] = "floods",
	[PORTS_UNITS] = "units",   [PORTS_FIT] = "fit",
};

/* ---- one pack -------------------------------------------------------------
 */

static struct experiment experiment_of(const struct hunt *h,
				       const struct ports_mix *mix)
{
	struct experiment x = { .kind = EXPERIMENT_MIX, .n_steps = mix->n };

	for (size_t i = 0; i < mix->n; i++)
		x.steps[i] = (struct step){
			.form = h->forms[mix->part[i].form].form,
			.src = -1,
			.dst = -1,
			.count = (uint16_t)mix->part[i].count,
		};
	return x;
}

static bool label_of(const struct hunt *h, const struct ports_mix *mix,
		     char label[PACK_MAX_LABEL])
{
	struct experiment x = experiment_of(h, mix);
	struct err ignored = { .code = ERR_OK, .message = "" };

	return experiment_label(h->c->catalogue, &x, label, &ignored) == ERR_OK;
}

static struct gen_profile profile_of(const struct hunt *h)
{
	uint32_t cycles = h->c->kernel_cycles;
	struct gen_profile p =
		gen_profile(cycles > CORE_CYCLES ? cycles : CORE_CYCLES);

	p.n_repeats = CORE_REPEATS;
	return p;
}

static int add_kernels(struct hunt *h, const struct ports_mix *mixes,
		       const size_t *wanted, size_t n, struct err *e)
{
	struct gen_profile profile = profile_of(h);
	const struct ports_value none = { .has_value = false };

	gen_free(h->c->gen);
	buffer_free(&h->c->pack);
	h->c->gen = gen_new(h->c->catalogue, &profile);
	for (size_t i = 0; i < h->n_calibration; i++)
		if (gen_add(h->c->gen, &h->calibration[i], e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < n; i++) {
		struct experiment x = experiment_of(h, &mixes[wanted[i]]);
		struct err why = { .code = ERR_OK, .message = "" };
		char label[PACK_MAX_LABEL];

		if (gen_add(h->c->gen, &x, &why) != ERR_OK &&
		    label_of(h, &mixes[wanted[i]], label))
			ports_answers_add(h->answers, label, &none);
	}
	return gen_finish(h->c->gen, &h->c->pack, e);
}

static int store_pack(struct hunt *h, struct err *e)
{
	if (store_begin(h->s, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < gen_n_kernels(h->c->gen); i++) {
		struct kernel_row row;

		gen_kernel_row(h->c->gen, i, &row);
		if (row.instructions > KEPT_INSTANCES)
			memset(row.code, 0, sizeof(row.code));
		if (store_kernel(h->s, h->run.id, h->next_kernel + (uint32_t)i,
				 &row, e) != ERR_OK) {
			store_rollback(h->s);
			return e->code;
		}
	}
	return store_commit(h->s, e);
}

static void report(void *context, const struct link_progress *p)
{
	progress_show(context, p->n_done, p->n_total);
}

static int run_pack(struct hunt *h, struct err *e)
{
	struct link_request request = workspace_request(h->c, h->o, &h->w);
	struct session session = {
		.request = &request,
		.store = h->s,
		.run = h->run.id,
		.first_kernel = h->next_kernel,
		.pack = h->c->pack.bytes,
		.load = h->o->tty != NULL,
		.report = report,
		.context = &h->progress,
		.stop = interrupt_flag(),
	};

	if (workspace_fill(h->c, &h->w, e) != ERR_OK ||
	    store_pack(h, e) != ERR_OK)
		return e->code;
	return session_run(&session, e);
}

static int keep_mix(void *context, const struct solve_mix *m, struct err *e)
{
	struct hunt *h = context;
	struct ports_value v = { m->has_value, m->cycles, m->sigma };

	(void)e;
	ports_answers_add(h->answers, m->label, &v);
	if (m->kernel >= h->next_kernel)
		h->next_kernel = m->kernel + 1;
	return 0;
}

static int measure_pack(struct hunt *h, const struct ports_mix *mixes,
			const size_t *wanted, size_t n, struct err *e)
{
	uint32_t first = h->next_kernel;

	if (add_kernels(h, mixes, wanted, n, e) != ERR_OK)
		return e->code;
	/* Nothing but calibration. */
	if (gen_n_kernels(h->c->gen) <= h->n_calibration)
		return ERR_OK;
	if (run_pack(h, e) != ERR_OK)
		return e->code;
	h->n_measured += gen_n_kernels(h->c->gen) - h->n_calibration;
	if (solve_mixes(h->s, h->run.id, first, keep_mix, h, e) != ERR_OK)
		return e->code;
	h->next_kernel = first + (uint32_t)gen_n_kernels(h->c->gen);
	return ERR_OK;
}

/* ---- the oracle -----------------------------------------------------------
 */

static bool is_over(struct hunt *h, enum ports_phase phase)
{
	double share = phase == PORTS_FIT ? 1 : share_of_search;

	if (h->only_old)
		return true;
	if (h->seconds > 0 && timing_now() - h->started > share * h->seconds)
		h->ended = true;
	else if (h->most > 0 &&
		 (double)h->n_measured >= share * (double)h->most)
		h->ended = true;
	else
		return false;
	return true;
}

/* Which of the mixes still lack results; those that have them are answered. */
static size_t find_wanted(struct hunt *h, const struct ports_mix *mixes,
			  size_t n, bool *answered, struct ports_value *ret,
			  size_t *wanted)
{
	size_t n_wanted = 0;

	for (size_t i = 0; i < n; i++) {
		char label[PACK_MAX_LABEL];

		if (answered[i])
			continue;
		if (!label_of(h, &mixes[i], label) ||
		    ports_answers_take(h->answers, label, &ret[i]))
			answered[i] = true;
		else
			wanted[n_wanted++] = i;
	}
	return n_wanted;
}

static int measure_wanted(struct hunt *h, enum ports_phase phase,
			  const struct ports_mix *mixes, const size_t *wanted,
			  size_t n, struct err *e)
{
	for (size_t i = 0; i < n && !is_over(h, phase); i += PACK_KERNELS) {
		size_t now = n - i < PACK_KERNELS ? n - i : PACK_KERNELS;

		if (measure_pack(h, mixes, wanted + i, now, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

static int oracle(void *context, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret, struct err *e)
{
	struct hunt *h = context;
	size_t *wanted = xrealloc(NULL, n, sizeof(*wanted));
	bool *answered = xrealloc(NULL, n, sizeof(*answered));
	size_t n_wanted = 1;
	char label[PACK_MAX_LABEL];
	char *what = arena_printf(&h->c->arena, "%s: %s", h->c->board->name,
				  phase_words[phase]);

	memset(answered, 0, n * sizeof(*answered));
	progress_start(&h->progress, stderr, what, "visits");
	for (int pass = 0; pass <= PASSES && n_wanted > 0; pass++) {
		n_wanted = find_wanted(h, mixes, n, answered, ret, wanted);
		if (is_over(h, phase) || pass == PASSES ||
		    measure_wanted(h, phase, mixes, wanted, n_wanted, e) !=
			    ERR_OK)
			break;
	}
	for (size_t i = 0; i < n; i++)
		if (!answered[i] && label_of(h, &mixes[i], label))
			(void)ports_answers_take_any(h->answers, label,
						     &ret[i]);
	progress_end(&h->progress);
	free(answered);
	free(wanted);
	return e->code;
}

/* ---- the whole ------------------------------------------------------------
 */

static int infer(struct hunt *h, struct ports_answer *ret, struct err *e)
{
	struct arena *a = &h->c->arena;
	struct ports_form *forms =
		ARENA_ARRAY(a, struct ports_form, h->n_forms);
	const struct ports_oracle o = { oracle, h };
	struct ports_request q = {
		.forms = forms,
		.n_forms = h->n_forms,
		.oracle = &o,
		.n_checks = N_CHECKS,
		.n_fit = N_FIT,
		.seed = 1,
	};

	for (size_t i = 0; i < h->n_forms; i++)
		forms[i] = (struct ports_form){ h->forms[i].form->name,
						h->forms[i].rank };
	return ports_infer(a, &q, ret, e);
}

static int open_run(struct hunt *h, struct err *e)
{
	struct run old = { .id = 0 };

	h->run = (struct run){
		.board = h->c->board->name,
		.isa = h->c->isa->name,
		.cpu = h->c->catalogue->cpu ? h->c->catalogue->cpu : "",
		.clock = "",
		.what = "ports",
		.forms = h->o->forms ? h->o->forms : "",
		.tool = ANECHOIC_VERSION,
		.date = workspace_now(&h->c->arena),
		.kernel_cycles = h->c->kernel_cycles,
	};
	if (!h->o->resume)
		return store_run_new(h->s, &h->run, e);
	if (store_run_resumable(h->s, &h->c->arena, &h->run, &old, e) != ERR_OK)
		return e->code;
	if (old.id == 0) {
		(void)fprintf(stderr, "anechoic: no unfinished run like this "
				      "one, starting anew\n");
		return store_run_new(h->s, &h->run, e);
	}
	h->run = old;
	return solve_mixes(h->s, old.id, 0, keep_mix, h, e);
}

static int finish(struct hunt *h, const char *db, struct err *e)
{
	struct ports_answer w;
	int code = infer(h, &w, e);

	if (code != ERR_OK)
		return code;
	if (ports_claims_store(h->s, &h->run, h->forms, h->n_left, &w,
			       h->n_forms, e) != ERR_OK)
		return e->code;
	if (!h->ended && store_run_finish(h->s, h->run.id, e) != ERR_OK)
		return e->code;
	ports_print(h->forms, h->n_forms, &w);
	printf("\n%zu kernels measured in %.1f s%s\n", h->n_measured,
	       timing_now() - h->started,
	       h->ended ? "; the budget is spent, --resume goes on" : "");
	printf("the model:        anechoic model --db %s\n"
	       "evidence of one:  anechoic show --db %s FORM\n",
	       db, db);
	return ERR_OK;
}

static int hunt(struct hunt *h, struct err *e)
{
	const char *db = h->o->db ? h->o->db : "anechoic.db";
	uint32_t families;

	if (families_parse(h->o->variants, &families, e) != ERR_OK ||
	    plan_ports(&h->c->arena, h->c->catalogue, h->o->forms, families,
		       &h->forms, &h->n_forms, &h->n_left, e) != ERR_OK ||
	    plan_calibrate(&h->c->arena, h->c->catalogue, &h->calibration,
			   &h->n_calibration, e) != ERR_OK ||
	    store_open(db, true, &h->s, e) != ERR_OK)
		return e->code;
	h->answers = ports_answers_new();
	printf("%s %s: ports of %zu forms; %zu more depend on themselves and "
	       "are left out\nresults: %s\n",
	       h->c->board->name, h->c->isa->name, h->n_forms, h->n_left, db);
	(void)fflush(stdout);
	if (open_run(h, e) == ERR_OK &&
	    workspace_make(h->c, h->o, &h->w, e) == ERR_OK)
		(void)finish(h, db, e);
	workspace_remove(&h->w);
	ports_answers_free(h->answers);
	store_close(h->s);
	return e->code;
}

/* "90s", "10m", "1h": time; "5000": kernels. */
static int read_budget(struct hunt *h, const char *text, struct err *e)
{
	char *end;
	double n = text ? strtod(text, &end) : 0;

	if (!text)
		return ERR_OK;
	if (n > 0 && n < 1e9 && strcmp(end, "s") == 0)
		h->seconds = n;
	else if (n > 0 && n < 1e9 && strcmp(end, "m") == 0)
		h->seconds = 60 * n;
	else if (n > 0 && n < 1e9 && strcmp(end, "h") == 0)
		h->seconds = 3600 * n;
	else if (n >= 1 && n < 1e9 && *end == '\0')
		h->most = (size_t)n;
	else
		return err_set(e, ERR_USAGE,
			       "--budget: a time as 90s, 10m or 1h, or a "
			       "number of kernels, not '%s'",
			       text);
	return ERR_OK;
}

int ports_measure(const struct options *o, struct err *e)
{
	struct campaign c;
	struct hunt h = { .c = &c, .o = o, .started = timing_now() };

	(void)interrupt_flag();
	if (read_budget(&h, o->budget, e) != ERR_OK)
		return e->code;
	if (campaign_start(o, &c, e) == ERR_OK) {
		if (!o->tty && !transport_find(c.board->transport))
			(void)err_set(e, ERR_INPUT,
				      "%s: --tty DEV for a board that is not "
				      "on this machine",
				      c.board->name);
		else
			(void)hunt(&h, e);
	}
	campaign_close(&c);
	return e->code;
}

/* ---- old data -------------------------------------------------------------
 */

static int solve_one(struct store *s, const struct run *run, struct err *e)
{
	struct options o = { .board = run->board, .forms = run->forms };
	struct campaign c = { .n_refused = 0 };
	struct hunt h = { .c = &c,
			  .o = &o,
			  .s = s,
			  .run = *run,
			  .only_old = true,
			  .started = timing_now() };
	struct ports_answer w;

	c.isa = isa_find(run->isa);
	if (!c.isa)
		return err_set(e, ERR_INPUT,
			       "run %" PRId64 ": an instruction set this "
			       "program knows, not '%s'",
			       run->id, run->isa);
	c.board = &(struct board){ .name = run->board };
	h.answers = ports_answers_new();
	if (catalogue_load(&c.arena, c.isa, *run->cpu ? run->cpu : NULL,
			   &c.catalogue, e) == ERR_OK &&
	    plan_ports(&c.arena, c.catalogue, run->forms, 0, &h.forms,
		       &h.n_forms, &h.n_left, e) == ERR_OK &&
	    solve_mixes(s, run->id, 0, keep_mix, &h, e) == ERR_OK &&
	    infer(&h, &w, e) == ERR_OK)
		(void)ports_claims_store(s, run, h.forms, h.n_left, &w,
					 h.n_forms, e);
	ports_answers_free(h.answers);
	campaign_close(&c);
	return e->code;
}

int ports_solve(struct store *s, struct err *e)
{
	struct arena a = { 0 };
	int64_t *ids;
	size_t n;

	if (store_runs(s, &a, &ids, &n, e) == ERR_OK)
		for (size_t i = 0; i < n && e->code == ERR_OK; i++) {
			struct run run;

			if (store_run_get(s, &a, ids[i], &run, e) == ERR_OK &&
			    strcmp(run.what, "ports") == 0)
				(void)solve_one(s, &run, e);
		}
	arena_free(&a);
	return e->code;
}
