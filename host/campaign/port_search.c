/* The port search as a whole; see port_search.h. */
#include "host/campaign/port_search.h"

#include <inttypes.h>
#include <string.h>

#include "host/base/monotonic.h"
#include "host/campaign/port_searching.h"
#include "host/campaign/runs.h"
#include "host/isa/isa.h"
#include "host/link/link.h"
#include "host/plan/plan.h"
#include "host/store/store_claim.h"

enum {
	N_CHECKS = 200,
	N_FIT = 2000,
	/* Values that order forms of one rank, 0 to 4, and published or not. */
	MAX_RANKED = 50,
	BANK_SPREAD = 19, /* bits between banks of registers */
};

/* Most packs are small, and take less time than a commit. */
enum { COMMIT_MS = 250 };

/* ---- the inference ------------------------------------------------------- */

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

/* Order forms of one rank: first the form that keeps its registers for the
 * shortest time, then the form that reads the fewest registers.  Four CMP32rr a
 * cycle leave a load on an Ice Lake no register port, and the load then takes
 * more than half a cycle; with four CMP32ri8 it takes nothing.  Of equal ones
 * the form that shares kernels with most others comes first.  Those that are one
 * uop by published tables come before all others of their rank. */
static uint16_t rank_of(const struct port_search *h, size_t form)
{
	const struct plan_ports_form *f = &h->forms[form];
	unsigned keeps = 2u * h->latencies[form] + f->n_read;
	bool single = h->published[form].n_uops == 1;
	unsigned rank = (2u * f->rank + !single) * (1u + MAX_RANKED) +
			(keeps < MAX_RANKED ? keeps : MAX_RANKED);

	return (uint16_t)(N_SHARES * rank + f->share);
}

/* Has it an immediate of more than 32 bits?  Some cores keep fewer such
 * instructions decoded. */
static bool has_long_code(const struct form *f)
{
	for (int i = 0; i < f->n_operands; i++)
		if (f->operands[i].kind == OPERAND_IMM &&
		    (f->operands[i].imm_max > UINT32_MAX ||
		     f->operands[i].imm_min < INT32_MIN))
			return true;
	return false;
}

static struct ports_form describe_form(const struct port_search *h, size_t form)
{
	const struct plan_ports_form *f = &h->forms[form];
	const struct catalogue *c = h->c->catalogue;
	struct ports_form ret = {
		.name = f->form->name,
		.rank = rank_of(h, form),
		.memory = f->form->access != 0,
		.stores = f->form->access & ACCESS_STORE,
		.stores_apart = f->form->access & ACCESS_STORE &&
				!gen_shares_line(c, f->form),
		.dependent = f->has_fixed,
		.renamed = f->may_eliminate,
		.represents_none =
			has_long_code(f->form) || f->share == SHARE_SELDOM,
		.published_uops = h->published[form].n_uops,
		.published = h->published[form].number,
		.kind = h->published[form].kind,
		.side = h->published[form].side,
		.throughput = h->throughputs[form],
		.batch = f->batch,
		.reads = fixed_registers(c, f->form, false),
		.writes = fixed_registers(c, f->form, true),
		.n_breakers = f->n_breakers,
	};

	_Static_assert((int)PAIR_MAX_CUTS == (int)PORTS_MAX_BREAKERS,
		       "breakers of a form");
	memcpy(ret.breakers, f->breakers, sizeof(f->breakers));
	return ret;
}

/* *ret_done: the search has ended, and *ret is set; else an image is to be
 * made. */
