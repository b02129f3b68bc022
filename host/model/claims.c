/* Build a model from claims; see claims.h.
 *
 * Claims are sorted by form. Claims on values and on ports are read into two
 * lists, which are then merged form by form. */
#include "host/model/claims.h"

#include <math.h>
#include <stdlib.h>

#include "host/experiment/experiment.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/model/claims_read.h"

/* ---- one form ------------------------------------------------------ */

/* Port set of "p0|p1"; 0 when a name is unknown. */
static model_ports ports_of(const struct model *m, const char *text)
{
	model_ports set = 0;

	for (const char *at = text; *at != '\0';) {
		size_t n = strcspn(at, "|"), i = 0;

		while (i < m->n_ports &&
		       (strlen(m->ports[i].name) != n ||
			strncmp(m->ports[i].name, at, n) != 0))
			i++;
		if (i == m->n_ports)
			return 0;
		set |= (model_ports)1 << i;
		at += n + (at[n] == '|');
	}
	return set;
}

static int claims_add_use(struct claim_reader *r, const struct claim *c,
			  struct buffer *uses, struct err *e)
{
	struct model_use use = {
		.ports = ports_of(r->m, c->source),
		.n_uops = c->low_cycles,
		.cycles = 1,
	};

	if (*c->destination != '\0')
		use.cycles = strtod(c->destination, NULL);
	if (use.ports == 0 || !c->has_value || !(use.n_uops > 0) ||
	    !(use.cycles > 0) || !isfinite(use.cycles))
		return claims_bad(c, "uops on ports of the run", e);
	buffer_add(uses, &use, sizeof(use));
	return ERR_OK;
}

/* Does the claim come from a version that treated all flags as one operand? */
static bool names_all_flags(const struct claim_reader *r, const struct claim *c)
{
	const struct isa_flags *flags = r->c->isa->flags;

	return flags && (strcmp(c->source, flags->reg) == 0 ||
			 strcmp(c->destination, flags->reg) == 0);
}

static void claims_add_latency(struct claim_reader *r, const struct form *form,
			       const struct claim *c, struct model_form *f,
			       struct buffer *latencies)
{
	int from[FORM_MAX_OPERANDS], to[FORM_MAX_OPERANDS];
	size_t n_from = operand_find_all(r->c, form, c->source, true, from);
	size_t n_to = operand_find_all(r->c, form, c->destination, false, to);

	if (!claim_taken(c) || n_from == 0 || n_to == 0) {
		r->n_nowhere += claim_taken(c);
		return;
	}
	if (c->verdict == VERDICT_ELIMINATED)
		f->eliminated = true;
	for (size_t i = 0; i < n_from; i++)
		for (size_t k = 0; k < n_to; k++) {
			const struct model_latency l = { (int8_t)from[i],
							 (int8_t)to[k],
							 claim_span(c),
							 { 0 } };

			buffer_add(latencies, &l, sizeof(l));
		}
	r->n_whole += names_all_flags(r, c);
}

/* Move a list into the arena. The buffer is emptied and keeps its
 * allocation. */
static const void *claims_take(struct arena *a, struct buffer *b, size_t size,
			       size_t *ret_n)
{
	const void *list = b->n > 0 ? arena_copy(a, b->bytes, b->n) : NULL;

	*ret_n = b->n / size;
	b->n = 0;
	return list;
}

const void *claims_settle(struct arena *a, struct buffer *b, size_t size,
			  size_t *ret_n)
{
	const void *list = claims_take(a, b, size, ret_n);

	buffer_free(b);
	return list;
}

static void say_verdict(struct claim_reader *r, const struct claim *c)
{
	claims_say(r, "; ");
	claims_say(r, c->kind);
	claims_say(r, " ");
	claims_say(r, c->source);
	claims_say(r, *c->source ? ">" : "");
	claims_say(r, c->destination);
	claims_say(r, " ");
	claims_say(r, claim_verdict(c));
}

static bool is_no_evidence(const struct claim *c)
{
	return experiment_kind_is(experiment_kind_of(c->kind, strlen(c->kind)),
				  EXPERIMENT_NO_EVIDENCE);
}

/* Do instances of the form wait for each other through memory alone? */
static bool waits_in_memory(const struct claim_reader *r,
			    const struct form *form)
{
	uint16_t carried;

	return form->access == (ACCESS_LOAD | ACCESS_STORE) &&
	       form_carried(r->c, form, NULL, &carried, 1) == 0;
}

