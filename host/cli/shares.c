/* anechoic shares: how many of a core's forms ran and how many have values,
 * and the names of those that are missing.  Counted from a database and the
 * catalogue. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/cli/cli.h"
#include "host/experiment/label.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"
#include "host/model/settled.h"
#include "host/plan/plan.h"
#include "host/store/store.h"
#include "host/store/store_claim.h"
#include "host/store/store_core.h"
#include "host/store/store_kernel.h"
#include "host/store/store_run.h"

enum {
	MAX_NAMED = 12,
	/* Goals for a database of a whole core, in percent. */
	THROUGHPUT_GOAL = 97,
	LATENCY_GOAL = 95,
};

/* The result of a form, or of a pair of its operands. */
enum share_mark {
	RAN = 1 << 0,
	FAULTED = 1 << 1,
	ILLEGAL = 1 << 2, /* the core does not have the instruction */
	VALUE = 1 << 3,   /* a settled throughput, exact or an interval */
	EXACT = 1 << 4,
};

/* Verdicts that further visits do not change. */
static const char *const reasons[] = { "no-chain", "contradiction",
				       "implausible", "fault:" };

struct pair_row {
	const struct form *form;
	char name[2 * ISA_NAME_ROOM];
	bool value, exact, reason;
};

struct shares {
	struct arena a;
	struct run run;
	struct catalogue *c;
	uint8_t *marks; /* by form */
	struct buffer pairs;
	size_t at; /* where the search for a pair starts */
};

static size_t index_of(const struct shares *s, const char *name)
{
	const struct form *f = catalogue_form(s->c, name);

	return f ? (size_t)(f - s->c->forms) : s->c->n_forms;
}

static int note_kernel(void *context, const struct kernel_result *r,
		       struct err *e)
{
	struct shares *s = context;
	struct label l;
	size_t i;

