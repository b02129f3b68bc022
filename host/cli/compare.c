/* anechoic compare: how well the values of a database agree with values from
 * elsewhere, or one machine model with another. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/compare_print.h"
#include "host/cli/models.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/store/store_core.h"
#include "host/view/claims.h"

enum { MAX_FILE = 64 << 20 };

struct compare_args {
	const char *ours, *theirs;
	const char *tolerance, *board, *isa, *cpu, *forms, *output;
	const char *core_of, *with_core_of;
	unsigned format;
	bool strict; /* leave no value or entry out */
};
#define ARGS struct compare_args

static const char *const format_words[] = { "text", "csv", NULL };

/* What the options ask for. */
struct comparing {
	const struct compare_args *o;
	struct arena *a;
	struct side sides[2];
	double tolerance;
	const regex_t *forms; /* only forms that match; NULL: all */
	struct catalogue *c;
	struct catalogue *cpu; /* only forms that it has; NULL: all */
	struct buffer *out;
};

static int load_catalogues(struct comparing *w, const struct isa *isa,
			   struct err *e)
{
	if (catalogue_load(w->a, isa, NULL, &w->c, e) == ERR_OK && w->o->cpu)
		(void)catalogue_load(w->a, isa, w->o->cpu, &w->cpu, e);
	return e->code;
}

static bool is_wanted(struct comparing *w, const char *form)
{
	return compare_has_forms(w->a, w->cpu, form) &&
	       (!w->forms || regexec(w->forms, form, 0, NULL, 0) == 0);
}

static int write_out(const struct comparing *w, struct err *e)
{
	return file_write(w->o->output ? w->o->output : "-", w->out->bytes,
			  w->out->n, e);
}

static int nothing_common(const struct comparing *w, const char *whose,
			  struct err *e)
{
	return err_set(e, ERR_FAILED, "compare: %s no value in common%s", whose,
		       w->forms ? " of forms that --forms names" : "");
}

/* ---- values -------------------------------------------------------------- */

/* The claims of one database, in the end of one board and one ISA. */
struct values {
	const char *path;
	const char *isa, *board; /* wanted; NULL: whatever there is */
	struct core_query core;
	const char *chosen; /* the core */
};

static bool is_of(const struct values *s, const struct claim *c)
{
	return (!s->isa || strcmp(s->isa, c->isa) == 0) &&
	       (!s->board || strcmp(s->board, c->board) == 0);
}

/* Make rows of the claims.  If the board or the ISA is not given, there must be
 * only one. */
static int take_claims(struct arena *a, struct values *s,
		       const struct view_claims *all, struct compare_rows *ret,
		       struct err *e)
{
	const bool named = s->board && s->isa;
	bool several = false;

	ret->n = 0;
	ret->list = ARENA_ARRAY(a, struct compare_row, all->n + 1);
	for (size_t i = 0; i < all->n; i++) {
		const struct claim *c = &all->list[i];

		if (!is_of(s, c)) {
			several = true;
			continue;
		}
		s->isa = c->isa;
		s->board = c->board;
		ret->list[ret->n++] = compare_claim(c);
	}
	if (several && !named)
		return err_set(e, ERR_USAGE,
			       "%s has values of several boards, of %s %s and "
			       "others; choose with --board and --isa",
			       s->path, s->board, s->isa);
	if (ret->n == 0)
		return err_set(e, ERR_INPUT, "%s has no values%s%s%s%s",
			       s->path, s->board ? " of board " : "",
			       s->board ? s->board : "", s->isa ? ", " : "",
			       s->isa ? s->isa : "");
	compare_sort(ret);
	return ERR_OK;
}

static int read_database(struct arena *a, struct values *s,
			 struct compare_rows *ret, struct err *e)
{
	struct store *store = NULL;
	struct view_claims all;

	s->core.board = s->board;
	s->core.isa = s->isa;
	if (models_open_store(s->path, &s->core, &store, e) == ERR_OK &&
	    store_chosen_core(store, a, &s->chosen, e) == ERR_OK &&
	    view_read_claims(store, a, 0, NULL, &all, e) == ERR_OK)
		(void)take_claims(a, s, &all, ret, e);
	store_close(store);
	return e->code;
}

/* Read the other database: our board and core if it has them, else its only
 * ones. */
static int read_other(struct comparing *w, const struct values *ours,
		      struct compare_rows *ret, struct err *e)
{
	const struct core_query core = { .core_of = w->o->with_core_of,
					 .option = "--with-core-of",
					 .if_there = ours->chosen };
	struct values any = { .path = w->sides[1].db,
			      .isa = ours->isa,
			      .core = core };
	struct values s = any;
	struct err none = { .code = ERR_OK };

	s.board = ours->board;
	if (read_database(w->a, &s, ret, &none) == ERR_OK)
		return ERR_OK;
	return read_database(w->a, &any, ret, e);
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && strcmp(text + n - k, end) == 0;
}

static bool is_yaml(const char *path)
{
	return ends_with(path, ".yaml") || ends_with(path, ".yml");
}

