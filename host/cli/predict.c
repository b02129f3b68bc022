/* anechoic predict: cycles of a loop from its assembly, with the reasons. */
#include "host/cli/predict_command.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/base/monotonic.h"
#include "host/cli/models.h"
#include "host/cli/terminal.h"
#include "host/predict/calls.h"
#include "host/predict/print.h"

#define ARGS struct predict_args

enum { MAX_OTHERS = 15 };

struct job {
	struct arena *a;
	const struct predict_args *o;
	struct predict_model model;
	struct completion **others; /* of --with */
	struct loop_input in;
};

/* ---- output ------------------------------------------------------------ */

static const char *line_or_address(struct job *j, const struct insn *x)
{
	return j->in.program.source
		       ? arena_printf(j->a, "%u", (unsigned)x->line)
		       : arena_printf(j->a, "%llx",
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

/* In the order of the words of --format. */
enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const format_words[] = { "text", "json", "html", "dot",
					    NULL };
static void (*const print_format[])(struct buffer *b,
				    const struct prediction *p) = {
	print_text, print_json, print_html, print_dot
};

static void print_loop(struct job *j, size_t format, const struct prediction *p,
		       struct buffer *b)
{
	if (j->o->annotate) {
		print_annotated(b, p);
		return;
	}
	print_format[format](b, p);
}

/* ---- predictions --------------------------------------------------------- */

/* What is not predicted of the path, and where; NULL: nothing. */
static const char *note_of(struct job *j, const struct loop *l,
			   const struct calls_path *path)
{
	const struct program *p = &j->in.program;
	const struct insn *i;
	const char *what = "goes back inside a function: its loop is "
			   "predicted once";
	int64_t k = path->lost_at;

	if (k >= 0)
		what = p->insns[k].calls && p->insns[k].target < 0
			       ? "calls what is not in the code: it is left out"
			       : "leads to no return: the functions that the "
				 "loop calls are left out";
	else
		k = path->loops_at;
	if (k < 0) {
		k = executed_varying(p, l);
		what = "is a conditional jump inside the loop: predicted as "
		       "never taken";
	}
	if (k < 0)
		return NULL;
	i = &p->insns[k];
	return arena_printf(
		j->a, "%s %s: '%s' %s", p->source ? "line" : "address",
		line_or_address(j, i), i->text ? i->text : "", what);
}

/* The program of a loop and of the functions that it calls, which becomes *l. */
static const struct program *with_calls(struct job *j, struct loop *l,
					const char **ret_note)
{
	const struct program *p = &j->in.program;
	const struct calls_path path = calls_path(j->a, p, l);
	struct program *ret = ARENA_NEW(j->a, struct program);
	struct loop called;

	*ret_note = note_of(j, l, &path);
	if (*ret_note)
		(void)fprintf(stderr, "%s: %s\n", j->o->file, *ret_note);
	if (path.executed.n == 0)
		return p;
	executed_program(j->a, p, &path.executed, ret, &called);
	ret->source = p->source;
	called.label = l->label;
	called.function = l->function;
	called.straight = l->straight;
	called.closed = l->closed;
	called.n_taken -= !l->closed;
	*l = called;
	return ret;
}

/* Without --mode a region is a loop; with `auto` it is one if it ends with a jump to its
 * start. */
static bool is_straight(const struct predict_args *o, const struct loop *l)
{
	unsigned mode = option_chosen(o->mode);

	return mode == PREDICT_UNROLL ||
	       (o->mode > 0 && mode == PREDICT_AUTO && !l->closed);
}

/* On the model, and on those of --with. */
static int predict_loop(struct job *j, const struct loop *loop,
			const struct predict_options *how,
			struct prediction *ret, struct err *e)
{
	size_t n = j->o->with.n;
	struct prediction *others = ARENA_ARRAY(j->a, struct prediction, n + 1);
	struct loop *l = arena_copy(j->a, loop, sizeof(*l));
	struct loop_on on = { .loop = l };
	const char *note;

	l->straight = is_straight(j->o, l);
	l->closed = l->closed && !l->straight;
	on.program = with_calls(j, l, &note);
	for (size_t i = 0; i < n; i++) {
		on.completion = j->others[i];
		if (predict(j->a, &on, how, &others[i], e) != ERR_OK)
			return e->code;
	}
	on.completion = j->model.m;
	if (predict(j->a, &on, how, ret, e) != ERR_OK)
		return e->code;
	ret->note = note;
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
			       format_words[format]);
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

/* ---- models -------------------------------------------------------------- */

static int open_model(struct job *j, struct err *e)
{
	struct predict_model *m = &j->model;
	double start = monotonic_s();

	(void)model_open(j->a, &j->o->source, !j->o->no_cache, &m->c, &m->m, e);
	m->seconds = monotonic_s() - start;
	if (e->code == ERR_OK)
		models_report_entries(completed_model(m->m), false);
	return e->code;
}

static int open_other(struct job *j, const char *word, struct completion **ret,
		      struct err *e)
{
	struct model_source source;
	struct side s;

	if (side_parse(word, &s, e) != ERR_OK)
		return e->code;
	if (!s.db && !s.model)
		return err_set(e, ERR_INPUT,
			       "--with %s: values alone, without a model",
			       word);
	source = side_source(&s, j->model.c->isa->name, j->o->source.strict);
	if (model_open_with(j->a, j->model.c, &source, !j->o->no_cache, ret,
			    e) == ERR_OK)
		models_report_entries(completed_model(*ret), false);
	return e->code;
}

/* The models of --with, of the instruction set of the first. */
static int open_others(struct job *j, struct err *e)
{
	const struct option_words *with = &j->o->with;

	if (with->n > MAX_OTHERS)
		return err_set(e, ERR_USAGE, "--with: more than %d cores",
			       MAX_OTHERS);
	j->others = ARENA_ARRAY(j->a, struct completion *, with->n + 1);
	for (size_t i = 0; i < with->n; i++)
		if (open_other(j, with->words[i], &j->others[i], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

/* ---- the command --------------------------------------------------------- */

static uint32_t timeline_of(const struct predict_args *o)
{
	enum { USUAL = 4 };

	return o->iterations > 0 ? o->iterations : o->timeline ? USUAL : 0;
}

int predict_run(struct predict_args *o, struct command_resources *r,
		struct err *e)
{
	struct job j = { .o = o, .a = &r->a };
	struct predict_options how = {
		.equal_split = o->equal_split,
		.bounds_only = o->bounds,
		.any_alignment = option_chosen(o->align),
		.timeline = timeline_of(o),
		.columns = o->output ? 0 : terminal_columns()
	};
	size_t format = option_chosen(o->format);

	(void)open_model(&j, e);
	r->c = j.model.c;
	if (e->code == ERR_OK && o->batch)
		(void)predict_batch(o, &j.model, &how, e);
	else if (e->code == ERR_OK && open_others(&j, e) == ERR_OK &&
		 loop_input_read(&r->a, &o->loop, r->c, o->file, &j.in, e) ==
			 ERR_OK &&
		 (o->all ? predict_all : predict_chosen)(&j, format, &how,
							 &r->out, e) == ERR_OK)
		(void)output_write(o->output, &r->out, e);
	loop_input_close(&j.in);
	return e->code;
}

static int run_predict(void *args, struct command_resources *r, struct err *e)
{
	return predict_run(args, r, e);
}

const struct command command_predict = {
	.name = "predict",
	.summary = "cycles of a loop from its assembly, and the reasons",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		WORD("--db", source.db, "FILE", "model from a database"),
		OPTION_CORE_OF(source.core_of), OPTION_MODEL(source.file),
		WORD("--board", source.board, "NAME",
		     "the board of the model, if a database has several",
		     .needs = "--db"),
		OPTION_MODEL_CPU(source.cpu), OPTION_ISA(source.isa),
		OPTION_STRICT(source.strict),
		CHOICE("--syntax", loop.syntax, "NAME",
		       "syntax of x86 assembly",
		       .by_default = "as the file's directives or operands say",
		       .words = loop_syntaxes, .not_with = "--batch"),
		CHOICE("--marker", loop.marker, "NAME",
		       "marks that enclose the loop", .by_default = "auto",
		       .words = loop_markers,
		       .not_with = "--batch --lines --function"),
		WORD("--lines", loop.lines, "A-B", "the loop is in these lines",
		     .not_with = "--batch"),
		WORD("--function", loop.function, "NAME",
		     "look for the loop in this function",
		     .not_with = "--batch"),
		CHOICE("--align", align, "NAME",
		       "alignment of streams; unknown: the worst case is "
		       "predicted, too",
		       .by_default = "known",
		       .words = WORD_LIST("known", "unknown"),
		       .not_with = "--batch --annotate --format=dot"),
		CHOICE("--mode", mode, "NAME",
		       "loop: the code repeats; unroll: copies of it stand one "
		       "behind the other, and are decoded each time; auto: "
		       "unroll unless it ends with a jump to its start",
		       .by_default = "loop; of --batch auto",
		       .words = WORD_LIST("auto", "loop", "unroll")),
		WORD("--tables", source.tables, "NAME|FILE",
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
		CHOICE("--format", format, "NAME", "output format",
		       .by_default = "text", .words = format_words,
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
		WORDS("--against", against, "NAME=FILE",
		      "cycles of another predictor for the blocks of --batch, "
		      "lines HEX,...,CYCLES; adds its scores",
		      .needs = "--batch"),
		COUNT("--jobs", jobs, "N",
		      "processes that predict the blocks of --batch",
		      .by_default = "one for each CPU", .needs = "--batch"),
		WORD("-o", output, "FILE", "file to write",
		     .by_default = "standard output")),
	.operand = "FILE",
	.operand_field = offsetof(ARGS, file),
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
	.run = run_predict,
};