static int infer(struct port_search *h, struct ports_answer *ret,
		 bool *ret_done, struct err *e)
{
	/* Chosen: more passes find few other mixes. */
	enum { PASSES = 6 };
	struct arena *a = &h->c->arena;
	struct ports_form *forms =
		ARENA_ARRAY(a, struct ports_form, h->n_forms);
	const struct ports_oracle o = { .measure = port_search_oracle,
					.begin_batch = port_search_begin_batch,
					.may_mix = port_search_may_mix,
					.context = h };
	struct ports_request q = {
		.forms = forms,
		.n_forms = h->n_forms,
		.oracle = &o,
		.n_checks = N_CHECKS,
		.n_fit = N_FIT,
		.seed = 1,
	};

	if (port_search_choose_bodies(h, e) != ERR_OK ||
	    port_search_dependencies(h, e) != ERR_OK ||
	    port_search_throughputs(h, e) != ERR_OK)
		return e->code;
	port_search_read_published(h);
	for (size_t i = 0; i < h->n_forms; i++) {
		forms[i] = describe_form(h, i);
		if (forms[i].batch > h->last_batch)
			h->last_batch = forms[i].batch;
	}
	if (h->image)
		return ports_ahead(a, &q, PASSES, ret, ret_done, e);
	*ret_done = true;
	return ports_infer(a, &q, ret, e);
}

static void report_found(const struct port_search *h,
			 const struct ports_answer *w)
{
	const struct port_search_result r = {
		.run = &h->run,
		.forms = h->forms,
		.n_forms = h->n_forms,
		.answer = w,
		.n_measured = h->n_measured,
		.seconds = monotonic_s() - h->started,
		.budget_spent = h->budget_spent,
		.n_kept = h->n_kept,
	};

	h->events->found(h->events->context, &r);
}

/* ---- with a board -------------------------------------------------------- */

static int open_run(struct port_search *h, struct err *e)
{
	struct run old = { .id = 0 };

	h->run = runs_describe(h->c, "ports");
	if (!h->c->request->resume)
		return store_run_new(h->s, &h->run, e);
	if (store_run_resumable(h->s, &h->c->arena, &h->run, &old, e) != ERR_OK)
		return e->code;
	if (old.id == 0) {
		h->events->no_old_run(h->events->context);
		return store_run_new(h->s, &h->run, e);
	}
	h->run = old;
	return solve_mix_packs(h->s,
			       &(struct solve_mixing){ old.id, 0, &h->probe,
						       port_search_keep, h,
						       false },
			       e);
}

static int search(struct port_search *h, struct err *e)
{
	struct ports_answer w;
	bool done = false;

	if (infer(h, &w, &done, e) != ERR_OK || !done ||
	    port_claims_store(h, h->fit_from, &w, e) != ERR_OK ||
	    solve_store_probe(h->s, h->run.id, &h->probe, e) != ERR_OK)
		return e->code;
	if (!h->budget_spent && store_run_finish(h->s, h->run.id, e) != ERR_OK)
		return e->code;
	report_found(h, &w);
	return ERR_OK;
}

static int list_forms(struct port_search *h, uint64_t families, struct err *e)
{
	struct campaign *c = h->c;
	struct plan_ports_list list;

	if (plan_ports(&c->arena, c->catalogue, c->request->forms, families,
		       &list, e) != ERR_OK)
		return e->code;
	h->forms = list.forms;
	h->n_forms = list.n;
	h->n_left = list.n_left;
	return ERR_OK;
}

static int prepare(struct port_search *h, struct err *e)
{
	const struct campaign_request *q = h->c->request;
	struct campaign *c = h->c;

	if (list_forms(h, q->families, e) != ERR_OK ||
	    plan_calibrate(&c->arena, c->catalogue, &h->calibration,
			   &h->n_calibration, e) != ERR_OK)
		return e->code;
	return store_open(q->db, true, &h->s, e);
}

static int search_on_board(struct port_search *h, struct err *e)
{
	const struct port_search_events *v = h->events;
	struct err ignored = { .code = ERR_OK };
	struct campaign *c = h->c;

	if (!c->request->tty && !transport_find(c->board->transport))
		return err_set(e, ERR_INPUT,
			       "board '%s' needs --tty DEV, its serial line",
			       c->board->name);
	if (prepare(h, e) != ERR_OK)
		return e->code;
	h->answers = port_answers_new(ANSWERS_NEW);
	v->begin(v->context, c, h->n_forms, h->n_left);
	store_group(h->s, COMMIT_MS);
	if (open_run(h, e) == ERR_OK && workspace_make(c, &h->w, e) == ERR_OK)
		(void)search(h, e);
	/* What was measured before an error is kept, too. */
	(void)store_flush(h->s, e->code == ERR_OK ? e : &ignored);
	workspace_remove(&h->w);
	port_answers_free(h->answers);
	store_close(h->s);
	return e->code;
}

