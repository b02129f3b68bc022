/* anechoic compare: how well the values of a database agree with values from
 * elsewhere. */
#include "host/compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/cli/cli.h"
#include "host/cli/compare_models.h"
#include "host/cli/compare_print.h"
#include "host/cli/of_cpu.h"
#include "host/cli/side.h"
#include "host/codec/winic/read.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/store/store_core.h"

enum { MAX_FILE = 64 << 20 };

/* Bounds of WINIC within this relative distance are one value with its
 * uncertainty. */
static const double one = 0.05;

/* The claims of one database, in the end of one board and one ISA. */
struct values {
	struct arena *a;
	const char *path;
	const char *isa, *board; /* wanted; NULL: whatever there is */
	struct core_query core;
	const char *chosen; /* the core */
	struct buffer rows; /* struct compare_row */
	bool several;
};

struct compare_run {
	struct arena a;
	struct catalogue *c;
	struct catalogue *cpu; /* only values of its forms; NULL: all */
	const regex_t *forms;  /* only values of forms that match; NULL */
	struct values ours;
	struct compare_rows ours_rows, theirs_rows;
	bool repeated;
	bool strict; /* leave no value of theirs out */
	const char *with_core_of;
};

static int add_claim(void *context, const struct claim *c, struct err *e)
{
	struct values *s = context;
	struct compare_row row;

	(void)e;
	if ((s->isa && strcmp(s->isa, c->isa) != 0) ||
	    (s->board && strcmp(s->board, c->board) != 0)) {
		s->several = true;
		return ERR_OK;
	}
	if (!s->isa)
		s->isa = arena_strdup(s->a, c->isa);
	if (!s->board)
		s->board = arena_strdup(s->a, c->board);
	row = compare_claim(s->a, c);
	buffer_add(&s->rows, &row, sizeof(row));
	return ERR_OK;
}

/* Fill `ret` with the claims of a database.  If the board or the ISA is not
 * given, the database must have only one. */
static int read_database(struct values *s, struct compare_rows *ret,
			 struct err *e)
{
	const bool named = s->board && s->isa;
	struct store *store;

	if (store_open_to_read(s->path, &store, e) != ERR_OK)
		return e->code;
	s->core.board = s->board;
	s->core.isa = s->isa;
	if (store_choose_core(store, &s->core, e) == ERR_OK &&
	    store_chosen_core(store, s->a, &s->chosen, e) == ERR_OK)
		(void)store_claims(store, 0, NULL, add_claim, s, e);
	store_close(store);
	if (e->code == ERR_OK && s->several && !named)
		(void)err_set(e, ERR_USAGE,
			      "%s has values of several boards, of %s %s and "
			      "others; choose with --board and --isa",
			      s->path, s->board, s->isa);
	else if (e->code == ERR_OK && s->rows.n == 0)
		(void)err_set(e, ERR_INPUT, "%s has no values%s%s%s%s", s->path,
			      s->board ? " of board " : "",
			      s->board ? s->board : "", s->isa ? ", " : "",
			      s->isa ? s->isa : "");
	if (e->code == ERR_OK) {
		ret->n = s->rows.n / sizeof(*ret->list);
		ret->list = arena_copy(s->a, s->rows.bytes, s->rows.n);
		compare_sort(ret);
	}
	buffer_free(&s->rows);
	return e->code;
}

/* Read the other database: our board and core if it has them, else its only
 * ones. */
static int read_other(struct compare_run *w, const char *path, struct err *e)
{
	const struct core_query core = { .core_of = w->with_core_of,
					 .option = "--with-core-of",
					 .if_there = w->ours.chosen };
	struct values s = { .a = &w->a,
			    .path = path,
			    .isa = w->ours.isa,
			    .board = w->ours.board,
			    .core = core };
	struct values any = {
		.a = &w->a, .path = path, .isa = w->ours.isa, .core = core
	};
	struct err none = { .code = ERR_OK };

	w->repeated = true;
	if (read_database(&s, &w->theirs_rows, &none) == ERR_OK)
		return ERR_OK;
	return read_database(&any, &w->theirs_rows, e);
}

static int read_winic(struct compare_run *w, const struct import_text *t,
		      struct err *e)
{
	struct winic_values all;
	const struct winic_value *v;
	struct skips skips = { .n = 0 };
	struct buffer rows = { 0 };

