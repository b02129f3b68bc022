/* anechoic predict: cycles of a loop from its assembly, with the reasons. */
#include "host/predict/predict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/loop_input.h"
#include "host/cli/predict_batch.h"
#include "host/cli/predict_model.h"
#include "host/cli/side.h"
#include "host/cli/terminal.h"
#include "host/predict/print.h"

struct job {
	struct arena a;
	const struct options *o;
	struct predict_model model;
	struct completion **others; /* of --with */
	struct loop_input in;
};

/* ---- output ------------------------------------------------------------ */

static const char *line_or_address(struct job *j, const struct insn *x)
{
	return j->in.program.source
		       ? arena_printf(&j->a, "%u", (unsigned)x->line)
		       : arena_printf(&j->a, "%llx",
				      (unsigned long long)x->address);
}

static void list_loops(struct buffer *b, struct job *j)
{
	if (j->in.n_loops < 2)
		return;
	buffer_printf(b, "loops:\n");
	for (size_t i = 0; i < j->in.n_loops; i++) {
		const struct loop *l = &j->in.loops[i];
		const struct insn *x = j->in.program.insns;

		buffer_printf(b, "  %c %s%s-%s  %zu instructions  %s\n",
			      i == j->in.chosen ? '*' : ' ',
			      j->in.program.source ? "--lines " : "",
			      line_or_address(j, &x[l->first]),
			      line_or_address(j, &x[l->last]),
			      l->last - l->first + 1, l->label);
	}
	buffer_printf(b, "\n");
}

static const struct {
	const char *name;
	void (*print)(struct buffer *b, const struct prediction *p);
} formats[] = {
	{ "text", print_text },
	{ "json", print_json },
	{ "html", print_html },
	{ "dot", print_dot },
};

/* Some of their indices. */
enum { FORMAT_TEXT, FORMAT_JSON };

/* Index into formats; the option accepts no other names. */
static size_t find_format(const struct options *o)
{
	size_t i = 0;

	while (o->format && strcmp(formats[i].name, o->format) != 0)
		i++;
	return i;
}

static int write_out(const struct options *o, const struct buffer *b,
		     struct err *e)
{
	if (o->output)
		(void)file_write(o->output, b->bytes, b->n, e);
	else if (fwrite(b->bytes, 1, b->n, stdout) != b->n)
		(void)output_flush(e);
	return e->code;
}

static void print_loop(struct job *j, size_t format, const struct prediction *p,
		       struct buffer *b)
{
	if (j->o->annotate) {
		print_annotated(b, p);
		return;
	}
	formats[format].print(b, p);
}

/* ---- predictions --------------------------------------------------------- */

/* On the model, and on those of --with. */
static int predict_loop(struct job *j, const struct loop *loop,
			const struct predict_options *how,
			struct prediction *ret, struct err *e)
{
	size_t n = j->o->with.n;
	struct prediction *others =
		ARENA_ARRAY(&j->a, struct prediction, n + 1);
	struct loop_on on = { .program = &j->in.program, .loop = loop };

	for (size_t i = 0; i < n; i++) {
		on.completion = j->others[i];
		if (predict(&j->a, &on, how, &others[i], e) != ERR_OK)
			return e->code;
	}
	on.completion = j->model.m;
	if (predict(&j->a, &on, how, ret, e) != ERR_OK)
		return e->code;
	ret->n_others = n;
	ret->others = others;
	return ERR_OK;
}

static int predict_chosen(struct job *j, size_t format,
			  const struct predict_options *how, struct buffer *b,
			  struct err *e)
{
	struct prediction p;

	if (predict_loop(j, &j->in.loops[j->in.chosen], how, &p, e) != ERR_OK)
		return e->code;
	if (format == FORMAT_TEXT && !j->o->annotate)
		list_loops(b, j);
	print_loop(j, format, &p, b);
	return ERR_OK;
}

