/* anechoic measure: the whole chain, once around.  Everything that arrives is
 * stored before the next kernel is trusted, so an interrupted run can be
 * resumed, and what it measured is already there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/cli/campaign.h"
#include "host/cli/duration.h"
#include "host/cli/ports.h"
#include "host/cli/progress.h"
#include "host/cli/redo.h"
#include "host/cli/rounds.h"
#include "host/cli/runs.h"
#include "host/cli/table.h"
#include "host/cli/timing.h"
#include "host/cli/traffic.h"
#include "host/cli/workspace.h"
#include "host/link/serial.h"
#include "host/solve/solve.h"

enum { ID_ROOM = 24 };

/* One measurement: what it is of and where it goes. */
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
};

static struct run describe_run(struct campaign *c, const struct options *o)
{
	static const char *const what[] = {
		"",
		"latency",
		"throughput",
		"latency,throughput",
	};

	return (struct run){
		.board = c->board->name,
		.isa = c->isa->name,
		.cpu = c->catalogue->cpu ? c->catalogue->cpu : "",
		.clock = "",
		.what = what[c->what & 3],
		.forms = o->forms ? o->forms : "",
		.tool = ANECHOIC_VERSION,
		.date = workspace_now(&c->arena),
		.kernel_cycles = c->kernel_cycles,
	};
}

static void pack_id(const struct campaign *c, char id[ID_ROOM])
{
	const struct pack_header *h = (const void *)c->pack.bytes;

	(void)snprintf(id, ID_ROOM, "0x%" PRIx64, h->id);
}

