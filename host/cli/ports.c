/* anechoic measure --what ports; see ports.h. */
#include "host/cli/ports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/cli/ports_hunt.h"
#include "host/cli/table.h"
#include "host/cli/timing.h"
#include "host/isa/variant.h"
#include "host/plan/plan.h"
#include "host/solve/solve.h"

enum {
	N_CHECKS = 200,
	N_FIT = 2000,
	PASSES = 8,
	MAX_RANKED = 50,  /* of what tells forms of a rank; ranks end at 4 */
	BANK_SPREAD = 19, /* bits between banks of registers */
};

/* Seconds in between, for one request, and all together. */
static const double pause = 0.1, longest_for_one = 5, longest_wait = 60;

/* All forms of an instruction set are many: a search that was not told which
 * to take ends after this. */
static const char *const default_budget = "10m";

/* A mix that is no slower than this times what it waits for registers waits
 * for them. */
static const double still_waiting = 1.1;

static const char *const phase_words[PORTS_N_PHASES] = {
	[PORTS_SINGLES] = "alone", [PORTS_SLOTS] = "slots",
	[PORTS_MERGE] = "classes", [PORTS_MATRIX] = "matrix",
	[PORTS_CHECK] = "check",   [PORTS_FLOOD] = "floods",
	[PORTS_UNITS] = "units",   [PORTS_TRIAL] = "trial",
	[PORTS_FIT] = "fit",
};

/* False when the mix has more steps than an experiment. */
static bool experiment_of(const struct hunt *h, const struct ports_mix *mix,
			  struct experiment *ret)
{
	size_t part = 0;

	if (!ports_experiment(h->forms, mix, ret))
		return false;
	for (size_t i = 0; i < ret->n_steps; i++)
		if (!ret->steps[i].helper)
			ret->steps[i].latency =
				h->latencies[mix->part[part++].form];
	return true;
}

/* ---- the oracle -----------------------------------------------------------
 */

/* Which of the mixes still lack results; those that have them are answered. */
static size_t find_wanted(struct hunt *h, const struct experiment *list,
			  size_t n, bool *answered, struct ports_value *ret,
			  size_t *wanted)
{
	size_t n_wanted = 0;

	for (size_t i = 0; i < n; i++) {
		char label[PACK_MAX_LABEL];

		if (answered[i])
			continue;
		if (list[i].n_steps == 0 || !hunt_label(h, &list[i], label) ||
		    ports_answers_take(h->answers, label, &ret[i]))
			answered[i] = true;
		else
			wanted[n_wanted++] = i;
	}
	return n_wanted;
}

