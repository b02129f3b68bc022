/* anechoic show: all evidence of one form: values as a matrix and one by
 * one, helpers and their costs, the executed kernels, the samples, the
 * environment. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/cli/show_kernels.h"
#include "host/cli/show_ports.h"
#include "host/cli/show_typed.h"
#include "host/cli/table.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"
#include "host/store/store.h"
#include "host/store/store_claim.h"
#include "host/store/store_run.h"
#include "host/store/verdict.h"

enum {
	VALUE = 64,
	WIDTH = 80,
	NAME = 64,
	MAX_NAMES = 64, /* of sources or destinations in a matrix */
	COLUMN = 16,    /* of the matrix, */
	N_COLUMNS = 4,  /* so many in 80 */
};

struct show {
	const char *form;
	bool evidence, forward;
	struct arena arena;
	struct buffer collected; /* struct claim, strings in the arena */
	struct claim *claims;
	size_t n;
};

static int show_collect(void *context, const struct claim *c, struct err *e)
{
	struct show *w = context;
	struct claim copy = *c;
	const char **const strings[] = {
		&copy.isa,     &copy.form,   &copy.board,
		&copy.kind,    &copy.source, &copy.destination,
		&copy.verdict, &copy.label,  &copy.detail,
	};

	(void)e;
	for (size_t i = 0; i < ARRAY_LEN(strings); i++)
		*strings[i] =
			arena_strdup(&w->arena, *strings[i] ? *strings[i] : "");
	buffer_add(&w->collected, &copy, sizeof(copy));
	return ERR_OK;
}

/* ---- operands ------------------------------------------------------------ */

static void print_operands(const struct catalogue *c, const struct form *f)
{
	if (!f)
		return;
	printf("\n  %s: %s\n", f->mnemonic, f->example);
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		char name[NAME];

		operand_name(c, f, i, name, sizeof(name));
		printf("    %-8s %-5s %s", name, operand_access_word(o),
		       operand_kind_word(c, o));
		if (o->tied_to >= 0)
			printf(", the same register as %d", o->tied_to);
		(void)putchar('\n');
	}
}

/* ---- the matrix ---------------------------------------------------------- */

struct names {
	const char *list[MAX_NAMES];
	size_t n;
};

static void note_name(struct names *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->list[i], name) == 0)
			return;
	if (w->n < MAX_NAMES)
		w->list[w->n++] = name;
}

static const struct claim *find_pair(const struct claim *c, size_t n,
				     const char *source,
				     const char *destination)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(c[i].kind, "latency") == 0 &&
		    strcmp(c[i].source, source) == 0 &&
		    strcmp(c[i].destination, destination) == 0)
			return &c[i];
	return NULL;
}

/* Print a cell: the value, with a star if the verdict is not ok. */
static void print_cell(const struct claim *c)
{
	char value[VALUE] = ".";
	char cell[VALUE + 2];

	if (c)
		table_value(c, value, sizeof(value));
	(void)snprintf(cell, sizeof(cell), "%s%s", value,
		       c && strcmp(c->verdict, "ok") != 0 ? "*" : "");
	printf(" %*s", COLUMN - 1, cell);
}

static void print_block(const struct claim *c, size_t n,
			const struct names *sources,
			const char *const *destinations, size_t n_columns)
{
	printf("    %-10s", "from \\ to");
	for (size_t k = 0; k < n_columns; k++)
		printf(" %*.*s", COLUMN - 1, COLUMN - 1, destinations[k]);
	(void)putchar('\n');
	for (size_t i = 0; i < sources->n; i++) {
		printf("    %-10.10s", sources->list[i]);
		for (size_t k = 0; k < n_columns; k++)
			print_cell(find_pair(c, n, sources->list[i],
					     destinations[k]));
		(void)putchar('\n');
	}
}

static void print_matrix(const struct claim *c, size_t n)
{
	struct names sources = { .n = 0 }, destinations = { .n = 0 };

	for (size_t i = 0; i < n; i++) {
		if (strcmp(c[i].kind, "latency") != 0 || *c[i].source == '\0')
			continue;
		note_name(&sources, c[i].source);
		note_name(&destinations, c[i].destination);
	}
	if (sources.n == 0)
		return;
	printf("\n  latency in cycles (*: see its verdict, .: not measured)\n");
	for (size_t k = 0; k < destinations.n; k += N_COLUMNS) {
		size_t left = destinations.n - k;

		print_block(c, n, &sources, &destinations.list[k],
			    left < N_COLUMNS ? left : N_COLUMNS);
	}
}