static int by_length(const void *a, const void *b)
{
	const struct loop *x = a, *y = b;
	size_t nx = x->last - x->first, ny = y->last - y->first;

	if (nx != ny)
		return nx > ny ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Every loop, the longest first, which the loop that is chosen otherwise is. */
static int predict_all(struct job *j, size_t format,
		       const struct predict_options *how, struct buffer *b,
		       struct err *e)
{
	bool json = format == FORMAT_JSON;

	if (j->o->annotate || (!json && format != FORMAT_TEXT))
		return err_set(e, ERR_USAGE,
			       "--all prints text or JSON; it excludes "
			       "--annotate and --format %s",
			       formats[format].name);
	qsort(j->in.loops, j->in.n_loops, sizeof(*j->in.loops), by_length);
	for (size_t i = 0; i < j->in.n_loops; i++) {
		struct prediction p;

		if (predict_loop(j, &j->in.loops[i], how, &p, e) != ERR_OK)
			return e->code;
		if (i > 0 || json)
			buffer_printf(b, "%s", !json ? "\n" : i ? "," : "[");
		print_loop(j, format, &p, b);
	}
	if (json)
		buffer_printf(b, "]\n");
	return ERR_OK;
}

static uint32_t timeline_of(const struct options *o)
{
	enum { USUAL = 4 };

	return o->iterations > 0 ? o->iterations : o->timeline ? USUAL : 0;
}

static int predict_run(const struct options *o, struct err *e)
{
	struct job j = { .o = o };
	struct predict_options how = {
		.equal_split = o->equal_split,
		.bounds_only = o->bounds,
		.any_alignment = o->align && *o->align == 'u',
		.timeline = timeline_of(o),
		.columns = o->output ? 0 : terminal_columns()
	};
	struct buffer b = { 0 };
	size_t format = find_format(o);

	if (predict_model_open(&j.a, o, &j.model, e) == ERR_OK && o->batch)
		(void)predict_batch(o, &j.model, &how, e);
	else if (e->code == ERR_OK &&
		 predict_model_others(&j.a, o, j.model.c, &j.others, e) ==
			 ERR_OK &&
		 loop_input_read(&j.a, o, j.model.c, o->form, &j.in, e) ==
			 ERR_OK &&
		 (o->all ? predict_all : predict_chosen)(&j, format, &how, &b,
							 e) == ERR_OK)
		(void)write_out(o, &b, e);
	buffer_free(&b);
	loop_input_close(&j.in);
	predict_model_close(&j.model);
	arena_free(&j.a);
	return e->code;
}

static const char *predict_choice_format(size_t i)
{
	return i < ARRAY_LEN(formats) ? formats[i].name : NULL;
}

static const char *choice_align(size_t i)
{
	static const char *const words[] = { "known", "unknown", NULL };

	return words[i];
}

const struct command command_predict = {
	.name = "predict",
	.summary = "cycles of a loop from its assembly, and the reasons",
	.options = OPTIONS(
		WORD("--db", db, "FILE", "model from a database"),
		OPTION_CORE_OF, OPTION_MODEL,
		WORD("--board", board, "NAME",
		     "the board of the model, if a database has several",
		     .needs = "--db"),
		OPTION_MODEL_CPU, OPTION_ISA, OPTION_STRICT,
		WORD("--syntax", syntax, "NAME", "syntax of x86 assembly",
		     .by_default = "as the file's directives or operands say",
		     .choice = loop_input_syntax, .not_with = "--batch"),
		WORD("--marker", marker, "NAME", "marks that enclose the loop",
		     .by_default = "auto", .choice = loop_input_marker,
		     .not_with = "--batch --lines --function"),
		WORD("--lines", lines, "A-B", "the loop is in these lines",
		     .not_with = "--batch"),
		WORD("--function", function, "NAME",
		     "look for the loop in this function",
		     .not_with = "--batch"),
		WORD("--align", align, "NAME",
		     "alignment of streams; unknown: the worst case is "
		     "predicted, too",
		     .by_default = "known", .choice = choice_align,
		     .not_with = "--batch --annotate --format=dot"),
		WORD("--tables", tables, "NAME|FILE",
		     "published tables for what the model lacks: a CPU of "
		     "LLVM's, a model file, or none",
		     .by_default = "LLVM's of the model's CPU"),
		WORDS("--with", with, "CORE",
		      "predict on this core, too; CORE is as for 'compare'",
		      .not_with = "--batch --annotate --format=dot"),
		FLAG("--all", all,
		     "predict every loop or marked region, the longest first",
		     .not_with = "--batch"),
		FLAG("--equal-split", equal_split,
		     "divide a uop equally among its ports, as OSACA does"),
		FLAG("--timeline", timeline,
		     "print when each instruction of the first iterations "
		     "executes, and what it waits for",
		     .not_with = "--batch --annotate --bounds --format=dot"),
		COUNT("--iterations", iterations, "N",
		      "print the timeline of so many iterations",
		      .by_default = "4 with --timeline",
		      .not_with = "--batch --annotate --bounds --format=dot"),
		WORD("--format", format, "NAME", "output format",
		     .by_default = "text", .choice = predict_choice_format,
		     .not_with = "--batch --annotate"),
		FLAG("--annotate", annotate,
		     "print the assembly with the numbers as comments",
		     .not_with = "--batch"),
		FLAG("--bounds", bounds, "do not simulate"),
		FLAG("--no-cache", no_cache,
		     "build the model instead of reading it from the cache "
		     "directory"),
		WORD("--batch", batch, "FILE|DIR",
		     "predict blocks of code in hexadecimal, one a line"),
		COUNT("--jobs", jobs, "N",
		      "processes that predict the blocks of --batch",
		      .by_default = "one for each CPU", .needs = "--batch"),
		WORD("-o", output, "FILE", "file to write",
		     .by_default = "standard output")),
	.operand = "FILE",
	.operand_not_with = "--batch",
	.describe =
		"FILE is assembly, an object file, or what objdump -d prints; "
		"'-' is standard input. The loop is "
		"the code between marks (comments OSACA-BEGIN/END or "
		"LLVM-MCA-BEGIN/END, or IACA's bytes), the given lines, or the "
		"longest innermost loop of a function or of the file. The "
		"model comes from a database of measurements (--db), a file "
		"(--model) or LLVM's tables (--cpu). What it lacks comes from "
		"published tables of its CPU, unless measurements contradict "
		"them. docs/predict.md explains each number.\n\n"
		"CORE of --with is one of\n\n" SIDE_SPELLINGS,
	.examples = "anechoic predict --cpu skylake --isa x86_64 loop.s\n"
		    "anechoic predict --db x.db --timeline loop.s\n"
		    "anechoic predict --db x.db --with cpu:znver5 --format "
		    "html -o loop.html loop.s",
	.run = predict_run,
};