int port_search_run(const struct campaign_request *q,
		    const struct port_search_events *events, struct err *e)
{
	struct campaign c;
	struct port_search h = {
		.c = &c,
		.events = events,
		.fit_from = UINT32_MAX,
		.started = monotonic_s(),
	};

	if (campaign_start(q, &c, e) == ERR_OK)
		(void)search_on_board(&h, e);
	campaign_close(&c);
	return e->code;
}

/* Search until an image is made, or the search has ended. */
static int search_to_image(struct port_search *h, struct err *e)
{
	bool failed = true;

	while (failed && e->code == ERR_OK) {
		h->wanted.n = 0;
		port_answers_want_none(h->answers);
		h->n_batches = 0;
		h->batch = 0;
		h->latencies = NULL;
		h->chains_later = NULL;
		h->bodies_later = false;
		failed = false;
		(void)search(h, e);
		/* It has all that it can hold. */
		if (e->code == ERR_INTERRUPTED && h->wanted.n > 0)
			*e = (struct err){ .code = ERR_OK };
		if (e->code == ERR_OK && h->wanted.n > 0)
			(void)port_search_make_image(h, &failed, e);
	}
	return e->code;
}

int port_search_image(const struct campaign_request *q,
		      const struct port_search_events *events,
		      struct buffer *ret_image, struct port_search_next *ret,
		      struct err *e)
{
	struct campaign_request steps = *q;
	struct campaign c;
	struct port_search h = {
		.c = &c,
		.events = events,
		.image = ret_image,
		.fit_from = UINT32_MAX,
		.started = monotonic_s(),
	};

	steps.resume = true;
	if (campaign_start(&steps, &c, e) == ERR_OK &&
	    prepare(&h, e) == ERR_OK) {
		h.answers = port_answers_new(ANSWERS_KEPT);
		if (open_run(&h, e) == ERR_OK)
			(void)search_to_image(&h, e);
		port_answers_free(h.answers);
		store_close(h.s);
	}
	buffer_free(&h.wanted);
	*ret = (struct port_search_next){ .n_kernels = h.n_imaged };
	if (h.n_imaged > 0)
		ret->pack = pack_header(c.pack.bytes)->id;
	campaign_close(&c);
	return e->code;
}

/* ---- stored results ------------------------------------------------------ */

/* Each value decides which mixes the search asks for next.  If a value or the
 * program has changed since the run, it asks for mixes that were not measured,
 * and the forms that need them lose their ports.  Are so many lost that the
 * stored claims are better?  They are, too, if the fit has results of less than half as many
 * mixes as the stored one: forms that it left to tables would get their ports again. */
static bool lacks_mixes(const struct port_search *h,
			const struct ports_answer *w)
{
	static const double many = 0.1, few = 0.5;
	size_t n_fit = w->kept_fit.n > 0 ? w->kept_fit.n : w->fit.n;
	size_t n_lost = 0;

	if ((double)n_fit < few * (double)h->n_fit)
		return true;

	for (size_t i = 0; i < h->n_forms; i++) {
		enum ports_verdict verdict = w->forms[i].verdict;
		size_t at = (size_t)(h->forms[i].form - h->c->catalogue->forms);

		n_lost += h->had_ports[at] && (verdict == PORTS_UNFINISHED ||
					       verdict == PORTS_NO_VALUE);
	}
	return (double)n_lost > many * (double)h->n_stored;
}

static int repeat_search(struct port_search *h, struct err *e)
{
	const uint32_t fit_from = h->fit_from;
	struct ports_answer w;
	bool done;

	if (solve_mix_packs(h->s,
			    &(struct solve_mixing){ h->run.id, 0, &h->probe,
						    port_search_keep, h,
						    false },
			    e) != ERR_OK ||
	    infer(h, &w, &done, e) != ERR_OK)
		return e->code;
	if (lacks_mixes(h, &w))
		h->n_kept = h->n_stored;
	else if (port_claims_store(h, fit_from, &w, e) != ERR_OK)
		return e->code;
	report_found(h, &w);
	return ERR_OK;
}

