/* anechoic measure: plan, measure, store and solve.  Every sample is stored
 * when it arrives, so an interrupted run can be resumed without measuring it
 * again. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/print.h"
#include "host/campaign/redo.h"
#include "host/campaign/rounds.h"
#include "host/campaign/runs.h"
#include "host/cli/board_cores.h"
#include "host/cli/duration.h"
#include "host/cli/line.h"
#include "host/cli/loop_input.h"
#include "host/cli/ports.h"
#include "host/cli/progress.h"
#include "host/cli/published.h"
#include "host/cli/request.h"
#include "host/cli/table.h"
#include "host/cli/timing_print.h"
#include "host/cli/traffic.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"
#include "host/store/store_core.h"

/* One measurement: its campaign, options and database. */
struct job {
	struct campaign *c;
	const struct options *o;
	double seconds; /* --time, or 0 */
	const char *db;
	struct store *s;
	struct run run;
	struct redo_kernels redo; /* of --redo; wanted is NULL without */
	struct workspace w;
	struct rounds_result result;
	const uint64_t *core; /* of the board; NULL: the one that runs */
	bool is_done;         /* --resume: this core's run is finished */
};

/* The run of this core that --resume or --redo continues. */
static int find_core_run(struct job *j, const struct runs_query *q,
			 struct err *e)
{
	struct run old;

	if (runs_of_core(j->s, &j->c->arena, q, *j->core, &old, e) != ERR_OK)
		return e->code;
	if (j->o->redo && old.id == 0)
		return err_set(e, ERR_INPUT,
			       "--redo: %s has no run of this board and set on "
			       "core %" PRIu64,
			       j->db, *j->core);
	j->is_done = old.id != 0 && old.finished && !j->o->redo;
	if (j->is_done)
		printf("core %" PRIu64 ": run %" PRId64 " is finished\n",
		       *j->core, old.id);
	if (old.id != 0)
		j->run = old;
	return ERR_OK;
}

static int start_core_run(struct job *j, const struct runs_query *q,
			  struct err *e)
{
	if ((j->o->redo || j->o->resume) && find_core_run(j, q, e) != ERR_OK)
		return e->code;
	if (j->run.id != 0 && j->o->redo)
		return runs_complete(j->c, j->s, j->run.id, e);
	if (j->run.id == 0 && j->o->resume)
		request_no_old_run();
	return j->run.id != 0
		       ? ERR_OK
		       : runs_new_of_core(j->c, j->s, *j->core, &j->run, e);
}

/* Find the run that --resume or --redo continues, or make a new one. */
static int start_run(struct job *j, struct err *e)
{
	struct campaign *c = j->c;
	char id[RUNS_PACK_ID];
	const struct run like = j->run;
	const struct runs_query q = { .db = j->db, .like = &like, .pack = id };
	struct run old = { .id = 0 };

	runs_pack_id(c, id);
	if (j->core)
		return start_core_run(j, &q, e);
	if (j->o->redo)
		return runs_newest(j->s, &c->arena, &q, &j->run, e) == ERR_OK
			       ? runs_complete(c, j->s, j->run.id, e)
			       : e->code;
	if (j->o->resume &&
	    runs_unfinished(j->s, &c->arena, &q, &old, e) != ERR_OK)
		return e->code;
	if (old.id != 0) {
		j->run = old;
		return ERR_OK;
	}
	if (j->o->resume)
		request_no_old_run();
	return runs_new(c, j->s, &j->run, e);
}

/* Choose the kernels of --redo.  Their faults are removed from the run; the
 * run keeps its date. */
static int choose_kernels(struct job *j, struct err *e)
{
	struct redo_kernels *k = &j->redo;
	struct arena *a = &j->c->arena;
	const char *what = j->o->redo;
	char *date;

	if (!what)
		return ERR_OK;
	k->n = gen_n_kernels(j->c->gen);
	k->wanted = ARENA_ARRAY(a, bool, k->n);
	if (redo_choose(j->s, j->run.id, what, k, e) != ERR_OK)
		return e->code;
	printf("run %" PRId64 " of %s: ", j->run.id, j->run.date);
	if (k->n_wanted == 0) {
		printf("no kernel is %s; nothing is measured\n", what);
		return ERR_OK;
	}
	printf("%zu of %zu kernels are measured again (--redo %s)\n",
	       k->n_wanted, k->n, what);
	date = arena_printf(a, "%s %s", workspace_now(a), what);
	if (redo_forget_faults(j->s, j->run.id, k, e) == ERR_OK)
		(void)store_env(j->s, j->run.id, "redo", date, e);
	return e->code;
}