static int read_theirs(struct comparing *w, const struct values *ours,
		       struct compare_rows *ret, struct err *e)
{
	struct import_text file = { .path = w->sides[1].file };
	struct skips skips = { .n = 0 };
	unsigned char *text;

	/* Databases are not read into memory: they may be larger than
	 * MAX_FILE. */
	if (w->sides[1].db)
		return read_other(w, ours, ret, e);
	if (file_read(w->a, file.path, MAX_FILE, &text, &file.n, e) != ERR_OK)
		return e->code;
	file.text = (const char *)text;
	if (!is_yaml(file.path))
		return compare_read_csv(w->a, file.path, file.text, file.n, ret,
					e);
	if (compare_read_winic(w->a, w->c, &file, ret,
			       w->o->strict ? NULL : &skips, e) == ERR_OK &&
	    skips.n > 0)
		(void)fprintf(stderr,
			      "anechoic: %zu of %zu values are left out; the "
			      "first: %s\n",
			      skips.n, ret->n + skips.n, skips.first.message);
	return e->code;
}

static void keep_rows(struct comparing *w, struct compare_rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (is_wanted(w, rows->list[i].form))
			rows->list[n++] = rows->list[i];
	rows->n = n;
}

static int print_values(struct comparing *w, struct compare_rows *ours,
			const struct compare_rows *theirs, struct err *e)
{
	const struct compare_classes k = compare_classes_of(w->c);
	struct compare_report r = {
		.a = w->a,
		.out = w->out,
		.name = w->o->ours,
		.with = w->o->theirs,
		.tolerance = w->tolerance,
		.repeated = w->sides[1].db != NULL,
		.ours = ours,
		.n_pairs = theirs->n,
	};

	r.pairs = compare_join(w->a, ours, theirs, &k, w->tolerance);
	r.counts = compare_count(r.pairs, r.n_pairs);
	(option_chosen(w->o->format) ? compare_print_csv
				     : compare_print_text)(&r);
	if (write_out(w, e) == ERR_OK &&
	    compare_n_compared(&r.counts, COMPARE_N_KINDS) == 0)
		(void)nothing_common(
			w, arena_printf(w->a, "%s and %s have", r.name, r.with),
			e);
	return e->code;
}

static int compare_values(struct comparing *w, struct err *e)
{
	struct values v = { .path = w->sides[0].db,
			    .isa = w->o->isa,
			    .board = w->o->board,
			    .core = { .core_of = w->o->core_of } };
	struct compare_rows ours, theirs;
	const struct isa *isa;

	if (!v.path)
		return err_set(e, ERR_USAGE,
			       "compare: %s has values only; the first side is "
			       "a database or a machine model",
			       w->o->ours);
	if (read_database(w->a, &v, &ours, e) != ERR_OK)
		return e->code;
	isa = isa_find(v.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "%s has values of an unknown instruction set "
			       "'%s'",
			       v.path, v.isa);
	if (load_catalogues(w, isa, e) != ERR_OK ||
	    read_theirs(w, &v, &theirs, e) != ERR_OK)
		return e->code;
	keep_rows(w, &ours);
	keep_rows(w, &theirs);
	return print_values(w, &ours, &theirs, e);
}

/* ---- models -------------------------------------------------------------- */

static struct model_source source_of(const struct comparing *w, size_t i)
{
	struct model_source s =
		side_source(&w->sides[i], w->o->isa, w->o->strict);

	s.board = s.db ? w->o->board : NULL;
	s.core_of = i ? w->o->with_core_of : w->o->core_of;
	s.core_option = i ? "--with-core-of" : NULL;
	return s;
}

static void keep_forms(struct comparing *w, struct model *m)
{
	struct model_form *kept =
		ARENA_ARRAY(w->a, struct model_form, m->n_forms);
	size_t n = 0;

	for (size_t i = 0; i < m->n_forms; i++)
		if (is_wanted(w, m->forms[i].name))
			kept[n++] = m->forms[i];
	m->forms = kept;
	m->n_forms = n;
}

static int load_models(struct comparing *w, struct model **models,
		       struct err *e)
{
	struct model_source source = source_of(w, 0);
	const struct isa *isa;

