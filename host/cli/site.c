/* anechoic site: a static web site of databases and models. */
#include "host/site/site.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/base/print.h"
#include "host/base/version.h"
#include "host/cli/cli.h"

struct site_args {
	const char *output, *title, *isa;
	struct option_words inputs, loops;
};
#define ARGS struct site_args

static int site_run(void *args, struct command_resources *r, struct err *e)
{
	const struct site_args *o = args;
	const struct site_request q = {
		.output = o->output,
		.title = o->title,
		.version = anechoic_version,
		.isa = o->isa,
		.n_inputs = o->inputs.n,
		.inputs = o->inputs.words,
		.n_loops = o->loops.n,
		.loops = o->loops.words,
		.stop = interrupt_flag(),
	};
	struct site_summary done;

	(void)r;
	if (site_make(&q, &done, e) == ERR_OK)
		printf("%s: %zu forms on %zu core%s, %zu files, %" PRIu64
		       " MB\n",
		       o->output, done.n_forms, done.n_cores,
		       PLURAL(done.n_cores), done.n_files,
		       done.n_bytes / 1000 / 1000);
	return e->code;
}

const struct command command_site = {
	.name = "site",
	.summary = "a web site of databases and models, as a folder",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(WORD("-o", output, "DIR",
				"folder to write: a new one, or a site "
				"written earlier",
				.required = true),
			   WORD("--title", title, "TEXT", "title of the site",
				.by_default = "Instruction costs"),
			   WORDS("--loops", loops, "CSV",
				 "measured and predicted cycles of loops "
				 "(docs/site.md)"),
			   OPTION_ISA(isa)),
	.operand = "FILE",
	.operand_list = true,
	.operand_field = offsetof(ARGS, inputs),
	.describe =
		"Each FILE is a database of measurements or a machine model "
		"(docs/imports.md). The folder has a table of all forms, a "
		"page for each form and each core, and pages that compare "
		"cores. It works from disk and from any web server, without "
		"a network. --isa is for model files that do not name their "
		"instruction set. docs/site.md describes the pages.",
	.examples = "anechoic site -o site x.db\n"
		    "anechoic site -o site --title 'Two cores' a.db b.json\n"
		    "anechoic site -o site --loops loops.csv x.db",
	.run = site_run,
};
