/* anechoic measure: plan, measure, store and solve. */
#include "host/cli/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/board_places.h"
#include "host/base/duration.h"
#include "host/cli/ports.h"
#include "host/cli/predict_command.h"
#include "host/isa/isa.h"

#define ARGS struct measure_args

/* What the options ask for, and what comes of it. */
struct asked {
	struct measure_args *o;
	struct command_resources *r;
	double seconds;      /* --time, or 0 */
	struct core_id core; /* of the last run */
};

static int measure_core(struct asked *w, struct campaign *c,
			const uint64_t *core, struct err *e)
{
	struct measuring j = { .c = c,
			       .o = w->o,
			       .seconds = w->seconds,
			       .core = core,
			       .keep = &w->r->a,
			       .ret_core = &w->core };

	return measure_one(&j, e);
}

/* Ask the board for its cores: all of them, or one of each kind. */
static int ask_cores(struct campaign *c, bool attached, struct link_cores *ret,
		     struct err *e)
{
	struct workspace w = { .folder = NULL };
	struct rounds_request q = { .campaign = c,
				    .workspace = &w,
				    .attached = attached };
	struct store *s;

	if (store_open(c->request->db, true, &s, e) != ERR_OK)
		return e->code;
	q.store = s;
	if (workspace_make(c, &w, e) == ERR_OK &&
	    workspace_fill(c, &w, e) == ERR_OK)
		(void)rounds_find_cores(
			&q, strcmp(c->board->core, "each-kind") == 0, ret, e);
	workspace_remove(&w);
	store_close(s);
	return e->code;
}

/* The cores that the board's file names, one after another; none: the one that
 * runs. */
static int measure_cores(struct asked *w, struct campaign *c, struct err *e)
{
	struct link_cores *list = ARENA_NEW(&c->arena, struct link_cores);
	const char *core = c->board->core;

	if (*core >= '0' && *core <= '9')
		list->cores[list->n++] = strtoull(core, NULL, 10);
	else if (*core != '\0' &&
		 ask_cores(c, w->o->attached, list, e) != ERR_OK)
		return e->code;
	if (list->n == 0)
		return measure_core(w, c, NULL, e);
	for (size_t i = 0; i < list->n && e->code == ERR_OK; i++) {
		if (list->n > 1)
			printf("%score %" PRIu64 " (%zu of %zu)\n",
			       i ? "\n" : "", list->cores[i], i + 1, list->n);
		(void)measure_core(w, c, &list->cores[i], e);
	}
	return e->code;
}

static int measure_values(struct asked *w, struct err *e)
{
	struct campaign_request *q = &w->o->r.q;
	struct campaign c;

	if (request_fill(&w->o->r, &w->r->a, e) != ERR_OK)
		return e->code;
	q->stop = interrupt_flag();
	if (campaign_open(q, &c, e) == ERR_OK)
		(void)measure_cores(w, &c, e);
	campaign_close(&c);
	return e->code;
}

/* Measure what a loop consists of, then predict it. */
static int measure_loop(struct asked *w, struct err *e)
{
	struct measure_args *o = w->o;
	struct campaign_request *q = &o->r.q;
	struct predict_args *p = ARENA_NEW(&w->r->a, struct predict_args);
	const struct board *board;

	if (board_get(&w->r->a, share_folder(&w->r->a), q->board, q->isa,
		      &board, e) != ERR_OK ||
	    loop_input_forms(&w->r->a, &o->loop, isa_find(board->isa),
			     o->loop_file, &q->forms, e) != ERR_OK ||
	    measure_values(w, e) != ERR_OK)
		return e->code;
	(void)putchar('\n');
	p->source = (struct model_source){ .db = q->db,
					   .board = q->board,
					   .isa = q->isa,
					   .core_of = w->core.core };
	p->loop = o->loop;
	p->file = o->loop_file;
	return predict_run(p, w->r, e);
}

/* ---- options ------------------------------------------------------------- */

static bool is_ports(const struct measure_args *o)
{
	return o->r.q.what && strcmp(o->r.q.what, "ports") == 0;
}

static int check_loop(const struct measure_args *o, struct err *e)
{
	const struct campaign_request *q = &o->r.q;

	if (o->loop_file && strcmp(o->loop_file, "-") == 0)
		return err_set(e, ERR_USAGE,
			       "--for reads its file twice; it needs a file, "
			       "not standard input");
	if (o->loop_file && (q->forms || is_ports(o) || q->core))
		return err_set(
			e, ERR_USAGE,
			"--for measures the forms of a loop; it excludes "
			"%s",
			q->forms  ? "--forms"
			: q->core ? "--core"
				  : "--what ports");
	return ERR_OK;
}

/* Check the options that do not depend on the board. */
static int check_options(const struct measure_args *o, double *ret_seconds,
			 struct err *e)
{
	if (o->time && !duration_parse(o->time, ret_seconds))
		return err_set(e, ERR_USAGE,
			       "--time must be a time such as 90s, 10m or 1h, "
			       "not '%s'",
			       o->time);
	if (is_ports(o) && (o->time || o->redo))
		return err_set(e, ERR_USAGE,
			       "%s has no effect with --what ports; %s",
			       o->time ? "--time" : "--redo",
			       o->time ? "use --budget" : "use --resume");
	if (check_loop(o, e) != ERR_OK)
		return e->code;
	if (o->redo && o->r.q.resume)
		return err_set(
			e, ERR_USAGE,
			"--redo and --resume exclude each other: --resume "
			"continues an unfinished run, --redo measures parts "
			"of a run again");
	return o->redo ? redo_check(o->redo, e) : ERR_OK;
}