/* A form whose instances wait for each other through a register that they
 * cannot choose may have no chain of its own: what an instance then takes
 * stands for the latency of all its operands.  Example: FXCH, for which LLVM's
 * tables have 17 cycles and a Granite Rapids server needs one.  Instances that
 * wait for what the one before stored are forwarding; where they could go to
 * other places, this is no latency. */
static void claims_add_dependent(struct claim_reader *r,
				 const struct form *form, const struct claim *c)
{
	const struct model_latency l = {
		MODEL_ANY, MODEL_ANY, claim_span(c), { 0 }
	};
	bool memory = waits_in_memory(r, form);

	if (memory)
		buffer_add(&r->several, c, sizeof(*c));
	if (r->latencies.n == 0 &&
	    !(memory && form_part(form, ROLE_DISPLACEMENT) >= 0))
		buffer_add(&r->latencies, &l, sizeof(l));
}

static void claims_read_values(struct claim_reader *r, const struct form *form,
			       struct claim_list values, struct model_form *f)
{
	const struct claim *c = values.list;

	for (size_t i = 0; i < values.n; i++) {
		(void)claim_set_field(&c[i], &model_form_record, f);
		if (claim_is(&c[i], "latency"))
			claims_add_latency(r, form, &c[i], f, &r->latencies);
		if (c[i].verdict != VERDICT_OK && !is_no_evidence(&c[i]))
			say_verdict(r, &c[i]);
	}
	for (size_t i = 0; i < values.n; i++)
		if (claim_is(&c[i], "dependent") && claim_taken(&c[i]))
			claims_add_dependent(r, form, &c[i]);
	f->latencies =
		claims_take(r->a, &r->latencies, sizeof(struct model_latency),
			    &f->n_latencies);
}

static int claims_read_ports(struct claim_reader *r, struct claim_list ports,
			     struct model_form *f, struct err *e)
{
	const struct claim *c = ports.list;
	int ret = ERR_OK;

	for (size_t i = 0; i < ports.n && ret == ERR_OK; i++) {
		bool taken = claim_taken(&c[i]);

		if (claim_is(&c[i], "uops"))
			f->slots = claim_span(&c[i]);
		if (claim_is(&c[i], "pairing"))
			f->pairing =
				(uint8_t)claim_whole(&c[i], MODEL_MAX_CLASSES);
		if (!claim_is(&c[i], "ports"))
			continue;
		f->has_ports |= taken;
		f->mark = claim_mark(&c[i]);
		if (taken && *c[i].source != '\0')
			ret = claims_add_use(r, &c[i], &r->uses, e);
		if (c[i].verdict != VERDICT_OK) {
			claims_say(r, "; ports ");
			claims_say(r, claim_verdict(&c[i]));
		}
	}
	f->uses = claims_take(r->a, &r->uses, sizeof(struct model_use),
			      &f->n_uses);
	return ret;
}

/* Take the claims on this form, at the start of the list, from it. */
static struct claim_list claims_take_form(struct claim_list *rest,
					  const char *form)
{
	struct claim_list here = { rest->list, 0 };

	while (rest->n > 0 && (rest->list->form == form ||
			       strcmp(rest->list->form, form) == 0)) {
		rest->list++;
		rest->n--;
		here.n++;
	}
	return here;
}

/* The form of this name. Names must be requested in the catalogue's order. */
static const struct form *next_form(struct claim_reader *r, const char *name)
{
	int order = 1;

	while (r->next < r->c->n_forms && order > 0) {
		order = strcmp(name, r->c->forms[r->next].name);
		r->next += order > 0;
	}
	return order == 0 ? &r->c->forms[r->next] : NULL;
}

static const char *run_text(struct claim_reader *r, int64_t run)
{
	if (!r->run_text || r->said_run != run)
		r->run_text = arena_printf(r->a, "run %lld", (long long)run);
	r->said_run = run;
	return r->run_text;
}

/* The collected evidence; for most forms this is just their run. */
static const char *claims_evidence(const struct claim_reader *r)
{
	const char *words = (const char *)r->words.bytes;

	return strcmp(words, r->run_text) == 0 ? r->run_text
					       : arena_strdup(r->a, words);
}

/* Nearly all hold ones. */
static const char *operand_values(const struct claim_reader *r,
				  const struct form *form)
{
	static const char ones[] = "ones";
	char words[VALUE_WORDS_ROOM];

	value_words(r->c->isa, form->name, words);
	return strcmp(words, ones) == 0 ? ones : arena_strdup(r->a, words);
}

