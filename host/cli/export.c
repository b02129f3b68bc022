/* anechoic export: claims and machine models in other formats. */
#include "host/codec/codec.h"

#include <stdio.h>

#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/cli/models.h"

struct export_args {
	struct model_source source;
	const char *output;
	struct option_words also;
	const char *against, *td;
	unsigned format; /* exporters[format - 1] */
};
#define ARGS struct export_args

struct exporting {
	const struct exporter *x;
	const struct export_args *o;
	struct command_resources *r;
};

static int write_claims(struct exporting *w, struct err *e)
{
	const struct model_source *m = &w->o->source;
	const struct core_query core = { .board = m->board,
					 .isa = m->isa,
					 .core_of = m->core_of };
	if (!m->db || m->file || m->cpu)
		return err_set(e, ERR_USAGE,
			       "export: --format %s writes measured values; "
			       "give --db FILE, without --model and --cpu",
			       w->x->name);
	return models_open_store(m->db, &core, &w->r->store, e) == ERR_OK
		       ? w->x->write(w->r->store, &w->r->out, e)
		       : e->code;
}

/* The models of --also, of the instruction set of the first. */
static int load_others(struct exporting *w, const struct model **list,
		       struct err *e)
{
	const struct option_words *also = &w->o->also;

	for (size_t i = 0; i < also->n; i++) {
		struct model_source source;
		struct side s;
		struct model *m;

		if (side_parse(also->words[i], &s, e) != ERR_OK)
			return e->code;
		source = side_source(&s, w->r->c->isa->name,
				     w->o->source.strict);
		if (model_load(&w->r->a, w->r->c, &source, &m, e) != ERR_OK)
			return e->code;
		models_report_entries(m, true);
		list[i] = m;
	}
	return ERR_OK;
}

/* --against CPU --td FILE. */
static int write_against(struct exporting *w, const struct model *m,
			 struct err *e)
{
	enum { MAX_FILE = 4 << 20 };
	struct export_against x = { .cpu = w->o->against, .path = w->o->td };
	unsigned char *text;

	models_report_entries(m, true);
	if (file_read(&w->r->a, x.path, MAX_FILE, &text, &x.n, e) != ERR_OK)
		return e->code;
	x.text = (const char *)text;
	return w->x->write_against(m, w->r->c, &x, &w->r->out, e);
}

static int write_loaded(struct exporting *w, const struct model *m,
			struct err *e)
{
	size_t n = w->o->also.n;
	const struct model **list =
		ARENA_ARRAY(&w->r->a, const struct model *, n + 1);

	models_report_entries(m, true);
	if (n == 0)
		return w->x->write_model(m, w->r->c, &w->r->out, e);
	list[0] = m;
	if (load_others(w, list + 1, e) != ERR_OK)
		return e->code;
	return w->x->write_models(list, n + 1, w->r->c, &w->r->out, e);
}

/* The model, completed where the format wants it. */
static int load(struct exporting *w, const struct model **ret, struct err *e)
{
	struct completion *k;
	struct model *m = NULL;

	if (!w->x->completes || w->o->against) {
		if (model_load(&w->r->a, w->r->c, &w->o->source, &m, e) ==
		    ERR_OK)
			*ret = m;
		return e->code;
	}
	if (model_load_completed(&w->r->a, w->r->c, &w->o->source, &k, e) ==
	    ERR_OK)
		*ret = completed_fill(&w->r->a, k);
	return e->code;
}

static int write_model(struct exporting *w, struct err *e)
{
	const struct isa *isa;
	const struct model *m = NULL;

	if (model_source_isa(&w->r->a, &w->o->source, &isa, e) == ERR_OK &&
	    catalogue_load(&w->r->a, isa, NULL, &w->r->c, e) == ERR_OK &&
	    load(w, &m, e) == ERR_OK &&
	    (w->o->against ? write_against : write_loaded)(w, m, e) == ERR_OK &&
	    m && m->completed)
		(void)fprintf(stderr, "%s: %s\n", w->o->output, m->completed);
	return e->code;
}

