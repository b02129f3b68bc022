/* anechoic time: the cycles of a person's own code, and their prediction. */
#include "host/cli/time_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/folder.h"
#include "host/cli/models.h"
#include "host/cli/progress.h"
#include "host/fake/core.h"
#include "host/isa/isa.h"

#define ARGS struct time_args

static const char *const format_words[] = { "text", "json", NULL };
/* In the order of enum snippet_mode. */
static const char *const mode_words[] = { "auto", "loop", "unroll", NULL };

/* ---- code ------------------------------------------------------------------- */

/* Many pieces of code: a table of results. */
static bool is_corpus(const struct time_args *o)
{
	return o->hex || time_is_folder(o->file);
}

static int check_corpus(const struct time_args *o, struct err *e)
{
	if (is_corpus(o) && (o->explain || o->trips_in || o->events ||
			     option_chosen(o->format) != 0))
		return err_set(e, ERR_USAGE,
			       "--explain, --iterations-in, --events and "
			       "--format are of one piece of code: not with a "
			       "folder");
	if (!is_corpus(o) && (o->r.q.resume || o->shard || o->loops ||
			      o->against.n + o->peers.n > 0))
		return err_set(
			e, ERR_USAGE,
			"--resume, --shard, --against, --peer and --loops "
			"need a folder, or --hex FILE");
	return ERR_OK;
}

static int read_code(struct timing_job *j, struct err *e)
{
	const struct time_args *o = j->o;
	const struct code text = { .name = "--asm",
				   .bytes = o->assembly,
				   .n = o->assembly ? strlen(o->assembly) : 0 };

	if (!o->file + !o->assembly + !o->hex != 2)
		return err_set(e, ERR_USAGE,
			       "time: name a file with code or a folder of "
			       "such files, or give code with "
			       "--asm 'INSTRUCTION; ...', or blocks with --hex "
			       "FILE");
	if (is_corpus(o))
		return ERR_OK;
	if (o->assembly)
		return loop_input_parse(j->a, &o->loop, j->c.catalogue, &text,
					&j->in, e);
	return loop_input_read(j->a, &o->loop, j->c.catalogue, o->file, &j->in,
			       e);
}

/* Code that is no text needs a parser for its frame. */
static int open_parser(const struct campaign *c, struct loop_input *in,
		       struct err *e)
{
	const struct isa *isa = c->isa;

	return in->parser ? ERR_OK
			  : mc_parser_open(isa->triple, isa->default_cpu,
					   isa->features, &in->parser, e);
}

/* ---- measuring -------------------------------------------------------------- */

static const struct loop *chosen_loop(const struct timing_job *j)
{
	return &j->in.loops[j->in.chosen];
}

static int find_path(struct timing_job *j, struct err *e)
{
	struct code_watched x = { .request = &j->request,
				  .snippet = &j->snippet };

	if (code_paths(&j->c, j->in.parser, &x, 1, e) == ERR_OK)
		j->path = x.path;
	return e->code;
}

static int measure_snippet(struct timing_job *j, struct err *e)
{
	struct progress p;
	struct code_run run = {
		.campaign = &j->c, .store = j->s, .list = &j->snippet, .n = 1
	};

	if (snippet_plan(j->a, &j->request, &j->snippet, e) != ERR_OK ||
	    find_path(j, e) != ERR_OK)
		return e->code;
	if (time_take_path(&j->result, &j->path))
		return code_store_varying(&run, j->in.parser,
					  j->result.claim.detail, e);
	if (code_pack(&j->c, j->in.parser, &j->snippet, 1, e) != ERR_OK)
		return e->code;
	progress_start(&p, stderr, "time", "visits");
	p.estimated = true;
	run.report = progress_of_session;
	run.context = &p;
	(void)code_measure(&run, &j->result, e);
	progress_end(&p);
	return e->code;
}

static int measure_code(struct timing_job *j, struct err *e)
{
	do {
		if (measure_snippet(j, e) != ERR_OK)
			return e->code;
	} while (time_revise(&j->request, &j->snippet, &j->result));
	return ERR_OK;
}