static void announce(const struct job *j)
{
	const struct campaign *c = j->c;
	size_t n = j->redo.wanted ? j->redo.n_wanted : campaign_n_measured(c);

	printf("%s %s: %zu kernel%s", c->board->name, c->isa->name, n,
	       PLURAL(n));
	if (j->w.n_cores > 1)
		printf(" on %zu cores at once", j->w.n_cores);
	printf(", at most about %" PRIu64 " cycles on a core clock",
	       (uint64_t)n * c->kernel_cycles);
	if (c->n_refused)
		printf("; %zu experiments without a kernel (reasons in the "
		       "database)",
		       c->n_refused);
	printf("\nresults: %s\n", j->db);
	(void)fflush(stdout);
}

static int run_link(struct job *j, struct err *e)
{
	struct campaign *c = j->c;
	const struct options *o = j->o;
	size_t n = campaign_n_measured(c);
	struct progress p;
	char *what =
		arena_printf(&c->arena, "%s %s", c->board->name, c->isa->name);
	struct link_traffic traffic = { .pack_bytes = 0 };
	const struct rounds_request rounds = {
		.campaign = c,
		.workspace = &j->w,
		.store = j->s,
		.run = j->run.id,
		.wanted = j->redo.wanted,
		.attached = o->attached,
		.seconds = j->seconds,
		.traffic = &traffic,
		.report = progress_of_session,
		.context = &p,
	};

	if (o->tty) {
		traffic_announce(o->attached ? 0 : c->pack.n, o->baud);
		traffic_estimate(c->board, c->pack.bytes,
				 j->redo.wanted ? j->redo.n_wanted : n,
				 o->baud);
	}
	progress_start(&p, stderr, what, "visits");
	p.estimated = true;
	(void)rounds_run(&rounds, &j->result, e);
	p.now = NULL;
	progress_end(&p);
	if (o->tty && e->code == ERR_OK)
		traffic_print(&traffic, n, o->baud);
	return e->code;
}

/* What is left to do, and how. */
static void print_left(const struct job *j)
{
	const struct rounds_result *r = &j->result;

	if (r->time_is_up)
		printf("stopped after %s (--time)\n", j->o->time);
	if (r->n_open > 0)
		printf("%zu kernels have no agreement yet; continue with --redo "
		       "noisy\n",
		       r->n_open);
	if (r->n_missing > 0)
		printf("%zu kernels have no sample yet; continue with --redo "
		       "missing\n",
		       r->n_missing);
}

static int finish(const struct job *j, struct err *e)
{
	const struct solve_summary *sum = &j->result.solved;

	if (store_run_finish(j->s, j->run.id, e) != ERR_OK ||
	    table_print(j->s, j->run.id, j->c->board, e) != ERR_OK)
		return e->code;
	printf("\n%zu claims: %zu exact, %zu intervals, %zu without a value "
	       "(%zu faults)\n",
	       sum->n_claims, sum->n_ok, sum->n_interval, sum->n_refused,
	       sum->n_faults);
	if (sum->issue_width > 0)
		printf("issue width: %.3g instructions in a cycle at most\n",
		       sum->issue_width);
	table_silence(&sum->silence);
	if (sum->silence.all.ref)
		table_evidence(&sum->evidence);
	print_left(j);
	if (published_print(
		    j->s, j->run.id,
		    &(struct published){ j->c->isa->name, j->c->catalogue->cpu,
					 sum->issue_width, sum->issue_width,
					 j->c->catalogue },
		    e) != ERR_OK ||
	    table_other_cores(j->s, j->run.id, j->db, e) != ERR_OK)
		return e->code;
	printf("evidence of one:  anechoic show --db %s FORM\n"
	       "all of them:      anechoic export --db %s --format csv -o "
	       "FILE\n",
	       j->db, j->db);
	return ERR_OK;
}