static int export_run(void *args, struct command_resources *r, struct err *e)
{
	const struct export_args *o = args;
	const struct exporter *x = exporters[o->format - 1];
	struct exporting w = { .x = x, .o = o, .r = r };

	if (o->source.tables && !x->completes)
		return err_set(e, ERR_USAGE,
			       "--tables has no effect with --format %s, which "
			       "is not completed",
			       x->name);
	if (x->write && o->source.strict)
		return err_set(e, ERR_USAGE,
			       "--strict has no effect with --format %s, which "
			       "writes measured values",
			       x->name);
	if (o->also.n > 0 && !x->write_models)
		return err_set(e, ERR_USAGE,
			       "export: a file of %s holds one model; give it "
			       "without --also",
			       x->name);
	if ((o->against || o->td) && !x->write_against)
		return err_set(e, ERR_USAGE,
			       "%s has no effect with --format %s",
			       o->against ? "--against" : "--td", x->name);
	if (!o->against != !o->td)
		return err_set(e, ERR_USAGE,
			       "export: --against CPU and --td FILE, its model "
			       "in LLVM's source, go together");
	return (x->write ? write_claims : write_model)(&w, e) == ERR_OK
		       ? file_write(o->output, r->out.bytes, r->out.n, e)
		       : e->code;
}

/* Exporters with a function to write values, or those that write models. */
static void print_exporters(const char *title, bool values)
{
	enum { COLUMN = 13, WIDTH = 80 };
	char label[32];

	printf("\n%s:\n", title);
	for (size_t i = 0; exporters[i]; i++)
		if ((exporters[i]->write != NULL) == values) {
			(void)snprintf(label, sizeof(label), "  %s",
				       exporters[i]->name);
			print_item(label, exporters[i]->describe, COLUMN,
				   WIDTH);
		}
}

static void print_formats(void)
{
	print_exporters("formats of values (--db)", true);
	print_exporters("formats of machine models (--db, --model or --cpu)",
			false);
}

static const char *export_choice_format(size_t i)
{
	return exporters[i] ? exporters[i]->name : NULL;
}

const struct command command_export = {
	.name = "export",
	.summary = "write values or a machine model in other formats",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		WORD("--db", source.db, "FILE", "database of measurements"),
		OPTION_MODEL(source.file), OPTION_MODEL_CPU(source.cpu),
		OPTION_ISA(source.isa), OPTION_STRICT(source.strict),
		WORD("--board", source.board, "NAME",
		     "the board of the model, if a database has "
		     "several",
		     .needs = "--db"),
		OPTION_CORE_OF(source.core_of),
		WORD("--tables", source.tables, "NAME|FILE",
		     "published tables for what the model lacks (--format "
		     "osaca, osaca-sets, llvm): a CPU of LLVM's, a model file, "
		     "or none",
		     .by_default = "LLVM's of the model's CPU"),
		CHOICE("--format", format, "NAME", "output format",
		       .required = true, .choice = export_choice_format),
		WORDS("--also", also, "MODEL",
		      "one more model in the same file (--format "
		      "uops): cpu:NAME, model:FILE or db:FILE"),
		WORD("--against", against, "CPU",
		     "write a unified diff: what the model changes of LLVM's "
		     "scheduling model of this CPU (--format llvm)"),
		WORD("--td", td, "FILE",
		     "with --against: the file of that model in LLVM's source"),
		OPTION_OUTPUT(output)),
	.describe =
		"Writes the values of a database, or a machine model, to a "
		"file. A machine model is one of --db FILE (measured), "
		"--model FILE (any format of docs/imports.md) and --cpu NAME "
		"(LLVM's scheduling model). An empty value means that there is "
		"none; its verdict says why. docs/exports.md describes the "
		"formats.",
	.examples = "anechoic export --db x.db --format csv -o x.csv\n"
		    "anechoic export --cpu skylake --isa x86_64 --format model "
		    "-o skylake.json\n"
		    "anechoic export --db x.db --format llvm --against znver4 "
		    "--td Z.td -o a.diff",
	.print_more = print_formats,
	.run = export_run,
};