/* ---- values one by one ----------------------------------------------------*/

static void print_claim(const struct show *w, const struct claim *c)
{
	char pair[2 * NAME + 2] = "";
	char value[VALUE];

	if (*c->source)
		(void)snprintf(pair, sizeof(pair), "%s%s%s", c->source,
			       strchr(c->source, '>') ? " " : ">",
			       c->destination);
	table_value(c, value, sizeof(value));
	printf("  %-13s %-16s %14s  %6.3f%% %6u  %s\n", c->kind, pair, value,
	       100 * c->residual, c->visits, c->verdict);
	if (!w->evidence)
		return;
	printf("      %s: %s\n", c->verdict, verdict_meaning(c->verdict));
	print_wrapped(c->detail, 6, WIDTH);
	if (*c->label)
		printf("      from %s\n", c->label);
}

struct helper_claim {
	char value[VALUE];
	const char *verdict;
	struct arena *a;
};

static int note_helper(void *context, const struct claim *c, struct err *e)
{
	struct helper_claim *h = context;

	(void)e;
	if (strcmp(c->kind, "throughput") == 0) {
		table_value(c, h->value, sizeof(h->value));
		h->verdict = arena_strdup(h->a, c->verdict);
	}
	return ERR_OK;
}

/* Print the helpers of the claims' kernels and the throughput of each. */
static int print_helpers(struct show *w, struct store *s, int64_t run,
			 const struct claim *c, size_t n, struct err *e)
{
	struct names helpers = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		for (const char *at = strchr(c[i].label, '~'); at;
		     at = strchr(at + 1, '~')) {
			char *name = arena_strdup(&w->arena, at + 1);

			name[strcspn(name, "+@")] = '\0';
			note_name(&helpers, name);
		}
	if (helpers.n > 0)
		printf("\n  helpers, which cut a dependency of the form\n");
	for (size_t i = 0; i < helpers.n; i++) {
		struct helper_claim h = { .value = "not measured in this run",
					  .verdict = "",
					  .a = &w->arena };

		if (store_claims(s, run, helpers.list[i], note_helper, &h, e) !=
		    ERR_OK)
			return e->code;
		printf("    %-20s throughput %s %s\n", helpers.list[i], h.value,
		       h.verdict);
	}
	return ERR_OK;
}

/* ---- a run ----------------------------------------------------------------
 */

static int print_env(void *context, const char *key, const char *value,
		     struct err *e)
{
	(void)context;
	(void)e;
	printf("  %-16s %s\n", key, value);
	return ERR_OK;
}

static int print_evidence(struct show *w, struct store *s,
			  const struct catalogue *c, const struct claim *list,
			  size_t n, struct err *e)
{
	int64_t run = list->run;
	const char **labels = ARENA_ARRAY(&w->arena, const char *, n);
	size_t hidden = 0;

	print_operands(c, catalogue_form(c, w->form));
	print_matrix(list, n);
	printf("\n  %-13s %-16s %14s %8s %6s  %s\n", "kind", "from>to",
	       "cycles", "residual", "visits", "verdict");
	for (size_t i = 0; i < n; i++) {
		labels[i] = list[i].label;
		if (!w->forward && (strcmp(list[i].kind, "forward") == 0 ||
				    strcmp(list[i].kind, "written") == 0))
			hidden++;
		else
			print_claim(w, &list[i]);
	}
	if (hidden > 0)
		printf("  %zu values of chains with another form, which reads "
		       "a result or wrote a source: --forward\n",
		       hidden);
	if (!w->evidence)
		return ERR_OK;
	if (print_helpers(w, s, run, list, n, e) != ERR_OK)
		return e->code;
	if (show_kernels(s, run, c, w->form, labels, n, e) != ERR_OK)
		return e->code;
	printf("\nenvironment\n");
	return store_envs(s, run, print_env, w, e);
}