int time_pack_file(struct campaign *c, const char *file, struct err *e)
{
	const struct loop_args usual = { .lines = NULL };
	struct loop_input in = { .parser = NULL };
	struct snippet_request q = {
		.name = file, .trips_in = -1, .counter = -1, .offset = -1
	};
	struct snippet s;

	q.core_clock = c->board->clock == CLOCK_CORE;
	if (loop_input_read(&c->arena, &usual, c->catalogue, file, &in, e) ==
		    ERR_OK &&
	    open_parser(c, &in, e) == ERR_OK) {
		q.program = &in.program;
		q.loop = &in.loops[in.chosen];
		q.parser = in.parser;
		if (snippet_plan(&c->arena, &q, &s, e) == ERR_OK)
			(void)code_pack(c, in.parser, &s, 1, e);
	}
	loop_input_close(&in);
	return e->code;
}

/* ---- the prediction --------------------------------------------------------- */

static int open_model(struct timing_job *j, const struct model_source *from,
		      const char *name, struct err *e)
{
	if (model_open_with(j->a, j->c.catalogue, from, true, &j->model, e) ==
	    ERR_OK)
		j->model_name = name;
	return e->code;
}

/* The same of a model that was not named: without it there is no prediction. */
static bool try_model(struct timing_job *j, const struct model_source *from,
		      const char *name)
{
	struct err why = { .code = ERR_OK, .message = "" };

	if (open_model(j, from, name, &why) == ERR_OK)
		return true;
	j->no_prediction = arena_strdup(j->a, why.message);
	return false;
}

static bool try_tables(struct timing_job *j, const char *cpu)
{
	const struct model_source from = { .cpu = cpu, .isa = j->c.isa->name };

	return *cpu != '\0' &&
	       try_model(j, &from,
			 arena_printf(j->a, "LLVM's tables of %s", cpu));
}

/* The CPU of LLVM's that an invented core says that it is like; "": none. */
static const char *cpu_of_core(struct timing_job *j)
{
	struct err why = { .code = ERR_OK, .message = "" };
	struct core core;
	const char *cpu;

	if (!j->o->r.q.core ||
	    core_read(j->a, j->o->r.q.core, &core, &why) != ERR_OK)
		return "";
	cpu = core.cpu ? core.cpu : "";
	core_free(&core);
	return cpu;
}

/* The model that was named, else values of the database, else LLVM's tables of
 * the board's CPU, or of a usual one. */
static int find_model(struct timing_job *j, bool old_db, struct err *e)
{
	const struct time_args *o = j->o;
	struct model_source from = { .isa = j->c.isa->name };

	if (o->model || o->cpu) {
		from.file = o->model;
		from.cpu = o->model ? NULL : o->cpu;
		return open_model(j, &from,
				  o->model ? o->model
					   : arena_printf(j->a,
							  "LLVM's tables of %s",
							  o->cpu),
				  e);
	}
	from.db = o->r.q.db;
	if (old_db && try_model(j, &from, o->r.q.db))
		return ERR_OK;
	if (old_db)
		(void)fprintf(stderr,
			      "not predicted by the database, but by LLVM's "
			      "tables: %s\n",
			      j->no_prediction);
	if (!try_tables(j, cpu_of_core(j)) && !try_tables(j, j->c.board->cpu) &&
	    !(campaign_is_here(&j->c) && try_tables(j, "native")))
		(void)try_tables(j, j->c.isa->usual_cpu);
	return ERR_OK;
}

static void predict_code(struct timing_job *j)
{
	struct err why = { .code = ERR_OK, .message = "" };
	struct time_predicted *x = ARENA_NEW(j->a, struct time_predicted);
	struct predict_options how = { .columns = 0 };
	const struct loop_on on = { .program = &x->program,
				    .loop = &x->loop,
				    .completion = j->model };

	*x = time_predicted(j->a,
			    &(struct time_code){ &j->in.program, chosen_loop(j),
						 &j->snippet, &j->path });
	if (x->unknown) {
		j->model = NULL;
		j->no_prediction = x->unknown;
	}
	if (!j->model)
		return;
	if (predict(j->a, &on, &how, &j->prediction, &why) == ERR_OK) {
		j->predicted = j->prediction.cycles / (double)x->n_iterations;
		return;
	}
	j->model = NULL;
	j->no_prediction = arena_strdup(j->a, why.message);
}

/* ---- the command ---------------------------------------------------------- */

