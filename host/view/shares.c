/* See shares.h. */
#include "host/view/shares.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/experiment/label.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/model/settled.h"
#include "host/plan/plan.h"

/* The result of a form, or of a pair of its operands. */
enum share_mark {
	RAN = 1 << 0,
	FAULTED = 1 << 1,
	ILLEGAL = 1 << 2, /* the core does not have the instruction */
	VALUE = 1 << 3,   /* a settled throughput, exact or an interval */
	EXACT = 1 << 4,
};

struct pair_row {
	const struct form *form;
	char name[2 * ISA_NAME_ROOM];
	bool value, exact, reason;
};

struct counting {
	struct arena *a;
	const struct catalogue *c;
	uint8_t *marks;      /* by form */
	struct buffer pairs; /* struct pair_row */
	size_t *first;       /* by form: its first pair */
	struct shares *ret;
};

static size_t index_of(const struct counting *s, const char *name)
{
	const struct form *f = catalogue_form(s->c, name);

	return f ? (size_t)(f - s->c->forms) : s->c->n_forms;
}

static int note_kernel(void *context, const struct kernel_result *r,
		       struct err *e)
{
	struct counting *s = context;
	struct label l;
	size_t i;

	(void)e;
	if (r->kernel.calib || !label_split(s->a, r->kernel.label, &l))
		return ERR_OK;
	i = index_of(s, l.form);
	if (i == s->c->n_forms)
		return ERR_OK;
	if (r->n_samples > 0)
		s->marks[i] |= RAN;
	if (r->fault)
		s->marks[i] |= strcmp(r->fault->cause, "illegal") == 0
				       ? ILLEGAL
				       : FAULTED;
	return ERR_OK;
}

