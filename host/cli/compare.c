/* anechoic compare: how well the values of a database agree with values from
 * elsewhere, or one machine model with another. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/compare_classes.h"
#include "host/cli/compare_command.h"
#include "host/cli/compare_print.h"
#include "host/cli/models.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/store/store_core.h"
#include "host/view/claims.h"

#define ARGS struct compare_args

static const char *const format_words[] = { "text", "csv", "json", NULL };
static const char *const by_words[] = { "form", "class", NULL };
enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, BY_CLASS = 1 };

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
		if (comparing_wants(w, m->forms[i].name))
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
	    comparing_load_catalogues(w, isa, e) != ERR_OK)
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
		(void)comparing_nothing(w, "the models have", e);
	else if (comparing_write(w, e) == ERR_OK)
		(void)comparing_check(w, &found.counts, e);
	compare_models_free(&found);
	return e->code;
}

/* A side with its ports and values against LLVM's tables of the other. */
static int compare_classes(struct comparing *w, struct err *e)
{
	struct model *models[2];
	struct class_report found;
	struct class_request q = { .tolerance = w->tolerance };
	struct compare_classes_report r = { .found = &found,
					    .tolerance = w->tolerance,
					    .out = w->out };

	if (!w->sides[1].cpu)
		return err_set(
			e, ERR_USAGE,
			"compare: --by class compares with LLVM's tables "
			"of a CPU; THEIRS is cpu:NAME, not '%s'",
			w->o->theirs);
	if (load_models(w, models, e) != ERR_OK ||
	    llvm_class_names(w->a, w->c, w->sides[1].cpu, &q.names, e) !=
		    ERR_OK)
		return e->code;
	q.c = w->c;
	q.ours = r.ours = models[0];
	q.table = r.table = models[1];
	class_compare(w->a, &q, &found);
	if (found.n == 0)
		return comparing_nothing(w, "the models have", e);
	(option_chosen(w->o->format) == FORMAT_JSON
		 ? compare_print_classes_json
		 : compare_print_classes_text)(&r);
	return comparing_write(w, e) == ERR_OK && w->require >= 0
		       ? comparing_share(w, class_share_right(&found),
					 "of the judged classes are right", e)
		       : e->code;
}

/* ---- the command ------------------------------------------------------- */

static int parse_percent(const char *option, const char *text, double *ret,
			 struct err *e)
{
	char *end;
	double percent = strtod(text, &end);

	if (strspn(text, "0123456789.") == 0 || end == text ||
	    (strcmp(end, "%") != 0 && *end != '\0') ||
	    !(percent >= 0 && percent <= 100))
		return err_set(e, ERR_USAGE,
			       "%s must be from 0%% to 100%%, not '%s'", option,
			       text);
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
	return s->file && (s->model || comparing_yaml(s->file));
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

static bool by_class(const struct compare_args *o)
{
	return option_chosen(o->by) == BY_CLASS;
}

static int check_format(const struct compare_args *o, struct err *e)
{
	unsigned format = option_chosen(o->format);

	if (format == (by_class(o) ? FORMAT_CSV : FORMAT_JSON))
		return err_set(e, ERR_USAGE,
			       "compare: --format %s is not there with --by "
			       "%s",
			       format_words[format],
			       by_words[by_class(o) ? BY_CLASS : 0]);
	return ERR_OK;
}

static int run_compare(void *args, struct command_resources *r, struct err *e)
{
	const struct compare_args *o = args;
	struct comparing w = {
		.o = o, .a = &r->a, .out = &r->out, .require = -1
	};
	regex_t forms;

	if (parse_percent("--tolerance", o->tolerance ? o->tolerance : "5%",
			  &w.tolerance, e) != ERR_OK ||
	    (o->require &&
	     parse_percent("--require", o->require, &w.require, e) != ERR_OK) ||
	    check_format(o, e) != ERR_OK ||
	    (o->forms && plan_expression(o->forms, &forms, e) != ERR_OK))
		return e->code;
	w.forms = o->forms ? &forms : NULL;
	if (side_parse(o->ours, &w.sides[0], e) == ERR_OK &&
	    side_parse(o->theirs, &w.sides[1], e) == ERR_OK &&
	    check_sides(o, w.sides, e) == ERR_OK)
		(void)(by_class(o) ? compare_classes(&w, e)
		       : w.sides[0].model || w.sides[1].model
			       ? compare_both_models(&w, e)
			       : comparing_values(&w, e));
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
		CHOICE("--by", by, "WHAT",
		       "what values are grouped by: each form, or LLVM's "
		       "scheduling classes of THEIRS, which is cpu:NAME",
		       .by_default = "form", .words = by_words),
		WORD("--require", require, "PERCENT",
		     "fail with exit status 1 if fewer of the values agree, or "
		     "fewer of the judged classes are right"),
		CHOICE("--format", format, "NAME",
		       "output format; csv of forms, json of classes",
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
		"status 1 if nothing could be compared or --require is not "
		"reached, else 0.",
	.examples = "anechoic compare one.db two.db\n"
		    "anechoic compare x.db reference.csv --tolerance 2%\n"
		    "anechoic compare one.db two.db --forms '^VP' -o vp.txt\n"
		    "anechoic compare cpu:skylake model:skl.yml\n"
		    "anechoic compare x.db cpu:znver4 --by class",
	.run = run_compare,
};