static int run_job(struct timing_job *j, struct buffer *out, struct err *e)
{
	static void (*const print[])(const struct timing_job *,
				     struct buffer *) = { time_print_text,
							  time_print_json };
	const struct time_args *o = j->o;
	bool old_db = j->kept && access(o->r.q.db, F_OK) == 0;

	if (campaign_start(&o->r.q, &j->c, e) != ERR_OK ||
	    time_options(j, e) != ERR_OK || time_read_events(j, e) != ERR_OK ||
	    check_corpus(o, e) != ERR_OK || read_code(j, e) != ERR_OK ||
	    time_annotations(j->a, &j->in, &j->request, e) != ERR_OK)
		return e->code;
	if (!is_corpus(o)) {
		j->request.program = &j->in.program;
		j->request.loop = chosen_loop(j);
		j->request.name = o->file ? o->file : "asm";
	}
	if (open_parser(&j->c, &j->in, e) != ERR_OK)
		return e->code;
	j->request.parser = j->in.parser;
	if (find_model(j, old_db, e) != ERR_OK ||
	    store_open(j->db, true, &j->s, e) != ERR_OK)
		return e->code;
	if (is_corpus(o)) {
		(void)time_corpus(j, out, e);
	} else if (measure_code(j, e) == ERR_OK) {
		struct err late = { .code = ERR_OK, .message = "" };

		/* The measurement is printed even if nothing can be counted. */
		(void)time_count_events(j, &late);
		predict_code(j);
		print[option_chosen(o->format)](j, out);
		if (time_write_html(j, NULL, e) == ERR_OK && o->explain)
			(void)time_explain(j, out, e);
		if (e->code == ERR_OK)
			*e = late;
	}
	store_close(j->s);
	return e->code;
}

static int run_time(void *args, struct command_resources *r, struct err *e)
{
	struct time_args *o = args;
	struct timing_job j = { .a = &r->a, .o = o };
	const char *folder = NULL;

	if (!o->r.q.board)
		o->r.q.board = "linux-process";
	j.kept = o->r.q.db != NULL;
	if (request_own_db(&o->r, &r->a, &folder, e) == ERR_OK &&
	    request_fill(&o->r, &r->a, e) == ERR_OK) {
		j.db = o->r.q.db;
		o->r.q.stop = interrupt_flag();
		/* What was measured before something failed is not lost. */
		if (run_job(&j, &r->out, e) == ERR_OK || r->out.n > 0) {
			struct err own = { .code = ERR_OK, .message = "" };

			(void)output_write(o->output, &r->out,
					   e->code == ERR_OK ? e : &own);
		}
		loop_input_close(&j.in);
		loop_input_close(&j.init);
		campaign_close(&j.c);
	}
	folder_close(folder);
	return e->code;
}