static struct pair_row *find_pair(struct counting *s, const struct form *f,
				  const char *source, const char *destination)
{
	struct pair_row *list = (void *)s->pairs.bytes;
	size_t n = s->pairs.n / sizeof(*list);
	char name[sizeof(list->name)];

	(void)snprintf(name, sizeof(name), "%s>%s", source, destination);
	for (size_t i = s->first[f - s->c->forms]; i < n && list[i].form == f;
	     i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	return NULL;
}

static void note_value(struct pair_row *p, const struct claim *c, bool exact)
{
	if (!p)
		return;
	p->value |= claim_settled(c);
	p->exact |= exact;
	p->reason |= verdict_is(c->verdict, VERDICT_REASON);
}

/* The sum of a latency cycle is a value of the pair it begins with. */
static void note_sum(struct counting *s, const struct claim *c)
{
	struct label l;
	const char *label = arena_printf(
		s->a, "%s:%.*s", experiment_kind_word(EXPERIMENT_LATENCY),
		(int)strcspn(c->form, "+"), c->form);
	size_t i;
	struct pair_row *p;

	if (!label_split(s->a, label, &l))
		return;
	i = index_of(s, l.form);
	p = i < s->c->n_forms
		    ? find_pair(s, &s->c->forms[i], l.source, l.destination)
		    : NULL;
	note_value(p, c, false);
}

static int note_claim(void *context, const struct claim *c, struct err *e)
{
	struct counting *s = context;
	size_t i = index_of(s, c->form);
	struct pair_row *p;
	double value;
	bool exact = claim_exact(c, &value);

	(void)e;
	if (strcmp(c->kind, "latency") == 0 && strchr(c->form, '@'))
		note_sum(s, c);
	if (i == s->c->n_forms)
		return ERR_OK;
	if (strcmp(c->kind, "throughput") == 0)
		s->marks[i] |=
			(claim_settled(c) ? VALUE : 0) | (exact ? EXACT : 0);
	if (strcmp(c->kind, "latency") != 0)
		return ERR_OK;
	p = find_pair(s, &s->c->forms[i], c->source, c->destination);
	note_value(p, c, exact);
	return ERR_OK;
}

static struct pair_row *pair_of(struct counting *s, const struct form *f,
				int src, int dst)
{
	char from[ISA_NAME_ROOM], to[ISA_NAME_ROOM];

	operand_name(s->c, f, src, from, sizeof(from));
	operand_name(s->c, f, dst, to, sizeof(to));
	return find_pair(s, f, from, to);
}

/* Note that the plan gives a reason for a pair without a chain. */
static void note_skipped(void *context, const struct form *f, int src, int dst,
			 const char *why)
{
	struct pair_row *p = pair_of(context, f, src, dst);

	(void)why;
	if (p)
		p->reason = true;
}

/* Note the reasons of the generator for planned pairs without a kernel. */
static void note_refused(struct counting *s, const struct experiment *list,
			 size_t n)
{
	struct gen_profile profile = gen_profile(0);
	struct gen *g = gen_new(s->c, &profile);

	for (size_t i = 0; i < n; i++) {
		const struct experiment_step *first = &list[i].steps[0];
		struct err why = { .code = ERR_OK };
		struct pair_row *p;

		if (list[i].kind != EXPERIMENT_LATENCY || first->src < 0 ||
		    first->dst < 0)
			continue;
		p = pair_of(s, first->form, first->src, first->dst);
		if (p && !p->value && !p->reason)
			p->reason = gen_add(g, &list[i], &why) != ERR_OK;
	}
	gen_free(g);
}

/* Does the operand pass values between instructions? */
static bool is_data(const struct counting *s, const struct operand *o)
{
	return o->kind == OPERAND_REG &&
	       (o->fixed_reg == REG_NONE ||
		(s->c->regs[o->fixed_reg].bank != BANK_STATE &&
		 s->c->regs[o->fixed_reg].bank != BANK_NONE));
}

/* Does the operand pass values or an address? */
static bool is_source(const struct counting *s, const struct operand *o)
{
	bool address = o->kind == OPERAND_MEM && o->reg_class != CLASS_NONE &&
		       o->role != ROLE_OTHER && o->role != ROLE_DISPLACEMENT;

	return address || (is_data(s, o) && o->read);
}

/* Add every pair of a register that is read and one that is written. */
static void add_pairs(struct counting *s, const struct form *f)
{
	s->first[f - s->c->forms] = s->pairs.n / sizeof(struct pair_row);
	for (int src = 0; src < f->n_operands; src++)
		for (int dst = 0; dst < f->n_operands; dst++) {
			const struct operand *from = &f->operands[src];
			const struct operand *to = &f->operands[dst];
			char a[ISA_NAME_ROOM], b[ISA_NAME_ROOM];
			struct pair_row row = { .form = f };

			if (!is_source(s, from) || !is_data(s, to) ||
			    !to->write || to->unchained)
				continue;
			operand_name(s->c, f, src, a, sizeof(a));
			operand_name(s->c, f, dst, b, sizeof(b));
			(void)snprintf(row.name, sizeof(row.name), "%s>%s", a,
				       b);
			buffer_add(&s->pairs, &row, sizeof(row));
		}
}

/* Does the run include the form: does its expression match, and is the form
 * not refused? */
static bool asked_for(const struct counting *s, const struct form *f,
		      const regex_t *forms)
{
	return f->status == FORM_MEASURABLE &&
	       (s->marks[f - s->c->forms] ||
		form_chosen(f, UINT64_C(1) << FAMILY_PLAIN |
				       UINT64_C(1) << FAMILY_VECTOR)) &&
	       regexec(forms, f->name, 0, NULL, 0) == 0;
}

static void add_missing(struct counting *s, enum shares_lack what,
			const char *name)
{
	struct shares_missing *m = &s->ret->missing[what];

	if (m->n < SHARES_NAMED)
		m->first[m->n] = name;
	m->n++;
}

static void count_forms(struct counting *s, const regex_t *forms)
{
	struct shares *r = s->ret;

	r->has_forms = true;
	for (size_t i = 0; i < s->c->n_forms; i++) {
		const struct form *f = &s->c->forms[i];
		uint8_t m = s->marks[i];

		if (!asked_for(s, f, forms))
			continue;
		add_pairs(s, f);
		r->n_forms++;
		r->n_executed += !(m & ILLEGAL);
		r->n_ran += (m & RAN) && !(m & (FAULTED | ILLEGAL));
		r->n_value += (m & VALUE) != 0;
		r->n_exact += (m & EXACT) != 0;
		if (m & ILLEGAL)
			add_missing(s, SHARES_ILLEGAL, f->name);
		if (m & FAULTED)
			add_missing(s, SHARES_FAULTED, f->name);
		if (!(m & (RAN | FAULTED | ILLEGAL)))
			add_missing(s, SHARES_NOT_RUN, f->name);
		if ((m & RAN) && !(m & VALUE))
			add_missing(s, SHARES_NO_THROUGHPUT, f->name);
	}
}

static void count_pairs(struct counting *s)
{
	const struct pair_row *list = (const void *)s->pairs.bytes;
	size_t n = s->pairs.n / sizeof(*list);
	struct shares *r = s->ret;

	r->has_pairs = true;
	r->n_pairs = n;
	for (size_t i = 0; i < n; i++) {
		r->n_pair_value += list[i].value;
		r->n_pair_exact += list[i].exact;
		r->n_pair_reason += !list[i].value && list[i].reason;
		if (!list[i].value && !list[i].reason)
			add_missing(s, SHARES_SILENT,
				    arena_printf(s->a, "%s@%s",
						 list[i].form->name,
						 list[i].name));
	}
}

int shares_of(struct store *store, struct arena *a, const struct run *run,
	      const struct catalogue *c, struct shares *ret, struct err *e)
{
	struct counting s = { .a = a,
			      .c = c,
			      .marks = ARENA_ARRAY(a, uint8_t, c->n_forms),
			      .first = ARENA_ARRAY(a, size_t, c->n_forms),
			      .ret = ret };
	const struct plan_request q = {
		.catalogue = c,
		.forms = *run->forms ? run->forms : NULL,
		.what = PLAN_LATENCY | PLAN_THROUGHPUT,
		.families = UINT32_MAX,
		.skipped = note_skipped,
		.context = &s,
	};
	struct experiment *list;
	regex_t forms;
	size_t n;

	*ret = (struct shares){
		.missing = { { .what = "illegal" },
			     { .what = "faulted" },
			     { .what = "did not run" },
			     { .what = "no throughput" },
			     { .what = "silent" } },
	};
	if (plan_expression(run->forms, &forms, e) != ERR_OK)
		return e->code;
	if (store_kernels(store, run->id, note_kernel, &s, e) == ERR_OK &&
	    store_claims(store, run->id, NULL, note_claim, &s, e) == ERR_OK)
		count_forms(&s, &forms);
	/* Read the claims again: now the pairs are known. */
	if (e->code == ERR_OK && strstr(run->what, "latency") &&
	    plan_make(a, &q, &list, &n, e) == ERR_OK &&
	    store_claims(store, run->id, NULL, note_claim, &s, e) == ERR_OK) {
		note_refused(&s, list, n);
		count_pairs(&s);
	}
	regfree(&forms);
	buffer_free(&s.pairs);
	return e->code;
}