/* A finished run cannot be resumed, so the message names --redo instead. */
static void explain_stop(const struct job *j, struct err *e)
{
	if (!j->o->redo || e->code != ERR_INTERRUPTED)
		return;
	*e = (struct err){ .code = ERR_OK };
	(void)err_set(e, ERR_INTERRUPTED,
		      "%s: interrupted; the samples are stored; repeat the "
		      "same --redo to continue",
		      j->c->board->name);
}

static int measure_run(struct job *j, struct err *e)
{
	if (choose_kernels(j, e) != ERR_OK ||
	    (j->redo.wanted && j->redo.n_wanted == 0))
		return e->code;
	if (workspace_make(j->c, &j->w, e) == ERR_OK &&
	    workspace_fill(j->c, &j->w, e) == ERR_OK) {
		request_warn_limits(j->c, j->w.n_cores ? j->w.n_cores : 1);
		announce(j);
		if (run_link(j, e) == ERR_OK &&
		    timing_print(j->s, j->run.id, &j->result, e) == ERR_OK)
			(void)finish(j, e);
	}
	workspace_remove(&j->w);
	explain_stop(j, e);
	return e->code;
}

/* *ret_core: the core of the run, in `keep`; NULL: not wanted. */
static int measure_core(struct campaign *c, const struct options *o,
			double seconds, const uint64_t *core,
			struct arena *keep, struct core_id *ret_core,
			struct err *e)
{
	struct job j = { .c = c, .o = o, .db = c->request->db };

	j.seconds = seconds;
	j.core = core;
	j.run = runs_describe(c, plan_what_words(c->what));
	if (store_open(j.db, !o->redo, &j.s, e) != ERR_OK)
		return e->code;
	if (start_run(&j, e) != ERR_OK)
		store_rollback(j.s);
	else if (!j.is_done && measure_run(&j, e) == ERR_OK && ret_core)
		(void)store_run_core(j.s, keep, j.run.id, ret_core, e);
	store_close(j.s);
	return e->code;
}

static int measure(struct campaign *c, const struct options *o, double seconds,
		   struct arena *keep, struct core_id *ret_core, struct err *e)
{
	struct link_cores *list = ARENA_NEW(&c->arena, struct link_cores);

	if (board_cores(c, o->attached, list, e) != ERR_OK)
		return e->code;
	if (list->n == 0)
		return measure_core(c, o, seconds, NULL, keep, ret_core, e);
	for (size_t i = 0; i < list->n && e->code == ERR_OK; i++) {
		if (list->n > 1)
			printf("%score %" PRIu64 " (%zu of %zu)\n",
			       i ? "\n" : "", list->cores[i], i + 1, list->n);
		(void)measure_core(c, o, seconds, &list->cores[i], keep,
				   ret_core, e);
	}
	return e->code;
}

static bool is_ports(const struct options *o)
{
	return o->what && strcmp(o->what, "ports") == 0;
}

/* Check the options that do not depend on the board. */
static int check_options(const struct options *o, double *ret_seconds,
			 struct err *e)
{
	bool ports = is_ports(o);

	*ret_seconds = 0;
	if (o->time && !duration_parse(o->time, ret_seconds))
		return err_set(e, ERR_USAGE,
			       "--time must be a time such as 90s, 10m or 1h, "
			       "not '%s'",
			       o->time);
	if (ports && (o->time || o->redo))
		return err_set(e, ERR_USAGE,
			       "%s has no effect with --what ports; %s",
			       o->time ? "--time" : "--redo",
			       o->time ? "use --budget" : "use --resume");
	if (loop_input_check(o, ports, e) != ERR_OK)
		return e->code;
	if (o->redo && o->resume)
		return err_set(
			e, ERR_USAGE,
			"--redo and --resume exclude each other: --resume "
			"continues an unfinished run, --redo measures parts "
			"of a run again");
	return o->redo ? redo_check(o->redo, e) : ERR_OK;
}

static int measure_values(const struct options *o, double seconds,
			  struct arena *keep, struct core_id *ret_core,
			  struct err *e)
{
	struct arena a = { 0 };
	struct campaign_request q;
	struct campaign c;

