/* anechoic predict: cycles of a loop from its assembly, with the reasons. */
#include "host/predict/predict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/predict_batch.h"
#include "host/cli/predict_model.h"
#include "host/isa/mc_parse.h"
#include "host/predict/disassembly.h"
#include "host/predict/object.h"
#include "host/predict/print.h"

enum { MAX_FILE = 1 << 28 };

struct job {
	struct arena a;
	const struct options *o;
	struct predict_model model;
	struct mc_parser *parser;
	struct source source;
	struct program program;
	struct loop_choice choice;
	struct loop *loops;
	size_t n_loops, chosen;
};

/* ---- options ----------------------------------------------------------- */

/* In the order of enum loop_marker. */
static const char *choice_marker(size_t i)
{
	static const char *const words[] = { "auto", "osaca", "llvm-mca",
					     "none", NULL };

	return words[i];
}

static const char *choice_syntax(size_t i)
{
	static const char *const words[] = { "att", "intel", NULL };

	return words[i];
}

static int choose(struct job *j, struct err *e)
{
	const struct options *o = j->o;
	unsigned from = 0, to = 0;
	int used = 0;

	for (size_t i = 0; o->marker && choice_marker(i); i++)
		if (strcmp(o->marker, choice_marker(i)) == 0)
			j->choice.marker = (enum loop_marker)i;
	if (o->lines &&
	    (sscanf(o->lines, "%7u-%7u%n", &from, &to, &used) != 2 ||
	     o->lines[used] != '\0' || from == 0 || from > to))
		return err_set(e, ERR_USAGE,
			       "--lines must be two line numbers such as "
			       "10-20, not '%s'",
			       o->lines);
	j->choice.from_line = from;
	j->choice.to_line = to;
	j->choice.function = o->function;
	return ERR_OK;
}

/* ---- input ------------------------------------------------------------- */

static int read_text(struct job *j, const unsigned char *bytes, size_t n,
		     struct err *e)
{
	const struct catalogue *c = j->model.c;
	const struct isa *isa = c->isa;
	enum source_dialect dialect = !j->o->syntax ? DIALECT_AUTO
				      : strcmp(j->o->syntax, "att") == 0
					      ? DIALECT_ATT
					      : DIALECT_INTEL;

	if (mc_parser_open(isa->triple, isa->default_cpu, isa->features,
			   &j->parser, e) != ERR_OK ||
	    source_read(&j->a, j->o->form, (const char *)bytes, n, isa->loop,
			&j->source, e) != ERR_OK)
		return e->code;
	return program_from_text(&j->a, c, j->parser, &j->source, dialect,
				 &j->program, e);
}

static int read_input(struct job *j, struct err *e)
{
	unsigned char *bytes;
	size_t n;

	if (file_read(&j->a, j->o->form, MAX_FILE, &bytes, &n, e) != ERR_OK)
		return e->code;
	if (object_is(bytes, n))
		(void)program_from_object(&j->a, j->model.c, j->o->form, bytes,
					  n, &j->program, e);
	else if (disassembly_is((const char *)bytes, n))
		(void)program_from_disassembly(&j->a, j->model.c, j->o->form,
					       (const char *)bytes, n,
					       &j->program, e);
	else
		(void)read_text(j, bytes, n, e);
	if (e->code != ERR_OK)
		return e->code;
	return loops_find(&j->a, &j->program, &j->choice, &j->loops,
			  &j->n_loops, &j->chosen, e);
}

/* ---- output ------------------------------------------------------------ */

static const char *line_or_address(struct job *j, const struct insn *x)
{
	return j->program.source ? arena_printf(&j->a, "%u", (unsigned)x->line)
				 : arena_printf(&j->a, "%llx",
						(unsigned long long)x->address);
}