	if (winic_read(&w->a, w->c, t, w->strict ? NULL : &skips, &all, e) !=
	    ERR_OK)
		return e->code;
	if (skips.n > 0)
		(void)fprintf(stderr,
			      "anechoic: %zu of %zu values are left out; the "
			      "first: %s\n",
			      skips.n, all.n + skips.n, skips.first.message);
	v = all.list;
	for (size_t i = 0; i < all.n; i++) {
		struct compare_row r = {
			.form = v[i].form,
			.kind = v[i].kind,
			.source = v[i].source,
			.destination = v[i].destination,
			.values = { v[i].low, v[i].high },
			.n_values = v[i].known ? 2 : 0,
			.interval = true,
			.verdict = "",
			.label = "",
			.detail = "",
			.line = v[i].line,
		};

		if (v[i].known && v[i].high - v[i].low <= one * v[i].high) {
			r.values[0] = (v[i].low + v[i].high) / 2;
			r.n_values = 1;
			r.interval = false;
		}
		buffer_add(&rows, &r, sizeof(r));
	}
	w->theirs_rows.n = all.n;
	w->theirs_rows.list = arena_copy(&w->a, rows.bytes, rows.n);
	compare_sort(&w->theirs_rows);
	buffer_free(&rows);
	return ERR_OK;
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

static int read_theirs(struct compare_run *w, const struct side *s,
		       struct err *e)
{
	const char *path = s->file;
	unsigned char *text;
	size_t n;