bool claims_experiment(const struct claim_reader *r, const struct claim *c,
		       struct experiment *ret)
{
	struct err unknown = { .code = ERR_OK };
	const char *label = arena_printf(r->a, "%s:%s", c->kind, c->form);

	return experiment_parse(r->c, label, ret, &unknown) == ERR_OK;
}

/* Mixes, and chains of several forms.  False: its form is one. */
static bool add_several(struct claim_reader *r, const struct claim *c)
{
	bool mix = claim_is(c, "mix");

	if (!mix && !strchr(c->form, '+'))
		return false;
	if (claim_taken(c) && (mix || claim_is(c, "latency")))
		buffer_add(&r->several, c, sizeof(*c));
	return true;
}

static int claims_add_form(struct claim_reader *r, struct claim_list values,
			   struct claim_list ports, struct err *e)
{
	const struct claim *any = values.n > 0 ? values.list : ports.list;
	const struct form *form = next_form(r, any->form);
	struct model_form f = { .name = form ? form->name : NULL };

	if (!form) {
		r->n_unknown += !add_several(r, any);
		return ERR_OK;
	}
	r->words.n = 0;
	claims_say(r, run_text(r, any->run));
	claims_read_values(r, form, values, &f);
	if (claims_read_ports(r, ports, &f, e) == ERR_OK) {
		claims_rate(r, values, ports, &f);
		buffer_add(&r->words, "", 1);
		f.evidence = claims_evidence(r);
		f.values = operand_values(r, form);
		buffer_add(&r->forms, &f, sizeof(f));
	}
	return e->code;
}

/* Merge the two lists, which are sorted by form; claims on the core, which have
 * none, come first. */
static int read_forms(struct claim_reader *r, struct err *e)
{
	struct claim_list v = r->values, p = r->ports;

	(void)claims_take_form(&v, "");
	(void)claims_take_form(&p, "");
	while (e->code == ERR_OK && (v.n > 0 || p.n > 0)) {
		bool value = p.n == 0 || (v.n > 0 && strcmp(v.list->form,
							    p.list->form) <= 0);
		const char *form = value ? v.list->form : p.list->form;
		struct claim_list values = claims_take_form(&v, form);

		(void)claims_add_form(r, values, claims_take_form(&p, form), e);
	}
	return e->code;
}

/* ---- the entry point ----------------------------------------------- */

void claims_give(struct claim_reader *r, const struct effect *x,
		 struct buffer *records, size_t size)
{
	struct model_list *l = &r->m->effects[effect_number(x)];

	l->list = claims_settle(r->a, records, size, &l->n);
}

static void settle_lists(struct claim_reader *r)
{
	struct model *m = r->m;

	m->forms =
		claims_settle(r->a, &r->forms, sizeof(*m->forms), &m->n_forms);
	m->notes =
		claims_settle(r->a, &r->notes, sizeof(*m->notes), &m->n_notes);
	m->ports = claims_settle(r->a, &r->port_list, sizeof(*m->ports),
				 &m->n_ports);
	buffer_free(&r->several);
	buffer_free(&r->fetched);
	buffer_free(&r->fetched_ports);
	buffer_free(&r->words);
	buffer_free(&r->latencies);
	buffer_free(&r->uses);
}

int model_from_store(struct store *s, struct arena *a, const char *board,
		     const struct catalogue *c, struct model *ret,
		     struct err *e)
{
	struct model m = { .n_forms = 0 };
	struct claim_reader r = { .s = s, .a = a, .c = c, .m = &m };
	struct run run;

	if (model_store_run(s, a, board, &run, e) != ERR_OK)
		return e->code;
	r.board = run.board;
	if (claims_fetch(&r, e) == ERR_OK && claims_core(&r, e) == ERR_OK &&
	    read_forms(&r, e) == ERR_OK) {
		for (size_t i = 0; effects[i]; i++)
			if (effects[i]->read_claims)
				effects[i]->read_claims(&r);
		if (r.forms.n == 0)
			(void)err_set(e, ERR_INPUT,
				      "the database has no values of %s forms "
				      "on %s",
				      c->isa->name, run.board);
	}
	if (e->code == ERR_OK)
		(void)claims_about(&r, &run, e);
	settle_lists(&r);
	if (e->code == ERR_OK && model_check(&m, c, e) == ERR_OK)
		*ret = m;
	return e->code;
}