/* A log of an earlier version does not name its board. */
static void print_further(const struct show *w, const struct run *run)
{
	if (strcmp(run->board, "import") == 0)
		printf("\n  its log does not name the board\n");
	else
		printf("\n  measured again by: anechoic measure --board %s \\\n"
		       "    --isa %s --forms '^%s$'\n",
		       run->board, run->isa, w->form);
	printf("  kernels, samples and reasons: --evidence\n");
}

/* All claims of the form in one run. */
static int show_run(struct show *w, struct store *s, const struct claim *list,
		    size_t n, struct err *e)
{
	struct run run;
	const struct isa *isa;
	struct catalogue *c;

	if (store_run_get(s, &w->arena, list->run, &run, e) != ERR_OK)
		return e->code;
	isa = isa_find(run.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "run %" PRId64 " is of an unknown instruction "
			       "set '%s'",
			       run.id, run.isa);
	if (catalogue_load(&w->arena, isa, NULL, &c, e) != ERR_OK)
		return e->code;
	printf("%s, run %" PRId64 " on %s %s\n  %s, clock %s, tool %s\n",
	       w->form, run.id, run.board, run.isa, run.date, run.clock,
	       run.tool);
	if (print_evidence(w, s, c, list, n, e) == ERR_OK && !w->evidence &&
	    *w->form != '\0')
		print_further(w, &run);
	catalogue_free(c);
	return e->code;
}

/* All runs with values of the form; *ret_any: there are some. */
static int show_form(struct show *w, struct store *s, bool *ret_any,
		     struct err *e)
{
	bool has_ports;

	if (store_claims(s, 0, w->form, show_collect, w, e) != ERR_OK)
		return e->code;
	w->claims = (void *)w->collected.bytes;
	w->n = w->collected.n / sizeof(*w->claims);
	if (show_ports(s, w->form, w->evidence, &has_ports, e) != ERR_OK)
		return e->code;
	*ret_any = w->n > 0 || has_ports;
	for (size_t i = 0; i < w->n;) {
		size_t end = i + 1;

		while (end < w->n && w->claims[end].run == w->claims[i].run)
			end++;
		if (i > 0 || has_ports)
			(void)putchar('\n');
		if (show_run(w, s, w->claims + i, end - i, e) != ERR_OK)
			return e->code;
		i = end;
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

	if (show_form(w, s, &any, e) != ERR_OK || any)
		return e->code;
	if (show_typed(s, &w->arena, w->form, &w->form, e) != ERR_OK ||
	    !w->form)
		return e->code;
	return show_form(w, s, &any, e);
}

static int run_show(const struct options *o, struct err *e)
{
	struct show w = {
		.evidence = o->evidence || o->all,
		.forward = o->forward || o->all,
	};
	struct store *s;

	if (store_open_to_read(o->db, &s, e) != ERR_OK)
		return e->code;
	w.form = show_text(&w.arena, &o->inputs);
	if (options_choose_core(o, s, e) == ERR_OK)
		(void)show(&w, s, e);
	store_close(s);
	buffer_free(&w.collected);
	arena_free(&w.arena);
	return e->code;
}

const struct command command_show = {
	.name = "show",
	.summary = "show one form: values, kernels, raw samples, environment",
	.options = OPTIONS(
		OPTION_DB, OPTION_CORE_OF,
		FLAG("--evidence", evidence,
		     "kernels, samples, reasons, environment"),
		FLAG("--forward", forward,
		     "with each form that reads a result or wrote a source"),
		FLAG("--all", all, "both")),
	.operand = "FORM",
	.operand_list = true,
	.describe =
		"FORM is a name that 'anechoic forms' prints, or an "
		"instruction as people type it, in either syntax: a mnemonic, "
		"with operands or their kinds. If several forms fit equally "
		"well, a table lists them. Values come first; options add what they follow from. A histogram has "
		"one character for each row of samples: the number of its "
		"visit. Ticks are counter differences as read. docs/wire.md "
		"describes the numbers of a row, docs/method.md how values "
		"follow and what verdicts mean.",
	.examples = "anechoic show --db x.db ADD64rr\n"
		    "anechoic show --db x.db --evidence ADD64rr\n"
		    "anechoic show --db x.db vpermd ymm m256",
	.run = run_show,
};
