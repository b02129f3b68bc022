/* anechoic predict: cycles of a loop from its assembly, with the reasons. */
#include "host/predict/predict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/predict_model.h"
#include "host/isa/mc_parse.h"
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

static int choose(struct job *j, struct err *e)
{
	static const char *const markers[] = { "auto", "osaca", "llvm-mca",
					       "none" };
	const struct options *o = j->o;
	unsigned from = 0, to = 0;
	int used = 0;

	for (size_t i = 0; o->marker && i <= ARRAY_LEN(markers); i++) {
		if (i == ARRAY_LEN(markers))
			return err_set(e, ERR_USAGE,
				       "--marker: auto, osaca, llvm-mca or "
				       "none, not '%s'",
				       o->marker);
		if (strcmp(o->marker, markers[i]) != 0)
			continue;
		j->choice.marker = (enum loop_marker)i;
		break;
	}
	if (o->lines &&
	    (sscanf(o->lines, "%7u-%7u%n", &from, &to, &used) != 2 ||
	     o->lines[used] != '\0' || from == 0 || from > to))
		return err_set(e, ERR_USAGE,
			       "--lines: FIRST-LAST, e.g. 10-20, not '%s'",
			       o->lines);
	j->choice.from_line = from;
	j->choice.to_line = to;
	j->choice.function = o->function;
	if (o->syntax && strcmp(o->syntax, "att") != 0 &&
	    strcmp(o->syntax, "intel") != 0)
		return err_set(e, ERR_USAGE, "--syntax: att or intel, not '%s'",
			       o->syntax);
	return ERR_OK;
}

/* ---- input ------------------------------------------------------------- */

static int read_text(struct job *j, const unsigned char *bytes, size_t n,
		     struct err *e)
{
	const struct catalogue *c = j->model.c;
	const struct isa *isa = c->isa;
	bool intel = j->o->syntax && strcmp(j->o->syntax, "intel") == 0;

	if (mc_parser_open(isa->triple, isa->default_cpu, isa->features,
			   &j->parser, e) != ERR_OK ||
	    source_read(&j->a, j->o->form, (const char *)bytes, n, isa->loop,
			&j->source, e) != ERR_OK)
		return e->code;
	return program_from_text(&j->a, c, j->parser, &j->source, intel,
				 &j->program, e);
}

static int read_input(struct job *j, struct err *e)
{
	unsigned char *bytes;
	size_t n;

	if (file_read(&j->a, j->o->form, MAX_FILE, &bytes, &n, e) != ERR_OK)
		return e->code;
	if (read_text(j, bytes, n, e) != ERR_OK)
		return e->code;
	return loops_find(&j->a, &j->program, &j->choice, &j->loops,
			  &j->n_loops, &j->chosen, e);
}

/* ---- output ------------------------------------------------------------ */

static void list_loops(struct buffer *b, const struct job *j)
{
	if (j->n_loops < 2)
		return;
	buffer_printf(b, "loops:\n");
	for (size_t i = 0; i < j->n_loops; i++) {
		const struct loop *l = &j->loops[i];
		const struct insn *x = j->program.insns;

		buffer_printf(b, "  %c --lines %u-%u  %zu instructions  %s\n",
			      i == j->chosen ? '*' : ' ',
			      (unsigned)x[l->first].line,
			      (unsigned)x[l->last].line, l->last - l->first + 1,
			      l->label);
	}
	buffer_printf(b, "\n");
}

static int show(struct job *j, const struct prediction *p, struct err *e)
{
	struct buffer b = { 0 };

	(void)e;
	list_loops(&b, j);
	print_text(&b, p);
	if (j->o->timeline)
		print_timeline(&b, p);
	(void)fwrite(b.bytes, 1, b.n, stdout);
	buffer_free(&b);
	return ERR_OK;
}

static int run(const struct options *o, struct err *e)
{
	struct job j = { .o = o };
	struct predict_options how = { .equal_split = o->equal_split };
	struct prediction p;

	if (choose(&j, e) == ERR_OK &&
	    predict_model_open(&j.a, o, &j.model, e) == ERR_OK &&
	    read_input(&j, e) == ERR_OK &&
	    predict(&j.a, &j.program, &j.loops[j.chosen], j.model.m, &how, &p,
		    e) == ERR_OK)
		(void)show(&j, &p, e);
	mc_parser_close(j.parser);
	predict_model_close(&j.model);
	arena_free(&j.a);
	return e->code;
}

const struct command command_predict = {
	.name = "predict",
	.summary = "cycles of a loop from its assembly, and the reasons",
	.takes = "--db --model --board --cpu --isa --syntax --marker --lines "
		 "--function --equal-split --timeline",
	.needs = "",
	.operand = "FILE.s",
	.describe =
		"The loop is what marks enclose (comments OSACA-BEGIN/END or "
		"LLVM-MCA-BEGIN/END,\nor IACA's bytes), lines, or the longest "
		"of the innermost loops, of a function\nor of all. The model "
		"comes from a database of measurements (--db), a\nfile "
		"(--model) or LLVM's tables (--cpu). docs/predict.md explains "
		"each number.",
	.run = run,
};
