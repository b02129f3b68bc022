/* anechoic export: claims and machine models in other formats. */
#include "host/codec/codec.h"

#include <stdio.h>

#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/cli/side.h"
#include "host/codec/source.h"
#include "host/isa/catalogue.h"

static int write_claims(const struct exporter *x, const struct options *o,
			struct buffer *b, struct err *e)
{
	struct store *s;

	if (!o->db || o->model || o->cpu)
		return err_set(e, ERR_USAGE,
			       "export: --format %s writes measured values; "
			       "give --db FILE, without --model and --cpu",
			       x->name);
	if (store_open_to_read(o->db, &s, e) != ERR_OK)
		return e->code;
	if (options_choose_core(o, s, e) == ERR_OK)
		(void)x->write(s, b, e);
	store_close(s);
	return e->code;
}

/* The models of --also, of the instruction set of the first. */
static int load_others(struct arena *a, const struct catalogue *c,
		       const struct options *o, const struct model **list,
		       struct err *e)
{
	for (size_t i = 0; i < o->also.n; i++) {
		struct side s;
		struct model *m;

		if (side_parse(o->also.words[i], &s, e) != ERR_OK)
			return e->code;

		const struct model_source source = { .db = s.db,
						     .file = s.file,
						     .cpu = s.cpu,
						     .isa = c->isa->name,
						     .strict = o->strict };

		if (model_load(a, c, &source, &m, e) != ERR_OK)
			return e->code;
		options_report_entries(m, true);
		list[i] = m;
	}
	return ERR_OK;
}

static int write_loaded(const struct exporter *x, const struct options *o,
			struct arena *a, const struct catalogue *c,
			const struct model *m, struct buffer *b, struct err *e)
{
	const struct model **list =
		ARENA_ARRAY(a, const struct model *, o->also.n + 1);

	options_report_entries(m, true);
	if (o->also.n == 0)
		return x->write_model(m, c, b, e);
	list[0] = m;
	if (load_others(a, c, o, list + 1, e) != ERR_OK)
		return e->code;
	return x->write_models(list, o->also.n + 1, c, b, e);
}

/* The model, completed where the format wants it. */
static int load(const struct exporter *x, const struct options *o,
		struct arena *a, const struct catalogue *c,
		const struct model **ret, struct err *e)
{
	const struct model_source source = options_model(o);
	struct completion *k;
	struct model *m = NULL;

	if (!x->completes) {
		if (model_load(a, c, &source, &m, e) == ERR_OK)
			*ret = m;
		return e->code;
	}
	if (model_load_completed(a, c, &source, &k, e) != ERR_OK)
		return e->code;
	*ret = completed_fill(a, k);
	return ERR_OK;
}

static int write_model(const struct exporter *x, const struct options *o,
		       struct buffer *b, struct err *e)
{
	const struct model_source source = options_model(o);
	struct arena a = { 0 };
	const struct isa *isa;
	struct catalogue *c = NULL;
	const struct model *m = NULL;

	if (model_source_isa(&a, &source, &isa, e) == ERR_OK &&
	    catalogue_load(&a, isa, NULL, &c, e) == ERR_OK &&
	    load(x, o, &a, c, &m, e) == ERR_OK &&
	    write_loaded(x, o, &a, c, m, b, e) == ERR_OK && m->completed)
		(void)fprintf(stderr, "%s: %s\n", o->output, m->completed);
	catalogue_free(c);
	arena_free(&a);
	return e->code;
}

static int export_run(const struct options *o, struct err *e)
{
	const struct exporter *x = exporter_find(o->format);
	struct buffer b = { 0 };

	if (o->tables && !x->completes)
		return err_set(e, ERR_USAGE,
			       "--tables has no effect with --format %s, which "
			       "is not completed",
			       x->name);
	if (x->write && o->strict)
		return err_set(e, ERR_USAGE,
			       "--strict has no effect with --format %s, which "
			       "writes measured values",
			       x->name);
	if (o->also.n > 0 && !x->write_models)
		return err_set(e, ERR_USAGE,
			       "export: a file of %s holds one model; give it "
			       "without --also",
			       x->name);
	if ((x->write ? write_claims : write_model)(x, o, &b, e) == ERR_OK)
		(void)file_write(o->output, b.bytes, b.n, e);
	buffer_free(&b);
	return e->code;
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
	.options = OPTIONS(
		WORD("--db", db, "FILE", "database of measurements"),
		OPTION_MODEL, OPTION_MODEL_CPU, OPTION_ISA, OPTION_STRICT,
		WORD("--board", board, "NAME",
		     "the board of the model, if a database has "
		     "several",
		     .needs = "--db"),
		OPTION_CORE_OF,
		WORD("--tables", tables, "NAME|FILE",
		     "published tables for what the model lacks (--format "
		     "osaca, osaca-sets, llvm): a CPU of LLVM's, a model file, "
		     "or none",
		     .by_default = "LLVM's of the model's CPU"),
		WORD("--format", format, "NAME", "output format",
		     .required = true, .choice = export_choice_format),
		WORDS("--also", also, "MODEL",
		      "one more model in the same file (--format "
		      "uops): cpu:NAME, model:FILE or db:FILE"),
		OPTION_OUTPUT),
	.describe =
		"Writes the values of a database, or a machine model, to a "
		"file. A machine model is one of --db FILE (measured), "
		"--model FILE (any format of docs/imports.md) and --cpu NAME "
		"(LLVM's scheduling model). An empty value means that there is "
		"none; its verdict says why. docs/exports.md describes the "
		"formats.",
	.examples = "anechoic export --db x.db --format csv -o x.csv\n"
		    "anechoic export --cpu skylake --isa x86_64 --format model "
		    "-o skylake.json",
	.print_more = print_formats,
	.run = export_run,
};