	if (request_fill(o, &a, &q, e) == ERR_OK) {
		q.stop = interrupt_flag();
		if (campaign_open(&q, &c, e) == ERR_OK)
			(void)measure(&c, o, seconds, keep, ret_core, e);
		campaign_close(&c);
	}
	arena_free(&a);
	return e->code;
}

extern const struct command command_predict;

/* Measure what a loop consists of, then predict it. */
static int measure_loop(const struct options *o, double seconds, struct err *e)
{
	struct arena a = { 0 };
	struct options *forms = ARENA_NEW(&a, struct options);
	struct options *predict = ARENA_NEW(&a, struct options);
	struct core_id core = { .core = NULL };

	*forms = *o;
	*predict = (struct options){
		.db = o->db ? o->db : "anechoic.db",
		.board = o->board,
		.isa = o->isa,
		.syntax = o->syntax,
		.marker = o->marker,
		.lines = o->lines,
		.function = o->function,
		.form = o->loop,
	};

	if (loop_input_forms_for(&a, o, &forms->forms, e) == ERR_OK &&
	    measure_values(forms, seconds, &a, &core, e) == ERR_OK) {
		(void)putchar('\n');
		predict->core_of = core.core;
		(void)command_predict.run(predict, e);
	}
	arena_free(&a);
	return e->code;
}

static int run_kind(const struct options *o, double seconds, struct err *e)
{
	if (o->loop)
		return measure_loop(o, seconds, e);
	return is_ports(o) ? ports_measure(o, e)
			   : measure_values(o, seconds, NULL, NULL, e);
}

static int run_measure(const struct options *o, struct err *e)
{
	struct options own = *o;
	struct line line;
	double seconds;

	(void)interrupt_flag();
	if (check_options(o, &seconds, e) != ERR_OK)
		return e->code;
	/* The board may print and count down while the kernels are made. */
	if (line_open(o, &line, e) == ERR_OK) {
		own.listener = line.listener;
		(void)run_kind(&own, seconds, e);
	}
	line_close(&line);
	return e->code;
}

const struct command command_measure = {
	.name = "measure",
	.summary = "measure forms on a board and store samples and values",
	.options = OPTIONS(
		OPTION_BOARD, OPTION_ISA, OPTION_CPU, OPTION_FORMS,
		OPTION_VARIANTS, OPTION_X87, OPTION_WHAT,
		WORD("--for", loop, "FILE",
		     "measure the forms of this file's loop, and predict it"),
		WORD("--syntax", syntax, "NAME",
		     "with --for: syntax of x86 assembly",
		     .by_default = "as the file's directives or operands say",
		     .choice = loop_input_syntax, .needs = "--for"),
		WORD("--marker", marker, "NAME",
		     "with --for: marks that enclose the loop",
		     .by_default = "auto", .choice = loop_input_marker,
		     .not_with = "--lines --function", .needs = "--for"),
		WORD("--lines", lines, "A-B",
		     "with --for: the loop is in these lines",
		     .needs = "--for"),
		WORD("--function", function, "NAME",
		     "with --for: look for the loop in this function",
		     .needs = "--for"),
		WORD("--core", core, "FILE",
		     "the invented core that board fake simulates, or several "
		     "(docs/fake-core.md)",
		     .not_with = "--tty"),
		COUNT("--cores", cores, "N",
		      "cores of this machine that measure at once",
		      .by_default = "those that do not disturb each other, 4 "
				    "at most"),
		OPTION_TTY, OPTION_BAUD, OPTION_RESET,
		FLAG("--wake", wake, WAKE_WORDS, .needs = "--tty"),
		WORD("--db", db, "FILE", "database of results",
		     .by_default = "anechoic.db"),
		OPTION_RESUME, OPTION_REDO, OPTION_SHARD, OPTION_TIME,
		WORD("--budget", budget, "LIMIT",
		     "with --what ports: stop after e.g. 90s, 10m or 1h, or "
		     "after a number of kernels",
		     .by_default = "no limit; 10m without --forms",
		     .needs = "--what=ports"),
		FLAG("--once", once,
		     "run each kernel as briefly as possible, to find those "
		     "that fault",
		     .not_with = "--what=ports"),
		OPTION_KERNEL_CYCLES),
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