	(void)e;
	if (r->kernel.calib || !label_split(&s->a, r->kernel.label, &l))
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

static struct pair_row *find_pair(struct shares *s, const struct form *f,
				  const char *source, const char *destination)
{
	struct pair_row *list = (void *)s->pairs.bytes;
	size_t n = s->pairs.n / sizeof(*list);
	char name[sizeof(list->name)];

	(void)snprintf(name, sizeof(name), "%s>%s", source, destination);
	for (size_t k = 0; k < n; k++) {
		size_t i = (s->at + k) % n;

		if (list[i].form == f && strcmp(list[i].name, name) == 0) {
			s->at = i;
			return &list[i];
		}
	}
	return NULL;
}

static bool is_reason(const char *verdict)
{
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (strncmp(verdict, reasons[i], strlen(reasons[i])) == 0)
			return true;
	return false;
}

/* The sum of a dependency cycle is a value of the pair it begins with. */
static void note_sum(struct shares *s, const struct claim *c)
{
	struct label l;
	const char *label = arena_printf(
		&s->a, "%s:%.*s", experiment_kind_word(EXPERIMENT_LATENCY),
		(int)strcspn(c->form, "+"), c->form);
	size_t i;
	struct pair_row *p;

	if (!label_split(&s->a, label, &l))
		return;
	i = index_of(s, l.form);
	p = i < s->c->n_forms
		    ? find_pair(s, &s->c->forms[i], l.source, l.destination)
		    : NULL;
	if (p) {
		p->value = p->value || claim_settled(c);
		p->reason = p->reason || is_reason(c->verdict);
	}
}

static int note_claim(void *context, const struct claim *c, struct err *e)
{
	struct shares *s = context;
	size_t i = index_of(s, c->form);
	struct pair_row *p;
	double value;
	bool settled = claim_settled(c), exact = claim_exact(c, &value);

	(void)e;
	if (strcmp(c->kind, "latency") == 0 && strchr(c->form, '@'))
		note_sum(s, c);
	if (i == s->c->n_forms)
		return ERR_OK;
	if (strcmp(c->kind, "throughput") == 0)
		s->marks[i] |= (settled ? VALUE : 0) | (exact ? EXACT : 0);
	if (strcmp(c->kind, "latency") != 0)
		return ERR_OK;
	p = find_pair(s, &s->c->forms[i], c->source, c->destination);
	if (p) {
		p->value = p->value || settled;
		p->exact = p->exact || exact;
		p->reason = p->reason || is_reason(c->verdict);
	}
	return ERR_OK;
}

/* Note that the plan gives a reason for a pair without a chain. */
static void note_skipped(void *context, const struct form *f, int src, int dst,
			 const char *why)
{
	struct shares *s = context;
	char from[ISA_NAME_ROOM], to[ISA_NAME_ROOM];
	struct pair_row *p;

	(void)why;
	operand_name(s->c, f, src, from, sizeof(from));
	operand_name(s->c, f, dst, to, sizeof(to));
	p = find_pair(s, f, from, to);
	if (p)
		p->reason = true;
}

/* Note the reasons of the generator for planned pairs without a kernel. */
static void note_refused(struct shares *s, const struct experiment *list,
			 size_t n)
{
	struct gen_profile profile = gen_profile(0);
	struct gen *g = gen_new(s->c, &profile);

	for (size_t i = 0; i < n; i++) {
		const struct experiment_step *first = &list[i].steps[0];
		char from[ISA_NAME_ROOM], to[ISA_NAME_ROOM];
		struct err why = { .code = ERR_OK };
		struct pair_row *p;

		if (list[i].kind != EXPERIMENT_LATENCY || first->src < 0 ||
		    first->dst < 0)
			continue;
		operand_name(s->c, first->form, first->src, from, sizeof(from));
		operand_name(s->c, first->form, first->dst, to, sizeof(to));
		p = find_pair(s, first->form, from, to);
		if (p && !p->value && !p->reason)
			p->reason = gen_add(g, &list[i], &why) != ERR_OK;
	}
	gen_free(g);
}

/* Does the operand pass values between instructions? */
static bool is_data(const struct shares *s, const struct operand *o)
{
	return o->kind == OPERAND_REG &&
	       (o->fixed_reg == REG_NONE ||
		(s->c->regs[o->fixed_reg].bank != BANK_STATE &&
		 s->c->regs[o->fixed_reg].bank != BANK_NONE));
}

/* Does the operand pass values or an address? */
static bool is_source(const struct shares *s, const struct operand *o)
{
	bool address = o->kind == OPERAND_MEM && o->reg_class != CLASS_NONE &&
		       o->role != ROLE_OTHER && o->role != ROLE_DISPLACEMENT;

	return address || (is_data(s, o) && o->read);
}

/* Add every pair of a register that is read and one that is written. */
static void add_pairs(struct shares *s, const struct form *f)
{
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

static void print_share(const char *what, size_t part, size_t whole)
{
	printf("%-44s %6zu  %5.1f %%\n", what, part,
	       whole ? 100.0 * (double)part / (double)whole : 0.0);
}

/* The same with the goal. */
static void print_goal(const char *what, size_t part, size_t whole,
		       unsigned goal)
{
	printf("%-44s %6zu  %5.1f %%  (goal: %u %%)\n", what, part,
	       whole ? 100.0 * (double)part / (double)whole : 0.0, goal);
}

/* Does the run include the form: does its expression match, and is the form
 * not refused? */
static bool asked_for(const struct shares *s, const struct form *f,
		      const regex_t *forms)
{
	return f->status == FORM_MEASURABLE &&
	       (s->marks[f - s->c->forms] ||
		form_chosen(f, UINT64_C(1) << FAMILY_PLAIN |
				       UINT64_C(1) << FAMILY_VECTOR)) &&
	       regexec(forms, f->name, 0, NULL, 0) == 0;
}

static void name_some(const struct shares *s, const regex_t *forms,
		      uint8_t with, uint8_t without, const char *what)
{
	size_t n = 0;

	for (size_t i = 0; i < s->c->n_forms; i++) {
		if (!asked_for(s, &s->c->forms[i], forms) ||
		    (s->marks[i] & with) != with || (s->marks[i] & without))
			continue;
		if (n++ < MAX_NAMED)
			printf("  %s: %s\n", what, s->c->forms[i].name);
	}
	if (n > MAX_NAMED)
		printf("  %s: and %zu more\n", what, n - MAX_NAMED);
}

static void print_forms(struct shares *s, const regex_t *forms)
{
	size_t n = 0, ran = 0, executed = 0, value = 0, exact = 0;

	for (size_t i = 0; i < s->c->n_forms; i++) {
		uint8_t m = s->marks[i];

		if (!asked_for(s, &s->c->forms[i], forms))
			continue;
		add_pairs(s, &s->c->forms[i]);
		n++;
		executed += !(m & ILLEGAL);
		ran += (m & RAN) && !(m & (FAULTED | ILLEGAL));
		value += (m & VALUE) != 0;
		exact += (m & EXACT) != 0;
	}
	printf("%-44s %6zu\n", "forms that are not refused", n);
	print_share("executed: no illegal instruction", executed, n);
	print_share("ran without a fault, of all", ran, n);
	print_share("ran without a fault, of those executed", ran, executed);
	print_goal("throughput, of those executed", value, executed,
		   THROUGHPUT_GOAL);
	print_share("  exact", exact, executed);
	print_share("  two speeds, or an interval", value - exact, executed);
	print_share("  none: noisy, unstable, faulted", executed - value,
		    executed);
	name_some(s, forms, ILLEGAL, 0, "illegal");
	name_some(s, forms, FAULTED, 0, "faulted");
	name_some(s, forms, 0, RAN | FAULTED | ILLEGAL, "did not run");
	name_some(s, forms, RAN, VALUE, "no throughput");
}

static void print_pairs(const struct shares *s)
{
	const struct pair_row *list = (const void *)s->pairs.bytes;
	size_t n = s->pairs.n / sizeof(*list);
	size_t value = 0, exact = 0, reason = 0, silent = 0;

	for (size_t i = 0; i < n; i++) {
		value += list[i].value;
		exact += list[i].exact;
		reason += !list[i].value && list[i].reason;
	}
	printf("%-44s %6zu\n", "pairs of registers, source > result", n);
	print_goal("latency or a named reason", value + reason, n,
		   LATENCY_GOAL);
	print_share("  latency, exact", exact, n);
	print_share("  latency, two speeds or an interval", value - exact, n);
	print_share("  no latency for a named reason", reason, n);
	for (size_t i = 0; i < n; i++)
		if (!list[i].value && !list[i].reason && silent++ < MAX_NAMED)
			printf("  silent: %s@%s\n", list[i].form->name,
			       list[i].name);
	if (silent > MAX_NAMED)
		printf("  silent: and %zu more\n", silent - MAX_NAMED);
}

/* Find the newest run of values, not of ports, of the given board and ISA. */
static int find_run(struct shares *s, struct store *store,
		    const struct options *o, struct err *e)
{
	int64_t *ids;
	size_t n;

	if (options_choose_core(o, store, e) != ERR_OK ||
	    store_chosen_runs(store, &s->a, &ids, &n, e) != ERR_OK)
		return e->code;
	while (n-- > 0) {
		if (store_run_get(store, &s->a, ids[n], &s->run, e) != ERR_OK)
			return e->code;
		if (strcmp(s->run.what, "ports") != 0 &&
		    (!o->board || strcmp(o->board, s->run.board) == 0) &&
		    (!o->isa || strcmp(o->isa, s->run.isa) == 0))
			return ERR_OK;
	}
	return err_set(e, ERR_INPUT,
		       "%s has no run of latencies or throughputs%s%s%s%s",
		       o->db, o->board ? " of board " : "",
		       o->board ? o->board : "", o->isa ? ", " : "",
		       o->isa ? o->isa : "");
}

/* Logs of earlier versions do not name their CPU. */
static bool knows_cpu(const struct run *r)
{
	return *r->cpu != '\0' && strcmp(r->cpu, "any") != 0;
}

/* Load the forms of `cpu`, or of the core that was measured if it is NULL.  A
 * run stores only the name of `native`, so the features of this machine are
 * read again. */
static int load(struct shares *s, const char *cpu, struct err *e)
{
	const struct isa *isa = isa_find(s->run.isa);
	struct err none = { .code = ERR_OK };

	if (!isa)
		return err_set(e, ERR_INPUT,
			       "run %lld is of an unknown instruction set "
			       "'%s'",
			       (long long)s->run.id, s->run.isa);
	if (cpu)
		return catalogue_load(&s->a, isa, cpu, &s->c, e);
	if (isa == isa_native() &&
	    catalogue_load(&s->a, isa, "native", &s->c, &none) == ERR_OK) {
		if (strcmp(s->c->cpu, s->run.cpu) == 0)
			return ERR_OK;
		catalogue_free(s->c);
		s->c = NULL;
	}
	return catalogue_load(&s->a, isa,
			      knows_cpu(&s->run) ? s->run.cpu : NULL, &s->c, e);
}

static int shares_count(struct shares *s, struct store *store, struct err *e)
{
	struct plan_request q = { .catalogue = s->c,
				  .forms = *s->run.forms ? s->run.forms : NULL,
				  .what = PLAN_LATENCY | PLAN_THROUGHPUT,
				  .families = UINT32_MAX,
				  .skipped = note_skipped,
				  .context = s };
	bool latency = strstr(s->run.what, "latency") != NULL;
	struct experiment *list;
	regex_t forms;
	size_t n;

	s->marks = ARENA_ARRAY(&s->a, uint8_t, s->c->n_forms);
	if (plan_expression(s->run.forms, &forms, e) != ERR_OK)
		return e->code;
	if (store_kernels(store, s->run.id, note_kernel, s, e) == ERR_OK &&
	    store_claims(store, s->run.id, NULL, note_claim, s, e) == ERR_OK) {
		printf("%s %s, run of %s%s%s\n", s->run.board, s->run.isa,
		       s->run.date, *s->run.forms ? ", forms " : "",
		       s->run.forms);
		print_forms(s, &forms);
	}
	/* Read the claims again: now the pairs are known. */
	if (e->code == ERR_OK && latency &&
	    plan_make(&s->a, &q, &list, &n, e) == ERR_OK &&
	    store_claims(store, s->run.id, NULL, note_claim, s, e) == ERR_OK) {
		note_refused(s, list, n);
		print_pairs(s);
	}
	regfree(&forms);
	return e->code;
}

static int shares_run(const struct options *o, struct err *e)
{
	struct shares s = { .at = 0 };
	struct store *store;

	if (store_open_to_read(o->db, &store, e) != ERR_OK)
		return e->code;
	if (find_run(&s, store, o, e) == ERR_OK &&
	    load(&s, o->cpu, e) == ERR_OK)
		(void)shares_count(&s, store, e);
	store_close(store);
	buffer_free(&s.pairs);
	if (s.c)
		catalogue_free(s.c);
	arena_free(&s.a);
	return e->code;
}

const struct command command_shares = {
	.name = "shares",
	.summary = "how many forms ran, how many have values, what is missing",
	.options = OPTIONS(
		OPTION_DB,
		WORD("--board", board, "NAME", "the newest run of this board"),
		WORD("--isa", isa, "ISA",
		     "the newest run of this instruction set",
		     .choice = choice_isa),
		WORD("--cpu", cpu, "NAME",
		     "only the forms of this CPU: an LLVM name or native",
		     .by_default = "the measured core's"),
		OPTION_CORE_OF),
	.describe =
		"Counts, in the newest run, the forms of the core that the "
		"program does not refuse, how many of them ran without a "
		"fault and how many have a throughput; and of their pairs of "
		"registers, how many have a latency or a named reason. Names "
		"what is missing. Values that are only seen (verdicts noisy, "
		"unstable) count as missing.",
	.examples = "anechoic measure --board qemu-user-max --once --what "
		    "throughput --db max.db\n"
		    "anechoic shares --db max.db",
	.run = shares_run,
};