	if (model_source_isa(w->a, &source, &isa, e) != ERR_OK ||
	    load_catalogues(w, isa, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < 2; i++) {
		if (i > 0) {
			source = source_of(w, i);
			source.isa = isa->name;
		}
		if (model_load(w->a, w->c, &source, &models[i], e) != ERR_OK)
			return e->code;
	}
	for (size_t i = 0; i < 2; i++) {
		models_report_entries(models[i], false);
		keep_forms(w, models[i]);
	}
	return ERR_OK;
}

static int compare_both_models(struct comparing *w, struct err *e)
{
	struct model *models[2];
	struct compare_models found;
	struct compare_models_report r = { .found = &found,
					   .tolerance = w->tolerance,
					   .out = w->out };

	if (load_models(w, models, e) != ERR_OK)
		return e->code;
	r.ours = models[0];
	r.theirs = models[1];
	compare_models(w->c, r.ours, r.theirs, w->tolerance, &found);
	(option_chosen(w->o->format) ? compare_print_models_csv
				     : compare_print_models_text)(&r);
	if (compare_n_compared(&found.counts, COMPARE_N_KINDS) == 0)
		(void)nothing_common(w, "the models have", e);
	else
		(void)write_out(w, e);
	compare_models_free(&found);
	return e->code;
}

/* ---- the command ------------------------------------------------------- */

static int parse_tolerance(const char *text, double *ret, struct err *e)
{
	double percent = 5;

	if (text) {
		char *end;

		percent = strtod(text, &end);
		if (strspn(text, "0123456789.") == 0 || end == text ||
		    (strcmp(end, "%") != 0 && *end != '\0') ||
		    !(percent >= 0 && percent <= 100))
			return err_set(e, ERR_USAGE,
				       "--tolerance must be from 0%% to 100%%, "
				       "not '%s'",
				       text);
	}
	*ret = percent / 100;
	return ERR_OK;
}

static int no_effect(const char *option, const char *side, struct err *e)
{
	return err_set(e, ERR_USAGE,
		       "%s has no effect on %s, which is no database", option,
		       side);
}

/* Can entries of the side be left out? */
static bool has_entries(const struct side *s)
{
	return s->file && (s->model || is_yaml(s->file));
}

/* Refuse what has no effect on these sides. */
static int check_sides(const struct compare_args *o, const struct side *sides,
		       struct err *e)
{
	if (o->board && !sides[0].db && !sides[1].db)
		return no_effect("--board", o->ours, e);
	if (o->core_of && !sides[0].db)
		return no_effect("--core-of", o->ours, e);
	if (o->with_core_of && !sides[1].db)
		return no_effect("--with-core-of", o->theirs, e);
	if (o->strict && !has_entries(&sides[0]) && !has_entries(&sides[1]))
		return err_set(e, ERR_USAGE,
			       "--strict has no effect: neither side is a "
			       "model file or WINIC's YAML");
	return ERR_OK;
}

static int run_compare(void *args, struct command_resources *r, struct err *e)
{
	const struct compare_args *o = args;
	struct comparing w = { .o = o, .a = &r->a, .out = &r->out };
	regex_t forms;

	if (parse_tolerance(o->tolerance, &w.tolerance, e) != ERR_OK ||
	    (o->forms && plan_expression(o->forms, &forms, e) != ERR_OK))
		return e->code;
	w.forms = o->forms ? &forms : NULL;
	if (side_parse(o->ours, &w.sides[0], e) == ERR_OK &&
	    side_parse(o->theirs, &w.sides[1], e) == ERR_OK &&
	    check_sides(o, w.sides, e) == ERR_OK)
		(void)(w.sides[0].model || w.sides[1].model
			       ? compare_both_models(&w, e)
			       : compare_values(&w, e));
	if (w.forms)
		regfree(&forms);
	catalogue_free(w.cpu);
	r->c = w.c;
	return e->code;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare values with a reference, or two models",
	.operand = "OURS THEIRS",
	.operand_field = offsetof(ARGS, ours),
	.other_field = offsetof(ARGS, theirs),
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		OPTION_STRICT(strict),
		WORD("--tolerance", tolerance, "PERCENT",
		     "largest relative difference of values that agree",
		     .by_default = "5%"),
		CHOICE("--format", format, "NAME", "output format",
		       .by_default = "text", .words = format_words),
		WORD("--board", board, "NAME",
		     "only the values of this board of a database",
		     .by_default = "all; required if there are several"),
		WORD("--isa", isa, "ISA",
		     "only the values of this instruction set",
		     .by_default = "all; required if there are several",
		     .choice = choice_isa),
		OPTION_CPU(cpu), OPTION_FORMS(forms), OPTION_CORE_OF(core_of),
		WORD("--with-core-of", with_core_of, "PREFIX",
		     "the same of THEIRS",
		     .by_default = "the core of OURS, else the only one"),
		WORD("-o", output, "FILE", "file to write",
		     .by_default = "standard output")),
	.describe =
		"Compares two sides, each one of\n"
		"\n" SIDE_SPELLINGS "\n"
		"If one side is a machine model, two models are compared form "
		"by form: latency, throughput, slots, ports. Else OURS is a "
		"database, and THEIRS\n"
		"\n"
		"  CSV   form,variant,kind,source,destination,value; kind is "
		"latency or\n"
		"        throughput; value is one number, or several accepted "
		"ones: '1;2';\n"
		"        source and destination '*' mean the largest over "
		"register operands\n"
		"        of the same class\n"
		"  .db   another database: how well two runs repeat\n"
		"  .yaml WINIC's format\n"
		"\n"
		"Prints how many values agree, and each that does not with the "
		"evidence of both sides, the largest difference first. Exit "
		"status 0 whatever the rates, 1 "
		"if nothing could be compared.",
	.examples = "anechoic compare one.db two.db\n"
		    "anechoic compare x.db reference.csv --tolerance 2%\n"
		    "anechoic compare one.db two.db --forms '^VP' -o vp.txt\n"
		    "anechoic compare cpu:skylake model:skl.yml",
	.run = run_compare,
};