	/* Databases are not read into memory: they may be larger than
	 * MAX_FILE. */
	if (s->db)
		return read_other(w, s->db, e);
	if (file_read(&w->a, path, MAX_FILE, &text, &n, e) != ERR_OK)
		return e->code;
	if (is_yaml(path))
		return read_winic(
			w,
			&(struct import_text){ .path = path,
					       .text = (const char *)text,
					       .n = n },
			e);
	return compare_read_csv(&w->a, path, (const char *)text, n,
				&w->theirs_rows, e);
}

/* ---- what the catalogue knows ------------------------------------------ */

static const struct form *base_form(const struct catalogue *c, const char *name)
{
	const struct form *f = catalogue_form(c, name);
	const char *end = strchr(name, COMPARE_VARIANT);
	char base[256];

	if (f || !end || (size_t)(end - name) >= sizeof(base))
		return f;
	memcpy(base, name, (size_t)(end - name));
	base[end - name] = '\0';
	return catalogue_form(c, base);
}

/* Bank of the explicit register operand of this name, else BANK_NONE. */
static uint8_t operand_bank(const struct catalogue *c, const struct form *f,
			    const char *name)
{
	char *end;
	long i = strtol(name, &end, 10);

	if (!f || end == name || *end != '\0' || i < 0 || i >= f->n_explicit)
		return BANK_NONE;

	const struct operand *o = &f->operands[i];

	/* This includes registers of an address that is computed only (LEA). */
	return o->reg_class < c->n_classes ? c->classes[o->reg_class].bank
					   : BANK_NONE;
}

static bool same_class(const void *context, const char *form,
		       const char *source, const char *destination)
{
	const struct catalogue *c = context;
	const struct form *f = base_form(c, form);
	uint8_t bank = operand_bank(c, f, source);

	return bank != BANK_NONE && bank == operand_bank(c, f, destination);
}

static const char *why_absent(const void *context, const char *form)
{
	const struct form *f = base_form(context, form);

	if (!f)
		return "no form of this instruction set";
	if (f->status != FORM_MEASURABLE)
		return form_status_word((enum form_status)f->status);
	return strchr(form, COMPARE_VARIANT) && !catalogue_form(context, form)
		       ? "no such variant"
		       : "not in the database";
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

static int print(struct compare_run *w, const struct options *o,
		 double tolerance, struct err *e)
{
	struct compare_classes k = { .same = same_class,
				     .absent = why_absent,
				     .context = w->c };
	struct buffer out = { 0 };
	struct compare_report r = {
		.a = &w->a,
		.out = &out,
		.name = o->form,
		.with = o->other,
		.tolerance = tolerance,
		.repeated = w->repeated,
		.ours = &w->ours_rows,
		.n_pairs = w->theirs_rows.n,
	};

	r.pairs = compare_join(&w->a, &w->ours_rows, &w->theirs_rows, &k,
			       tolerance);
	if (o->format && strcmp(o->format, "csv") == 0)
		compare_print_csv(&r);
	else
		compare_print_text(&r);
	if (file_write(o->output ? o->output : "-", out.bytes, out.n, e) ==
		    ERR_OK &&
	    compare_n_compared(&r) == 0)
		(void)err_set(e, ERR_FAILED,
			      "compare: %s and %s have no value in common%s",
			      o->form, o->other,
			      w->forms ? " of forms that --forms names" : "");
	buffer_free(&out);
	return e->code;
}

/* Leave out the values of forms that the CPU of --cpu lacks or that --forms does
 * not name. */
static void keep_forms(const struct compare_run *w, struct compare_rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (of_cpu_has(w->cpu, rows->list[i].form) &&
		    (!w->forms ||
		     regexec(w->forms, rows->list[i].form, 0, NULL, 0) == 0))
			rows->list[n++] = rows->list[i];
	rows->n = n;
}

static int compare_sides(struct compare_run *w, const struct side *theirs,
			 const struct options *o, double tolerance,
			 struct err *e)
{
	const struct isa *isa;

	if (read_database(&w->ours, &w->ours_rows, e) != ERR_OK)
		return e->code;
	isa = isa_find(w->ours.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "%s has values of an unknown instruction set "
			       "'%s'",
			       w->ours.path, w->ours.isa);
	if (catalogue_load(&w->a, isa, NULL, &w->c, e) != ERR_OK)
		return e->code;
	if (o->cpu)
		(void)catalogue_load(&w->a, isa, o->cpu, &w->cpu, e);
	if (e->code == ERR_OK && read_theirs(w, theirs, e) == ERR_OK) {
		keep_forms(w, &w->ours_rows);
		keep_forms(w, &w->theirs_rows);
		(void)print(w, o, tolerance, e);
	}
	catalogue_free(w->cpu);
	catalogue_free(w->c);
	return e->code;
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
static int check_sides(const struct options *o, const struct side *sides,
		       struct err *e)
{
	if (o->board && !sides[0].db && !sides[1].db)
		return no_effect("--board", o->form, e);
	if (o->core_of && !sides[0].db)
		return no_effect("--core-of", o->form, e);
	if (o->with_core_of && !sides[1].db)
		return no_effect("--with-core-of", o->other, e);
	if (o->strict && !has_entries(&sides[0]) && !has_entries(&sides[1]))
		return err_set(e, ERR_USAGE,
			       "--strict has no effect: neither side is a "
			       "model file or WINIC's YAML");
	return ERR_OK;
}

static int compare_run(const struct options *o, double tolerance,
		       const regex_t *forms, struct err *e)
{
	struct compare_run w = { .strict = o->strict,
				 .with_core_of = o->with_core_of,
				 .forms = forms };
	struct side sides[2];

	if (side_parse(o->form, &sides[0], e) != ERR_OK ||
	    side_parse(o->other, &sides[1], e) != ERR_OK ||
	    check_sides(o, sides, e) != ERR_OK)
		return e->code;
	if (sides[0].model || sides[1].model)
		return compare_models_run(sides, o, tolerance, forms, e);
	if (!sides[0].db)
		return err_set(e, ERR_USAGE,
			       "compare: %s has values only; the first side is "
			       "a database or a machine model",
			       o->form);
	w.ours = (struct values){ .a = &w.a,
				  .path = sides[0].db,
				  .isa = o->isa,
				  .board = o->board,
				  .core = { .core_of = o->core_of } };
	(void)compare_sides(&w, &sides[1], o, tolerance, e);
	arena_free(&w.a);
	return e->code;
}

static int run_compare(const struct options *o, struct err *e)
{
	double tolerance = 0;
	regex_t forms;

	if (parse_tolerance(o->tolerance, &tolerance, e) != ERR_OK)
		return e->code;
	if (!o->forms)
		return compare_run(o, tolerance, NULL, e);
	if (plan_expression(o->forms, &forms, e) != ERR_OK)
		return e->code;
	(void)compare_run(o, tolerance, &forms, e);
	regfree(&forms);
	return e->code;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare values with a reference, or two models",
	.operand = "OURS THEIRS",
	.two_operands = true,
	.options = OPTIONS(
		OPTION_STRICT,
		WORD("--tolerance", tolerance, "PERCENT",
		     "largest relative difference of values that agree",
		     .by_default = "5%"),
		WORD("--format", format, "NAME", "output format",
		     .by_default = "text", .choice = choice_text_csv),
		WORD("--board", board, "NAME",
		     "only the values of this board of a database",
		     .by_default = "all; required if there are several"),
		WORD("--isa", isa, "ISA",
		     "only the values of this instruction set",
		     .by_default = "all; required if there are several",
		     .choice = choice_isa),
		OPTION_CPU, OPTION_FORMS, OPTION_CORE_OF,
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
		"evidence of both sides, the largest difference first. Exit status 0 whatever the rates, 1 "
		"if nothing could be compared.",
	.examples = "anechoic compare one.db two.db\n"
		    "anechoic compare x.db reference.csv --tolerance 2%\n"
		    "anechoic compare one.db two.db --forms '^VP' -o vp.txt\n"
		    "anechoic compare cpu:skylake model:skl.yml",
	.run = run_compare,
};
