/* anechoic show: all evidence of one form: values as a matrix and one by
 * one, helpers and their costs, the executed kernels, the samples, the
 * environment. */
#include "host/cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/cli/models.h"
#include "host/experiment/experiment.h"
#include "host/experiment/label.h"
#include "host/store/store_claim.h"
#include "host/store/store_run.h"

struct show_args {
	const char *db;
	struct core_query core;
	struct option_words inputs;
	bool evidence, forward, all;
};
#define ARGS struct show_args

enum {
	WIDTH = 80,
	COLUMN = 16,   /* of the matrix, */
	N_COLUMNS = 4, /* so many in 80 */
};

struct show {
	const char *form;
	bool evidence, forward;
	struct arena *a;
};

/* ---- operands ------------------------------------------------------------ */

static void print_operands(const struct catalogue *c, const struct form *f)
{
	if (!f)
		return;
	printf("\n  %s: %s\n", f->mnemonic, f->example);
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		char name[ISA_NAME_ROOM];

		operand_name(c, f, i, name, sizeof(name));
		printf("    %-8s %-5s %s", name, operand_access_word(o),
		       operand_kind_word(c, o));
		if (o->tied_to >= 0)
			printf(", the same register as %d", o->tied_to);
		(void)putchar('\n');
	}
}

/* ---- the matrix ---------------------------------------------------------- */

/* Print a cell: the value, with a star if the verdict is not ok. */
static void print_cell(const struct claim *c)
{
	char value[VIEW_SPAN_ROOM] = ".";
	char cell[VIEW_SPAN_ROOM + 2];

	if (c)
		view_value_text(c, value);
	(void)snprintf(cell, sizeof(cell), "%s%s", value,
		       c && c->verdict != VERDICT_OK ? "*" : "");
	printf(" %*s", COLUMN - 1, cell);
}

/* Print the columns of the matrix from `first` on, as many as fit. */
static void print_block(const struct view_claims *c,
			const struct view_matrix *m, size_t first)
{
	size_t left = m->to.n - first;
	size_t end = first + (left < N_COLUMNS ? left : N_COLUMNS);

	printf("    %-10s", "from \\ to");
	for (size_t k = first; k < end; k++)
		printf(" %*.*s", COLUMN - 1, COLUMN - 1, m->to.list[k]);
	(void)putchar('\n');
	for (size_t i = 0; i < m->from.n; i++) {
		printf("    %-10.10s", m->from.list[i]);
		for (size_t k = first; k < end; k++)
			print_cell(view_pair(c, "latency", m->from.list[i],
					     m->to.list[k]));
		(void)putchar('\n');
	}
}

static void print_matrix(const struct view_claims *c)
{
	struct view_matrix m;

	view_matrix_of(c, &m);
	if (m.from.n == 0)
		return;
	printf("\n  latency in cycles (*: see its verdict, .: not measured)\n");
	for (size_t k = 0; k < m.to.n; k += N_COLUMNS)
		print_block(c, &m, k);
}

/* ---- values one by one --------------------------------------------------- */

static void print_claim(const struct show *w, const struct claim *c)
{
	char pair[2 * ISA_NAME_ROOM + 2] = "";
	char value[VIEW_SPAN_ROOM];

	if (*c->source)
		(void)snprintf(pair, sizeof(pair), "%s%s%s", c->source,
			       strchr(c->source, '>') ? " " : ">",
			       c->destination);
	view_value_text(c, value);
	printf("  %-13s %-16s %14s  %6.3f%% %6u  %s\n", c->kind, pair, value,
	       100 * c->residual, c->visits, claim_verdict(c));
	if (!w->evidence)
		return;
	printf("      %s: %s\n", claim_verdict(c), verdict_meaning(c->verdict));
	print_wrapped(c->detail, 6, WIDTH);
	if (*c->label)
		printf("      from %s\n", c->label);
}