/* A new run with its kernels. */
static int new_run(struct campaign *c, struct store *s, const char *id,
		   struct run *run, struct err *e)
{
	if (store_begin(s, e) != ERR_OK || store_run_new(s, run, e) != ERR_OK ||
	    store_env(s, run->id, "pack", id, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < gen_n_kernels(c->gen); i++) {
		struct kernel_row row;

		gen_kernel_row(c->gen, i, &row);
		if (store_kernel(s, run->id, (uint32_t)i, &row, e) != ERR_OK)
			return e->code;
	}
	char *const *reasons = (const void *)c->reasons.bytes;

	for (size_t i = 0; i < c->reasons.n / sizeof(*reasons); i++)
		if (store_text(s, run->id, reasons[i], strlen(reasons[i]), e) !=
		    ERR_OK)
			return e->code;
	return store_commit(s, e);
}

/* Find the run that --resume or --redo goes on with, or make a new one. */
static int start_run(struct job *j, struct err *e)
{
	struct campaign *c = j->c;
	char id[ID_ROOM];
	const struct run like = j->run;
	const struct runs_query q = { .db = j->db, .like = &like, .pack = id };
	struct run old = { .id = 0 };

	pack_id(c, id);
	if (j->o->redo)
		return runs_newest(j->s, &c->arena, &q, &j->run, e);
	if (j->o->resume &&
	    runs_unfinished(j->s, &c->arena, &q, &old, e) != ERR_OK)
		return e->code;
	if (old.id != 0) {
		j->run = old;
		return ERR_OK;
	}
	if (j->o->resume)
		(void)fprintf(stderr, "anechoic: no unfinished run like "
				      "this one, starting anew\n");
	return new_run(c, j->s, id, &j->run, e);
}

/* The kernels of --redo.  Its faults are forgotten and its date is kept. */
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

static void report(void *context, const struct link_progress *p)
{
	progress_show(context, p->n_done, p->n_total);
}

static void announce(const struct job *j)
{
	const struct campaign *c = j->c;
	size_t n = j->redo.wanted ? j->redo.n_wanted : gen_n_kernels(c->gen);

	printf("%s %s: %zu kernels", c->board->name, c->isa->name, n);
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

/* Does a session cost next to nothing?  A board that must boot for it has all
 * ranks in one. */
static bool is_beside(const struct job *j)
{
	const char *transport = j->c->board->transport;

	return !j->o->tty && (strcmp(transport, "process") == 0 ||
			      strcmp(transport, "fake") == 0);
}

/* A request for each few kernels of a rank costs a serial line as much as a
 * third of their records: worth it where not all will be measured. */
static int run_link(struct job *j, struct err *e)
{
	struct campaign *c = j->c;
	const struct options *o = j->o;
	struct progress p;
	char *what =
		arena_printf(&c->arena, "%s %s", c->board->name, c->isa->name);
	struct link_request request = workspace_request(c, o, &j->w);
	struct link_traffic traffic = { .pack_bytes = 0 };
	struct session session = {
		.request = &request,
		.store = j->s,
		.run = j->run.id,
		.traffic = &traffic,
		.pack = c->pack.bytes,
		.cores = j->w.cores,
		.n_cores = j->w.n_cores,
		.load = o->tty && !o->attached,
		.report = report,
		.context = &p,
		.stop = interrupt_flag(),
	};
	const struct rounds_request rounds = {
		.session = &session,
		.wanted = j->redo.wanted,
		.together = o->tty ? !o->time : !is_beside(j),
		.any_order = o->tty && !o->time,
		.seconds = j->seconds,
	};

	if (o->tty)
		traffic_announce(session.load ? c->pack.n : 0,
				 gen_n_kernels(c->gen), o->baud);
	progress_start(&p, stderr, what, "visits");
	(void)rounds_run(&rounds, &j->result, e);
	progress_end(&p);
	if (o->tty && e->code == ERR_OK)
		traffic_print(&traffic, gen_n_kernels(c->gen), o->baud);
	return e->code;
}

/* When most of what the run is for was there.  What refines a value came
 * later. */
static void print_most(const struct rounds_result *r)
{
	if (r->most_after == 0)
		return;
	printf("95 %% of the values after %.1f s", r->most_after);
	if (r->most_base_after < r->most_after)
		printf("; of latencies and throughputs, without what refines "
		       "them, after %.1f s",
		       r->most_base_after);
	putchar('\n');
}

/* The figures `make bench` prints; of the whole run when it was resumed. */
static int print_timing(const struct job *j, struct err *e)
{
	const struct rounds_result *r = &j->result;
	struct timing t;

	if (timing_of(j->s, j->run.id, &t, e) != ERR_OK)
		return e->code;
	printf("%zu kernels, %zu visits in %.1f s", t.n_kernels, t.n_visits,
	       r->seconds);
	if (t.n_kernels > 0)
		printf(": %.3f ms per kernel",
		       1e3 * r->seconds / (double)t.n_kernels);
	if (t.kernel_seconds > 0 && r->seconds > 0)
		printf(", %.0f %% of it inside kernels, %.0f %% inside "
		       "calibration",
		       100 * t.kernel_seconds / r->seconds,
		       100 * t.calib_seconds / r->seconds);
	putchar('\n');
	print_most(r);
	return ERR_OK;
}

/* What is left to do, and how. */
static void print_left(const struct job *j)
{
	const struct rounds_result *r = &j->result;

	if (r->time_is_up)
		printf("stopped after %s (--time)\n", j->o->time);
	if (r->n_open > 0)
		printf("%zu kernels have no agreement yet; go on with --redo "
		       "noisy\n",
		       r->n_open);
	if (r->n_missing > 0)
		printf("%zu kernels have no sample yet; go on with --redo "
		       "missing\n",
		       r->n_missing);
}

static int finish(const struct job *j, struct err *e)
{
	const struct solve_summary *sum = &j->result.solved;

	if (store_run_finish(j->s, j->run.id, e) != ERR_OK ||
	    table_print(j->s, j->run.id, e) != ERR_OK)
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
	printf("evidence of one:  anechoic show --db %s FORM\n"
	       "all of them:      anechoic export --db %s --format csv -o "
	       "FILE\n",
	       j->db, j->db);
	return ERR_OK;
}

/* A finished run cannot be resumed: what goes on with it is the same again. */
static void explain_stop(const struct job *j, struct err *e)
{
	if (!j->o->redo || e->code != ERR_INTERRUPTED)
		return;
	*e = (struct err){ .code = ERR_OK };
	(void)err_set(e, ERR_INTERRUPTED,
		      "%s: interrupted; what was measured is stored, and the "
		      "same --redo goes on",
		      j->c->board->name);
}

static int measure_run(struct job *j, struct err *e)
{
	if (choose_kernels(j, e) != ERR_OK ||
	    (j->redo.wanted && j->redo.n_wanted == 0))
		return e->code;
	if (workspace_make(j->c, j->o, &j->w, e) == ERR_OK &&
	    workspace_fill(j->c, &j->w, e) == ERR_OK) {
		announce(j);
		if (run_link(j, e) == ERR_OK && print_timing(j, e) == ERR_OK)
			(void)finish(j, e);
	}
	workspace_remove(&j->w);
	explain_stop(j, e);
	return e->code;
}

static int measure(struct campaign *c, const struct options *o, double seconds,
		   struct err *e)
{
	struct job j = { .c = c, .o = o, .seconds = seconds };

	j.db = o->db ? o->db : "anechoic.db";
	j.run = describe_run(c, o);
	if (store_open(j.db, !o->redo, &j.s, e) != ERR_OK)
		return e->code;
	if (start_run(&j, e) != ERR_OK)
		store_rollback(j.s);
	else
		(void)measure_run(&j, e);
	store_close(j.s);
	return e->code;
}

/* A board on a line: is there one?  Asked before anything is planned or
 * stored. */
static int check_line(const struct options *o, struct err *e)
{
	struct arena a = { 0 };
	const struct board *board;
	struct board *boards;
	size_t n;

	if (o->tty) {
		(void)serial_check(o->tty, o->baud, e);
	} else if (boards_read(&a, share_path(&a, "boards"), &boards, &n, e) ==
			   ERR_OK &&
		   board_find(boards, n, o->board, o->isa, &board, e) ==
			   ERR_OK &&
		   (strcmp(board->transport, "serial") == 0 ||
		    strcmp(board->transport, "none") == 0)) {
		(void)err_set(
			e, ERR_USAGE,
			"%s: --tty DEV, the serial line it is on; without "
			"one: `anechoic image --board %s -o FILE`, boot "
			"it (boards/%s/README.md), and `anechoic import` "
			"what it leaves",
			board->name, board->name, board->name);
	}
	arena_free(&a);
	return e->code;
}

/* Options that need no board to be wrong. */
static int check_options(const struct options *o, double *ret_seconds,
			 struct err *e)
{
	bool ports = o->what && strcmp(o->what, "ports") == 0;

	*ret_seconds = 0;
	if (o->time && !duration_parse(o->time, ret_seconds))
		return err_set(e, ERR_USAGE,
			       "--time: '%s' is no time; write it as 90s, 10m "
			       "or 1h",
			       o->time);
	if (ports && (o->time || o->redo))
		return err_set(e, ERR_USAGE,
			       "%s does not go with --what ports; %s",
			       o->time ? "--time" : "--redo",
			       o->time ? "use --budget" : "use --resume");
	if (o->redo && o->resume)
		return err_set(
			e, ERR_USAGE,
			"--redo and --resume exclude each other; --resume "
			"goes on with an unfinished run, --redo measures "
			"parts of a run again");
	return o->redo ? redo_check(o->redo, e) : ERR_OK;
}

static int run(const struct options *o, struct err *e)
{
	struct campaign c;
	double seconds;

	(void)interrupt_flag();
	if (check_options(o, &seconds, e) != ERR_OK)
		return e->code;
	/* An invented core says by its file what it is for. */
	if (!o->core && check_line(o, e) != ERR_OK)
		return e->code;
	if (o->what && strcmp(o->what, "ports") == 0)
		return ports_measure(o, e);
	if (campaign_open(o, &c, e) == ERR_OK)
		(void)measure(&c, o, seconds, e);
	campaign_close(&c);
	return e->code;
}

const struct command command_measure = {
	.name = "measure",
	.summary = "measure forms on a board and store samples and values",
	.takes =
		"--board --isa --cpu --forms --variants --x87 --what --core --cores "
		"--tty --baud --reset-cmd --db --resume --redo --time --once --kernel-cycles --budget",
	.needs = "--board",
	.describe =
		"Plans the experiments, builds their kernels, runs them on "
		"the board, stores\nevery raw sample, and solves them. "
		"Latencies and throughputs come first, then\nwhat refines "
		"them. Ctrl-C stops; --resume goes on where it stopped. "
		"--time ends\nthe measuring and solves what there is. --redo "
		"adds visits to the newest run\nwith the same options: to "
		"kernels without agreement, to those without a sample,\n"
		"or to those of some forms. What is stored stays.\n"
		"\n  anechoic measure --board linux-process --forms "
		"'^(ADD|IMUL)64rr$'\n  anechoic measure --board qemu-virt "
		"--isa riscv64 --db ci.db\n  anechoic measure --board "
		"banana-pi-f3 --tty /dev/ttyUSB0\n  anechoic measure --board "
		"linux-process --time 10m\n  anechoic measure --board "
		"linux-process --redo noisy\n  anechoic measure --board "
		"linux-process --what ports --budget 10m\n\n"
		"With --tty the kernels are sent over the line to the "
		"runtime that the board\nbooted. --what ports infers width, "
		"uops and ports from mixes of forms;\n`anechoic model` shows "
		"what it found (docs/ports.md).",
	.run = run,
};