const struct command command_time = {
	.name = "time",
	.summary = "cycles of your own code, measured, and their prediction",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		WORD("--board", r.q.board, "NAME", "board to measure",
		     .by_default = "linux-process", .see = "anechoic boards"),
		OPTION_ISA(r.q.isa),
		WORD("--asm", assembly, "CODE",
		     "the code itself, instructions separated by ';'"),
		WORD("--hex", hex, "FILE",
		     "blocks as lines HEX[,NAME][,CYCLES], each repeated "
		     "without a branch; prints a table and scores",
		     .not_with = "--asm"),
		CHOICE("--mode", mode, "NAME",
		       "loop: the code is a loop that ends in its own branch; "
		       "unroll: it is repeated without a branch",
		       .by_default = "auto", .words = mode_words,
		       .not_with = "--hex"),
		WORD("--iterations-in", trips_in, "REG",
		     "the register that decides the number of iterations: a "
		     "counter that ends at 0",
		     .not_with = "--hex --mode=unroll"),
		WORDS("--set", set, "REG=N",
		      "value of a general register before each repetition"),
		WORD("--init", init, "FILE",
		     "code that runs before each run of the repetitions: what "
		     "it leaves in registers are their first values",
		     .not_with = "--asm-init"),
		WORD("--asm-init", init_assembly, "CODE",
		     "the same, instructions separated by ';'"),
		WORD("--memory", memory, "SIZE",
		     "bytes that addresses point into, such as 64K or 4M; a "
		     "loop walks through all of them",
		     .by_default = "as little as the code can do with"),
		WORDS("--data", data, "[REG=]FILE",
		      "bytes of the memory that register REG points to, or the "
		      "first register that points into memory",
		      .not_with = "--hex"),
		WORD("--align", align, "N",
		     "begin the code N bytes into a line of 64 bytes",
		     .by_default = "0, or as an object file places it"),
		CHOICE("--syntax", loop.syntax, "NAME",
		       "syntax of x86 assembly",
		       .by_default = "as the file's directives or operands say",
		       .words = loop_syntaxes),
		CHOICE("--marker", loop.marker, "NAME",
		       "marks that enclose the code", .by_default = "auto",
		       .words = loop_markers,
		       .not_with = "--lines --function --hex"),
		WORD("--lines", loop.lines, "A-B",
		     "the code is in these lines"),
		WORD("--function", loop.function, "NAME",
		     "look for the loop in this function", .not_with = "--hex"),
		WORD("--core", r.q.core, "FILE",
		     "the invented core that board fake simulates "
		     "(examples/cores/README.md)",
		     .not_with = "--tty"),
		OPTION_TTY(r.q.tty), OPTION_BAUD(r.q.baud),
		OPTION_RESET(r.q.reset_command),
		WORD("--db", r.q.db, "FILE",
		     "database of the results; values of forms that it has "
		     "are used for the prediction",
		     .by_default = "a temporary one"),
		FLAG("--explain", explain,
		     "where the prediction is off by over 10 %: leave out one "
		     "instruction after another, and print a small part that "
		     "is off by three quarters as much at least",
		     .not_with = "--hex --format=json"),
		WORD("--events", events, "NAME[,NAME]",
		     "also count these per iteration: in a process, events "
		     "that its kernel counts, with perf's names; elsewhere "
		     "cycles and instructions, of cores that count them",
		     .not_with = "--hex"),
		FLAG("--resume", r.q.resume,
		     "do not measure again what the database has values "
		     "of: with a folder, or --hex"),
		WORD("--shard", shard, "I/N",
		     "measure every N-th block or file, from the I-th on"),
		WORDS("--against", against, "NAME=FILE",
		      "cycles of another predictor, lines HEX,...,CYCLES of "
		      "the same blocks, or NAME,...,CYCLES of files; adds a "
		      "column and its scores"),
		WORDS("--peer", peers, "NAME[:CPU]",
		      "run llvm-mca or osaca on the same code; adds a column "
		      "and its scores"),
		WORD("--loops", loops, "FILE",
		     "also write what was measured and predicted as 'anechoic "
		     "site --loops' reads it"),
		OPTION_MODEL(model), OPTION_MODEL_CPU(cpu),
		CHOICE("--format", format, "NAME", "format of the output",
		       .by_default = "text", .words = format_words,
		       .not_with = "--hex"),
		WORD("--html", html, "FILE",
		     "also write a page: the code, what was measured and what "
		     "limits its prediction; of blocks a plot and the worst "
		     "predictions first"),
		WORD("-o", output, "FILE", "file to write",
		     .by_default = "standard output")),
	.operand = "FILE|FOLDER",
	.operand_optional = true,
	.operand_not_with = "--asm --hex",
	.operand_field = offsetof(ARGS, file),
	.describe =
		"Measures the cycles of code: the loop of a file that 'anechoic "
		"predict' reads, or the instructions of --asm. Registers that "
		"the code uses as addresses point into memory; other registers "
		"hold 1. A loop with a branch at its end runs as often as a "
		"register that it counts says; other code is repeated. The "
		"time of one body follows from three lengths, as for forms. "
		"Of a folder each file is measured, and a table printed. "
		"The prediction for the same code is printed with it "
		"(docs/time.md).",
	.examples = "anechoic time loop.s\n"
		    "anechoic time --asm 'add rax, rbx; imul rbx, rax'\n"
		    "anechoic time --board qemu-virt --isa riscv64 loop.s\n"
		    "anechoic time --db a.db --set rcx=100 code.o\n"
		    "anechoic time --db loops.db loops/\n"
		    "anechoic time --hex blocks.csv --db blocks.db -o "
		    "times.csv",
	.run = run_time,
};