/* Print the helpers of the claims' kernels and the throughput of each. */
static int print_helpers(struct show *w, struct store *s,
			 const struct view_claims *c, struct err *e)
{
	struct view_names helpers = { .n = 0 };

	for (size_t i = 0; i < c->n; i++) {
		struct label l = { .n_helpers = 0 };

		(void)label_split(w->a, c->list[i].label, &l);
		for (size_t k = 0; k < l.n_helpers; k++)
			view_note(&helpers, l.helpers[k].form);
	}
	if (helpers.n > 0)
		printf("\n  helpers, which cut a dependency of the form\n");
	for (size_t i = 0; i < helpers.n; i++) {
		char value[VIEW_SPAN_ROOM] = "not measured in this run";
		struct view_claims own;
		const struct claim *found;

		if (view_read_claims(s, w->a, c->list->run, helpers.list[i],
				     &own, e) != ERR_OK)
			return e->code;
		found = view_pair(&own, "throughput", "", "");
		if (found)
			view_value_text(found, value);
		printf("    %-20s throughput %s %s\n", helpers.list[i], value,
		       found ? claim_verdict(found) : "");
	}
	return ERR_OK;
}

/* ---- a run --------------------------------------------------------------- */

static int print_env(void *context, const char *key, const char *value,
		     struct err *e)
{
	(void)context;
	(void)e;
	printf("  %-16s %s\n", key, value);
	return ERR_OK;
}

static int print_evidence(struct show *w, struct store *s,
			  const struct catalogue *c,
			  const struct view_claims *claims, struct err *e)
{
	size_t hidden = 0;

	print_operands(c, catalogue_form(c, w->form));
	print_matrix(claims);
	printf("\n  %-13s %-16s %14s %8s %6s  %s\n", "kind", "from>to",
	       "cycles", "residual", "visits", "verdict");
	for (size_t i = 0; i < claims->n; i++) {
		if (!w->forward && view_has_partner(&claims->list[i]))
			hidden++;
		else
			print_claim(w, &claims->list[i]);
	}
	if (hidden > 0)
		printf("  %zu values of chains with another form, which reads "
		       "a result or wrote a source: --forward\n",
		       hidden);
	if (!w->evidence)
		return ERR_OK;
	if (print_helpers(w, s, claims, e) != ERR_OK ||
	    show_kernels(s, c, w->form, claims, e) != ERR_OK)
		return e->code;
	printf("\nenvironment\n");
	return store_envs(s, claims->list->run, print_env, w, e);
}

/* A log of an earlier version does not name its board. */
static void print_further(const struct show *w, const struct run *run)
{
	if (strcmp(run->board, "import") == 0)
		printf("\n  its log does not name the board\n");
	else if (strchr(w->form, '#'))
		printf("\n  measured again by: anechoic time --board %s --isa "
		       "%s, with the file of this name\n",
		       run->board, run->isa);
	else
		printf("\n  measured again by: anechoic measure --board %s \\\n"
		       "    --isa %s --forms '^%s$'\n",
		       run->board, run->isa, w->form);
	printf("  kernels, samples and reasons: --evidence\n");
}

/* All claims of the form in one run. */
static int show_run(struct show *w, struct store *s,
		    const struct view_claims *claims, struct err *e)
{
	struct run run;
	struct catalogue *c = NULL;

	if (store_run_get(s, w->a, claims->list->run, &run, e) != ERR_OK ||
	    models_catalogue(
		    w->a, run.isa,
		    arena_printf(w->a, "run %" PRId64 " is of", run.id), &c,
		    e) != ERR_OK)
		return e->code;
	printf("%s, run %" PRId64 " on %s %s\n  %s, clock %s, tool %s\n",
	       w->form, run.id, run.board, run.isa, run.date, run_clock(&run),
	       run.tool);
	if (print_evidence(w, s, c, claims, e) == ERR_OK && !w->evidence &&
	    *w->form != '\0')
		print_further(w, &run);
	catalogue_free(c);
	return e->code;
}

/* All runs with values of the form; *ret_any: there are some. */
static int show_form(struct show *w, struct store *s, bool *ret_any,
		     struct err *e)
{
	struct view_claims rest, part;
	bool has_ports;

