/* anechoic export: claims and machine models in other formats. */
#include "host/export/export.h"

#include <stdio.h>

#include "host/cli/cli.h"
#include "host/import/import.h"

static int unknown_format(const char *name, struct err *e)
{
	struct buffer list = { 0 };

	for (size_t i = 0; exporters[i]; i++)
		buffer_printf(&list, "%s%s", i > 0 ? ", " : "",
			      exporters[i]->name);
	(void)err_set(e, ERR_USAGE, "--format: one of %.*s, not '%s'",
		      (int)list.n, (const char *)list.bytes, name);
	buffer_free(&list);
	return e->code;
}

static int write_claims(const struct exporter *x, const struct options *o,
			struct buffer *b, struct err *e)
{
	struct store *s;

	if (!o->db || o->model || o->cpu)
		return err_set(e, ERR_USAGE,
			       "export: --db FILE alone with --format %s: it "
			       "is about measurements",
			       x->name);
	if (store_open(o->db, false, &s, e) != ERR_OK)
		return e->code;
	(void)x->write(s, b, e);
	store_close(s);
	return e->code;
}

static int write_model(const struct exporter *x, const struct options *o,
		       struct buffer *b, struct err *e)
{
	const struct model_source source = {
		.db = o->db,
		.board = o->board,
		.file = o->model,
		.cpu = o->cpu,
		.isa = o->isa,
	};
	struct arena a = { 0 };
	const struct isa *isa;
	struct catalogue *c = NULL;
	struct model *m;

	if (model_source_isa(&a, &source, &isa, e) == ERR_OK &&
	    catalogue_load(&a, isa, NULL, &c, e) == ERR_OK &&
	    model_load(&a, c, &source, &m, e) == ERR_OK)
		(void)x->write_model(m, c, b, e);
	catalogue_free(c);
	arena_free(&a);
	return e->code;
}

static int run(const struct options *o, struct err *e)
{
	const struct exporter *x = exporter_find(o->format);
	struct buffer b = { 0 };

	if (!x)
		return unknown_format(o->format, e);
	if ((x->write ? write_claims : write_model)(x, o, &b, e) == ERR_OK)
		(void)file_write(o->output, b.bytes, b.n, e);
	buffer_free(&b);
	return e->code;
}

/* Exporters with a function to write values, or those that write models. */
static void print_exporters(const char *title, bool values)
{
	printf("\n%s:\n", title);
	for (size_t i = 0; exporters[i]; i++)
		if ((exporters[i]->write != NULL) == values)
			printf("  %-10s %s\n", exporters[i]->name,
			       exporters[i]->describe);
}

static void print_formats(void)
{
	print_exporters("formats of values (--db)", true);
	print_exporters("formats of machine models (--db, --model or --cpu)",
			false);
}

const struct command command_export = {
	.name = "export",
	.summary = "write values or a machine model in other formats",
	.takes = "--db --model --cpu --isa --board --format -o",
	.needs = "--format -o",
	.describe = "Writes values of a database, or a machine model, to a "
		    "file. A machine model is\none of --db FILE (measured), "
		    "--model FILE (any format of docs/imports.md) and\n--cpu "
		    "NAME (LLVM's scheduling model of it). An empty value "
		    "means that there is\nnone; its verdict says why. "
		    "docs/exports.md has the formats.",
	.print_more = print_formats,
	.run = run,
};