static int measure_wanted(struct hunt *h, enum ports_phase phase,
			  const struct experiment *list, const size_t *wanted,
			  size_t n, struct err *e)
{
	size_t now;

	for (size_t i = 0; i < n && !hunt_is_over(h, phase); i += now) {
		now = n - i < HUNT_PACK ? n - i : HUNT_PACK;
		now = now < hunt_left(h, phase) ? now : hunt_left(h, phase);
		if (hunt_measure(h, list, wanted + i, now, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* Was the last pack spoiled?  Then wait for better times, while there is
 * patience, and some left of it for this request. */
static bool is_busy(struct hunt *h, double *left)
{
	struct timespec t = { .tv_nsec = (long)(pause * 1e9) };

	if ((h->probe.busy < hunt_busy && !h->spoiled) || h->patience <= 0 ||
	    *left <= 0 || h->only_old)
		return false;
	*left -= pause;
	h->patience -= pause;
	(void)nanosleep(&t, NULL);
	return true;
}

static int ask(struct hunt *h, enum ports_phase phase, const char *what,
	       const struct experiment *list, size_t n, struct ports_value *ret,
	       struct err *e)
{
	size_t *wanted = xrealloc(NULL, n, sizeof(*wanted));
	bool *answered = xrealloc(NULL, n, sizeof(*answered));
	double patience = longest_for_one;
	size_t n_wanted = 1;
	char label[PACK_MAX_LABEL];

	memset(answered, 0, n * sizeof(*answered));
	progress_start(
		&h->progress, stderr,
		arena_printf(&h->c->arena, "%s: %s", h->c->board->name, what),
		"visits");
	for (int pass = 0; pass <= PASSES && n_wanted > 0; pass++) {
		if (pass > 0 && is_busy(h, &patience))
			pass--;
		n_wanted = find_wanted(h, list, n, answered, ret, wanted);
		if (hunt_is_over(h, phase) || pass == PASSES ||
		    measure_wanted(h, phase, list, wanted, n_wanted, e) !=
			    ERR_OK)
			break;
	}
	/* A single visit may have met what no other does: it is good enough to
	 * search with, not to judge by. */
	for (size_t i = 0; i < n && phase != PORTS_FIT; i++)
		if (!answered[i] && hunt_label(h, &list[i], label))
			(void)ports_answers_take_any(h->answers, label,
						     &ret[i]);
	progress_end(&h->progress);
	free(answered);
	free(wanted);
	return e->code;
}

int hunt_ask(struct hunt *h, enum ports_phase phase, const char *what,
	     const struct experiment *list, size_t n, struct ports_value *ret,
	     struct err *e)
{
	/* What the budget does not reach is not begun. */
	size_t most = phase == PORTS_FIT ? HUNT_PACK : n;

	for (size_t i = 0; i < n && e->code == ERR_OK; i += most)
		(void)ask(h, phase, what, list + i, n - i < most ? n - i : most,
			  ret + i, e);
	return e->code;
}

static int begin_fit(struct hunt *h, struct err *e)
{
	uint32_t from = h->fit_from;

	if (!h->only_old) {
		h->fit_from = from < h->next_kernel ? from : h->next_kernel;
		return ERR_OK;
	}
	h->fit_from = UINT32_MAX;
	return from == UINT32_MAX ? ERR_OK
				  : solve_mixes(h->s, h->run.id, from,
						&h->probe, hunt_keep, h, e);
}

static int oracle(void *context, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret, struct err *e)
{
	struct hunt *h = context;
	struct experiment *list = xrealloc(NULL, n, sizeof(*list));
	struct gen_profile profile = hunt_profile(h);

	/* One without steps is answered: it has no value. */
	for (size_t i = 0; i < n; i++)
		if (!experiment_of(h, &mixes[i], &list[i]))
			list[i].n_steps = 0;
	if (phase != PORTS_FIT || begin_fit(h, e) == ERR_OK)
		(void)hunt_ask(h, phase, phase_words[phase], list, n, ret, e);
	/* What registers explain says nothing of ports. */
	for (size_t i = 0; i < n; i++)
		if (ret[i].has_value &&
		    ret[i].cycles < still_waiting * gen_wait(h->c->catalogue,
							     &profile,
							     &list[i]))
			ret[i] = (struct ports_value){ .has_value = false };
	free(list);
	return e->code;
}

/* Before all else, what the sharing of registers needs. */
static int measure_chains(struct hunt *h, struct err *e)
{
	struct arena *a = &h->c->arena;
	struct ports_chain *chains;
	size_t n = ports_chains(a, h->forms, h->n_forms, &chains);
	struct experiment *list = ARENA_ARRAY(a, struct experiment, n + 1);
	struct ports_value *values = ARENA_ARRAY(a, struct ports_value, n + 1);

	h->latencies = ARENA_ARRAY(a, uint16_t, h->n_forms + 1);
	for (size_t i = 0; i < n; i++)
		list[i] = chains[i].experiment;
	if (n > 0 &&
	    hunt_ask(h, PORTS_SINGLES, "chains", list, n, values, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		ports_chain_note(&chains[i], &values[i], h->latencies);
	return ERR_OK;
}

/* ---- the whole ------------------------------------------------------------
 */

/* Registers and flags that a form cannot choose, a bit each. */
static uint64_t fixed_registers(const struct catalogue *c, const struct form *f,
				bool written)
{
	uint64_t set = 0;

	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		const struct reg *r = &c->regs[o->fixed_reg];

		if (o->kind != OPERAND_REG || o->fixed_reg == REG_NONE ||
		    r->bank == BANK_NONE || r->bank == BANK_STATE ||
		    !(written ? o->write : o->read))
			continue;
		for (unsigned k = 0; k < (r->span ? r->span : 1u); k++)
			set |= (uint64_t)1
			       << (r->bank * BANK_SPREAD + r->index + k) % 64;
	}
	return set;
}

/* Of forms alike, the one that keeps its registers for the shortest time; then
 * the one that reads the fewest: four CMP32rr in a cycle leave a load on an Ice
 * Lake no register to read, and a load in such a flood takes more than half a
 * cycle; beside four CMP32ri8 it takes nothing. */
static uint8_t rank_of(const struct hunt *h, size_t form)
{
	unsigned keeps = 2u * h->latencies[form] + h->forms[form].n_read;

	return (uint8_t)(h->forms[form].rank * (1u + MAX_RANKED) +
			 (keeps < MAX_RANKED ? keeps : MAX_RANKED));
}

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

	_Static_assert((int)PAIR_MAX_CUTS == (int)PORTS_MAX_BREAKERS,
		       "breakers of a form");
	if (hunt_choose_bodies(h, e) != ERR_OK ||
	    measure_chains(h, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < h->n_forms; i++) {
		const struct plan_ports_form *f = &h->forms[i];

		forms[i] = (struct ports_form){
			.name = f->form->name,
			.rank = rank_of(h, i),
			.memory = f->form->access != 0,
			.reads = fixed_registers(h->c->catalogue, f->form,
						 false),
			.writes =
				fixed_registers(h->c->catalogue, f->form, true),
			.n_breakers = f->n_breakers,
		};
		memcpy(forms[i].breakers, f->breakers, sizeof(f->breakers));
	}
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
	return solve_mixes(h->s, old.id, 0, &h->probe, hunt_keep, h, e);
}

static int finish(struct hunt *h, const char *db, struct err *e)
{
	struct ports_answer w;
	int code = infer(h, &w, e);

	if (code != ERR_OK)
		return code;
	if (ports_claims_store(h->s, &h->run, h->forms, h->n_left, h->fit_from,
			       &w, h->n_forms, e) != ERR_OK)
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

	if (options_families(h->o, &families, e) != ERR_OK ||
	    plan_ports(&h->c->arena, h->c->catalogue, h->o->forms, families,
		       &h->forms, &h->n_forms, &h->n_left, e) != ERR_OK ||
	    plan_calibrate(&h->c->arena, h->c->catalogue, &h->calibration,
			   &h->n_calibration, e) != ERR_OK ||
	    store_open(db, true, &h->s, e) != ERR_OK)
		return e->code;
	h->answers = ports_answers_new();
	printf("%s %s: ports of %zu forms; %zu more wait for themselves and "
	       "are left out\nresults: %s\n",
	       h->c->board->name, h->c->isa->name, h->n_forms, h->n_left, db);
	if (!h->o->forms && !h->o->budget)
		printf("no --forms: all of them, in at most %s (--budget)\n",
		       default_budget);
	(void)fflush(stdout);
	if (open_run(h, e) == ERR_OK &&
	    workspace_make(h->c, h->o, &h->w, e) == ERR_OK)
		(void)finish(h, db, e);
	workspace_remove(&h->w);
	ports_answers_free(h->answers);
	store_close(h->s);
	return e->code;
}

int ports_measure(const struct options *o, struct err *e)
{
	struct campaign c;
	struct hunt h = {
		.c = &c,
		.o = o,
		.patience = longest_wait,
		.fit_from = UINT32_MAX,
		.started = timing_now(),
	};

	(void)interrupt_flag();
	if (ports_budget(o->budget  ? o->budget
			 : o->forms ? NULL
				    : default_budget,
			 &h.seconds, &h.most, e) != ERR_OK)
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
	struct campaign c = {
		.kernel_cycles = (uint32_t)run->kernel_cycles,
	};
	struct hunt h = { .c = &c,
			  .o = &o,
			  .s = s,
			  .run = *run,
			  .only_old = true,
			  .started = timing_now() };
	struct ports_answer w;
	bool any = *run->cpu == '\0' || strcmp(run->cpu, "any") == 0;
	uint32_t fit_from;

	c.isa = isa_find(run->isa);
	if (!c.isa)
		return err_set(e, ERR_INPUT,
			       "run %" PRId64 ": an instruction set this "
			       "program knows, not '%s'",
			       run->id, run->isa);
	c.board = &(struct board){ .name = run->board };
	h.answers = ports_answers_new();
	if (catalogue_load(&c.arena, c.isa, any ? NULL : run->cpu, &c.catalogue,
			   e) == ERR_OK &&
	    plan_ports(&c.arena, c.catalogue, run->forms, 0, &h.forms,
		       &h.n_forms, &h.n_left, e) == ERR_OK &&
	    ports_claims_fit(s, run->id, &fit_from, e) == ERR_OK) {
		h.fit_from = fit_from;
		if (solve_mixes(s, run->id, 0, &h.probe, hunt_keep, &h, e) ==
			    ERR_OK &&
		    infer(&h, &w, e) == ERR_OK &&
		    ports_claims_store(s, run, h.forms, h.n_left, fit_from, &w,
				       h.n_forms, e) == ERR_OK) {
			printf("\nrun %" PRId64 ": ports on %s\n", run->id,
			       run->board);
			ports_print(h.forms, h.n_forms, &w);
		}
	}
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