	if (view_read_claims(s, w->a, 0, w->form, &rest, e) != ERR_OK ||
	    show_ports(s, w->a, w->form, w->evidence, &has_ports, e) != ERR_OK)
		return e->code;
	*ret_any = has_ports || rest.n > 0;
	for (bool first = !has_ports;
	     (part = view_next(&rest, view_same_run)).n > 0; first = false) {
		if (!first)
			(void)putchar('\n');
		if (show_run(w, s, &part, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* The words of the command line as one text. */
static const char *show_text(struct arena *a, const struct option_words *words)
{
	const char *text = words->words[0];

	for (size_t i = 1; i < words->n; i++)
		text = arena_printf(a, "%s %s", text, words->words[i]);
	return text;
}

/* A name of a form, or an instruction as it is typed. */
static int show(struct show *w, struct store *s, struct err *e)
{
	bool any = false;

	if (strcmp(w->form, "structures") == 0)
		return show_structures(s, w->a, w->evidence, e);
	if (show_form(w, s, &any, e) != ERR_OK || any)
		return e->code;
	if (show_typed(s, w->a, w->form, &w->form, e) != ERR_OK || !w->form)
		return e->code;
	return show_form(w, s, &any, e);
}

static int note_claim(void *context, const struct claim *c, struct err *e)
{
	(void)c;
	(void)e;
	*(bool *)context = true;
	return ERR_OK;
}

/* Several names of forms that have values are several forms; other words are the
 * parts of an instruction. */
static bool are_forms(struct store *s, const struct option_words *words,
		      struct err *e)
{
	bool all = words->n > 1;

	for (size_t i = 0; i < words->n && all; i++) {
		bool found = false;

		all = store_claims(s, 0, words->words[i], note_claim, &found,
				   e) == ERR_OK &&
		      found;
	}
	return all;
}

static int run_show(void *args, struct command_resources *r, struct err *e)
{
	const struct show_args *o = args;
	struct show w = {
		.evidence = o->evidence || o->all,
		.forward = o->forward || o->all,
		.a = &r->a,
	};

	if (models_open_store(o->db, &o->core, &r->store, e) != ERR_OK)
		return e->code;
	if (!are_forms(r->store, &o->inputs, e)) {
		w.form = show_text(&r->a, &o->inputs);
		return e->code == ERR_OK ? show(&w, r->store, e) : e->code;
	}
	for (size_t i = 0; i < o->inputs.n && e->code == ERR_OK; i++) {
		if (i > 0)
			(void)putchar('\n');
		w.form = o->inputs.words[i];
		(void)show(&w, r->store, e);
	}
	return e->code;
}

const struct command command_show = {
	.name = "show",
	.summary = "show one form: values, kernels, raw samples, environment",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		OPTION_DB(db), OPTION_CORE_OF(core.core_of),
		FLAG("--evidence", evidence,
		     "kernels, samples, reasons, environment"),
		FLAG("--forward", forward,
		     "with each form that reads a result or wrote a source"),
		FLAG("--all", all, "both")),
	.operand = "FORM",
	.operand_list = true,
	.operand_field = offsetof(ARGS, inputs),
	.describe =
		"FORM is a name that 'anechoic forms' prints, or an "
		"instruction as people type it, in either syntax: a mnemonic, "
		"with operands or their kinds; several names are shown one after the other. The word "
		"structures stands for the caches, jumps and queues that "
		"'anechoic structures' found. If "
		"several forms fit equally "
		"well, a table lists them. Values come first; options add what "
		"they follow from. A histogram has "
		"one character for each row of samples: the number of its "
		"visit. Ticks are counter differences as read. common/wire.md "
		"describes the numbers of a row, docs/method how values "
		"follow, docs/verdicts.md what verdicts mean.",
	.examples = "anechoic show --db x.db ADD64rr\n"
		    "anechoic show --db x.db --evidence ADD64rr\n"
		    "anechoic show --db x.db vpermd ymm m256\n"
		    "anechoic show --db x.db structures",
	.run = run_show,
};