int measure_run(struct measure_args *o, struct command_resources *r,
		struct err *e)
{
	struct asked w = { .o = o, .r = r };
	struct listener *listener = NULL;

	(void)interrupt_flag();
	if (check_options(o, &w.seconds, e) != ERR_OK)
		return e->code;
	/* The board may print and count down while the kernels are made. */
	if (request_listen(&o->r.q, &r->a, &listener, e) == ERR_OK) {
		o->r.q.listener = listener;
		(void)(o->loop_file  ? measure_loop(&w, e)
		       : is_ports(o) ? ports_measure(&o->r, o->budget, e)
				     : measure_values(&w, e));
	}
	listen_close(listener);
	return e->code;
}

static int run_measure(void *args, struct command_resources *r, struct err *e)
{
	return measure_run(args, r, e);
}

const struct command command_measure = {
	.name = "measure",
	.summary = "measure forms on a board and store samples and values",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		OPTION_BOARD(r.q.board), OPTION_ISA(r.q.isa),
		OPTION_CPU(r.q.cpu), OPTION_FORMS(r.q.forms),
		OPTION_VARIANTS(r.variants), OPTION_X87(r.x87),
		OPTION_WHAT(r.q.what),
		WORD("--for", loop_file, "FILE",
		     "measure the forms of this file's loop, and predict it"),
		CHOICE("--syntax", loop.syntax, "NAME",
		       "with --for: syntax of x86 assembly",
		       .by_default = "as the file's directives or operands say",
		       .words = loop_syntaxes, .needs = "--for"),
		CHOICE("--marker", loop.marker, "NAME",
		       "with --for: marks that enclose the loop",
		       .by_default = "auto", .words = loop_markers,
		       .not_with = "--lines --function", .needs = "--for"),
		WORD("--lines", loop.lines, "A-B",
		     "with --for: the loop is in these lines",
		     .needs = "--for"),
		WORD("--function", loop.function, "NAME",
		     "with --for: look for the loop in this function",
		     .needs = "--for"),
		WORD("--core", r.q.core, "FILE",
		     "the invented core that board fake simulates, or several "
		     "(examples/cores/README.md)",
		     .not_with = "--tty"),
		COUNT("--cores", r.q.cores, "N",
		      "cores of this machine that measure at once",
		      .by_default = "those that do not disturb each other, 4 "
				    "at most"),
		OPTION_TTY(r.q.tty), OPTION_BAUD(r.q.baud),
		OPTION_RESET(r.q.reset_command),
		FLAG("--wake", r.q.wake, WAKE_WORDS, .needs = "--tty"),
		WORD("--db", r.q.db, "FILE", "database of results",
		     .by_default = "anechoic.db"),
		OPTION_RESUME(r.q.resume), OPTION_REDO(redo),
		OPTION_SHARD(r.shard), OPTION_TIME(time),
		WORD("--budget", budget, "LIMIT",
		     "with --what ports: stop after e.g. 90s, 10m or 1h, or "
		     "after a number of kernels",
		     .by_default = "no limit; 10m without --forms",
		     .needs = "--what=ports"),
		FLAG("--once", r.q.once,
		     "run each kernel as briefly as possible, to find those "
		     "that fault",
		     .not_with = "--what=ports"),
		OPTION_KERNEL_CYCLES(r.q.kernel_cycles)),
	.describe =
		"Plans the experiments, builds their kernels, runs them on the "
		"board, stores every raw sample, and solves them. Latencies "
		"and throughputs come first, then what refines them. Ctrl-C "
		"stops; --resume continues there. --time ends the measuring "
		"and solves what there is. --redo adds visits to the newest "
		"run with the same options: to kernels without agreement, to "
		"those without a sample, or to those of some forms. Stored "
		"samples are kept.\n"
		"\n"
		"With --tty the kernels are sent over the line to the runtime "
		"that the board booted.\n"
		"\n"
		"--what ports infers width, uops and ports from mixes of "
		"forms; 'anechoic model' shows what it found (docs/ports.md).\n"
		"\n"
		"--for FILE measures only what a loop consists of, which takes "
		"seconds, and prints what 'anechoic predict' says of it.",
	.examples =
		"anechoic measure --board linux-process --forms "
		"'^(ADD|IMUL)64rr$'\n"
		"anechoic measure --board qemu-virt --isa riscv64 --db ci.db\n"
		"anechoic measure --board banana-pi-f3 --tty /dev/ttyUSB0\n"
		"anechoic measure --board linux-process --time 10m\n"
		"anechoic measure --board linux-process --redo noisy\n"
		"anechoic measure --board linux-process --for loop.s --db "
		"loop.db\n"
		"anechoic measure --board linux-process --what ports --budget "
		"10m",
	.run = run_measure,
};