static void list_loops(struct buffer *b, struct job *j)
{
	if (j->n_loops < 2)
		return;
	buffer_printf(b, "loops:\n");
	for (size_t i = 0; i < j->n_loops; i++) {
		const struct loop *l = &j->loops[i];
		const struct insn *x = j->program.insns;

		buffer_printf(b, "  %c %s%s-%s  %zu instructions  %s\n",
			      i == j->chosen ? '*' : ' ',
			      j->program.source ? "--lines " : "",
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

/* Index into formats; the option accepts no other names. */
static size_t find_format(const struct options *o)
{
	size_t i = 0;

	while (o->format && strcmp(formats[i].name, o->format) != 0)
		i++;
	return i;
}

static int show(struct job *j, size_t format, const struct prediction *p,
		struct err *e)
{
	struct buffer b = { 0 };

	if (j->o->annotate) {
		print_annotated(&b, p);
	} else {
		if (format == 0)
			list_loops(&b, j);
		formats[format].print(&b, p);
		if (format == 0 && j->o->timeline)
			print_timeline(&b, p);
	}
	if (j->o->output)
		(void)file_write(j->o->output, b.bytes, b.n, e);
	else if (fwrite(b.bytes, 1, b.n, stdout) != b.n)
		(void)output_flush(e);
	buffer_free(&b);
	return e->code;
}

static int run(const struct options *o, struct err *e)
{
	struct job j = { .o = o };
	struct predict_options how = { .equal_split = o->equal_split,
				       .bounds_only = o->bounds,
				       .any_alignment =
					       o->align && *o->align == 'u' };
	struct prediction p;
	size_t format = find_format(o);

	if (choose(&j, e) == ERR_OK &&
	    predict_model_open(&j.a, o, &j.model, e) == ERR_OK && o->batch)
		(void)predict_batch(o, &j.model, &how, e);
	else if (e->code == ERR_OK && read_input(&j, e) == ERR_OK &&
		 predict(&j.a, &j.program, &j.loops[j.chosen], j.model.m, &how,
			 &p, e) == ERR_OK)
		(void)show(&j, format, &p, e);
	mc_parser_close(j.parser);
	predict_model_close(&j.model);
	arena_free(&j.a);
	return e->code;
}

static const char *choice_format(size_t i)
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
		WORD("--db", db, "FILE", "model from a database"), OPTION_MODEL,
		WORD("--board", board, "NAME",
		     "the board of the model, if a database has several"),
		OPTION_MODEL_CPU, OPTION_ISA,
		WORD("--syntax", syntax, "NAME", "syntax of x86 assembly",
		     .by_default = "as the file's directives or operands say",
		     .choice = choice_syntax),
		WORD("--marker", marker, "NAME", "marks that enclose the loop",
		     .by_default = "auto", .choice = choice_marker),
		WORD("--lines", lines, "A-B", "the loop is in these lines"),
		WORD("--function", function, "NAME",
		     "look for the loop in this function"),
		WORD("--align", align, "NAME",
		     "alignment of streams; unknown: the worst case is "
		     "predicted, too",
		     .by_default = "known", .choice = choice_align),
		WORD("--tables", tables, "NAME|FILE",
		     "published tables for what the model lacks: a CPU of "
		     "LLVM's, a model file, or none",
		     .by_default = "LLVM's of the model's CPU"),
		FLAG("--equal-split", equal_split,
		     "divide a uop equally among its ports, as OSACA does"),
		FLAG("--timeline", timeline,
		     "print when each instruction of the first iterations "
		     "executes"),
		WORD("--format", format, "NAME", "output format",
		     .by_default = "text", .choice = choice_format),
		FLAG("--annotate", annotate,
		     "print the assembly with the numbers as comments"),
		FLAG("--bounds", bounds, "do not simulate"),
		WORD("--batch", batch, "FILE|DIR",
		     "predict blocks of code in hexadecimal, one a line"),
		WORD("-o", output, "FILE", "file to write",
		     .by_default = "standard output")),
	.operand = "FILE",
	.describe =
		"FILE is assembly, an object file, or what objdump -d prints; "
		"'-' is standard input. The loop is "
		"the code between marks (comments OSACA-BEGIN/END or "
		"LLVM-MCA-BEGIN/END, or IACA's bytes), the given lines, or the "
		"longest innermost loop of a function or of the file. The "
		"model comes from a database of measurements (--db), a file "
		"(--model) or LLVM's tables (--cpu). What it lacks comes from "
		"published tables of its CPU, unless measurements contradict "
		"them. docs/predict.md explains each number.",
	.examples = "anechoic predict --cpu skylake --isa x86_64 loop.s\n"
		    "anechoic predict --db x.db --timeline loop.s",
	.run = run,
};