struct searched {
	struct port_search *h;
	const struct catalogue *c;
	bool *had; /* of each form of the catalogue */
	bool any;
};

static int note_searched(void *context, const struct claim *claim,
			 struct err *e)
{
	struct searched *w = context;
	const struct form *f = strcmp(claim->kind, "ports") == 0
				       ? catalogue_form(w->c, claim->form)
				       : NULL;

	(void)e;
	if (strcmp(claim->kind, "error") == 0)
		w->h->n_fit = (size_t)claim->visits;
	if (!f || w->had[f - w->c->forms])
		return 0;
	/* A form has several claims if it has several uses of ports. */
	w->had[f - w->c->forms] = true;
	w->any = true;
	if (claim->verdict == VERDICT_OK || claim->verdict == VERDICT_OPEN) {
		w->h->had_ports[f - w->c->forms] = true;
		w->h->n_stored++;
	}
	return 0;
}

/* A machine may lack features of its CPU, such as a guest whose host hides
 * them.  So leave out forms that the run did not have: the list of forms
 * decides which mixes are measured. */
static int leave_others(struct port_search *h, struct err *e)
{
	struct catalogue *c = h->c->catalogue;
	struct form *forms = ARENA_ARRAY(&h->c->arena, struct form, c->n_forms);
	struct searched w = {
		.h = h,
		.c = c,
		.had = ARENA_ARRAY(&h->c->arena, bool, c->n_forms),
	};

	h->had_ports = ARENA_ARRAY(&h->c->arena, bool, c->n_forms);

	if (store_port_claims(h->s, h->run.id, NULL, note_searched, &w, e) != 0)
		return e->code;
	for (size_t i = 0; i < c->n_forms; i++) {
		forms[i] = c->forms[i];
		if (w.any && !w.had[i] && forms[i].status == FORM_MEASURABLE)
			forms[i].status = FORM_UNSUPPORTED;
	}
	c->forms = forms;
	return ERR_OK;
}

static int repeat_run(struct store *s, const struct run *run,
		      const struct port_search_events *events, struct err *e)
{
	const struct campaign_request q = { .board = run->board,
					    .forms = run->forms };
	struct campaign c = {
		.request = &q,
		.board = &(struct board){ .name = run->board },
		.isa = isa_find(run->isa),
		.kernel_cycles = (uint32_t)run->kernel_cycles,
	};
	struct port_search h = { .c = &c,
				 .events = events,
				 .s = s,
				 .run = *run,
				 .stored_only = true,
				 .started = monotonic_s() };
	bool any = *run->cpu == '\0' || strcmp(run->cpu, "any") == 0, imaged;

	if (!c.isa)
		return err_set(e, ERR_INPUT,
			       "run %" PRId64 " is of an unknown instruction "
			       "set '%s'",
			       run->id, run->isa);
	if (port_search_is_imaged(s, run->id, &imaged, e) != ERR_OK)
		return e->code;
	h.answers = port_answers_new(imaged ? ANSWERS_KEPT : ANSWERS_STORED);
	if (catalogue_load(&c.arena, c.isa, any ? NULL : run->cpu, &c.catalogue,
			   e) == ERR_OK &&
	    leave_others(&h, e) == ERR_OK && list_forms(&h, 0, e) == ERR_OK &&
	    port_claims_fit(s, run->id, &h.fit_from, e) == ERR_OK)
		(void)repeat_search(&h, e);
	port_answers_free(h.answers);
	campaign_close(&c);
	return e->code;
}

int port_search_repeat(struct store *s, const struct port_search_events *events,
		       struct err *e)
{
	struct arena a = { 0 };
	int64_t *ids;
	size_t n;

	if (store_runs(s, &a, &ids, &n, e) == ERR_OK)
		for (size_t i = 0; i < n && e->code == ERR_OK; i++) {
			struct run run;

			if (store_run_get(s, &a, ids[i], &run, e) == ERR_OK &&
			    strcmp(run.what, "ports") == 0)
				(void)repeat_run(s, &run, events, e);
		}
	arena_free(&a);
	return e->code;
}
