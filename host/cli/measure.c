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
#include "host/cli/ports.h"
#include "host/cli/progress.h"
#include "host/cli/rounds.h"
#include "host/cli/table.h"
#include "host/cli/timing.h"
#include "host/cli/traffic.h"
#include "host/cli/workspace.h"
#include "host/link/serial.h"
#include "host/solve/solve.h"

enum { ID_ROOM = 24 };

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

static int match_pack(void *context, const char *key, const char *value,
		      struct err *e)
{
	const char *id = context;

	if (strcmp(key, "pack") == 0 && strcmp(value, id) != 0)
		return err_set(e, ERR_INPUT,
			       "--resume: kernels as the "
			       "unfinished run had them (pack %s, now %s); "
			       "start anew without --resume",
			       value, id);
	return ERR_OK;
}

/* A new run with its kernels, or the unfinished one like it. */
static int start_run(struct campaign *c, const struct options *o,
		     struct store *s, struct run *run, struct err *e)
{
	char id[ID_ROOM];
	struct run old = { .id = 0 };

	pack_id(c, id);
	if (o->resume) {
		if (store_run_resumable(s, &c->arena, run, &old, e) != ERR_OK)
			return e->code;
		if (old.id != 0) {
			*run = old;
			return store_envs(s, old.id, match_pack, id, e);
		}
		(void)fprintf(stderr, "anechoic: no unfinished run like "
				      "this one, starting anew\n");
	}
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

static void report(void *context, const struct link_progress *p)
{
	progress_show(context, p->n_done, p->n_total);
}

static void announce(const struct campaign *c, const struct workspace *w,
		     const char *db)
{
	size_t n = gen_n_kernels(c->gen);

	printf("%s %s: %zu kernels", c->board->name, c->isa->name, n);
	if (w->n_cores > 1)
		printf(" on %zu cores at once", w->n_cores);
	printf(", at most about %" PRIu64 " cycles on a core clock",
	       (uint64_t)n * c->kernel_cycles);
	if (c->n_refused)
		printf("; %zu experiments without a kernel (reasons in the "
		       "database)",
		       c->n_refused);
	printf("\nresults: %s\n", db);
	(void)fflush(stdout);
}

static int run_link(struct campaign *c, const struct options *o,
		    struct store *s, int64_t run, const struct workspace *w,
		    struct solve_summary *ret_summary, double *ret_seconds,
		    struct err *e)
{
	struct progress p;
	char *what =
		arena_printf(&c->arena, "%s %s", c->board->name, c->isa->name);
	struct link_request request = workspace_request(c, o, w);
	struct link_traffic traffic = { .pack_bytes = 0 };
	struct session session = {
		.request = &request,
		.store = s,
		.run = run,
		.traffic = &traffic,
		.pack = c->pack.bytes,
		.cores = w->cores,
		.n_cores = w->n_cores,
		.load = o->tty && !o->attached,
		.report = report,
		.context = &p,
		.stop = interrupt_flag(),
	};

	if (o->tty)
		traffic_announce(session.load ? c->pack.n : 0,
				 gen_n_kernels(c->gen), o->baud);
	progress_start(&p, stderr, what, "visits");
	(void)rounds_run(&session, ret_summary, ret_seconds, e);
	progress_end(&p);
	if (o->tty && e->code == ERR_OK)
		traffic_print(&traffic, gen_n_kernels(c->gen), o->baud);
	return e->code;
}

/* The figures `make bench` prints; of the whole run when it was resumed. */
static int print_timing(struct store *s, int64_t run, double link_seconds,
			struct err *e)
{
	struct timing t;

	if (timing_of(s, run, &t, e) != ERR_OK)
		return e->code;
	printf("%zu kernels, %zu visits in %.1f s", t.n_kernels, t.n_visits,
	       link_seconds);
	if (t.n_kernels > 0)
		printf(": %.3f ms per kernel",
		       1e3 * link_seconds / (double)t.n_kernels);
	if (t.kernel_seconds > 0 && link_seconds > 0)
		printf(", %.0f %% of it inside kernels, %.0f %% inside "
		       "calibration",
		       100 * t.kernel_seconds / link_seconds,
		       100 * t.calib_seconds / link_seconds);
	putchar('\n');
	return ERR_OK;
}

static int finish(struct store *s, int64_t run, const char *db,
		  const struct solve_summary *sum, struct err *e)
{
	if (store_run_finish(s, run, e) != ERR_OK ||
	    table_print(s, run, e) != ERR_OK)
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
	printf("evidence of one:  anechoic show --db %s FORM\n"
	       "all of them:      anechoic export --db %s --format csv -o "
	       "FILE\n",
	       db, db);
	return ERR_OK;
}

static int measure(struct campaign *c, const struct options *o, struct err *e)
{
	const char *db = o->db ? o->db : "anechoic.db";
	struct workspace w = { .folder = NULL };
	struct run run = describe_run(c, o);
	struct solve_summary sum = { .n_claims = 0 };
	struct store *s;

	if (store_open(db, true, &s, e) != ERR_OK)
		return e->code;
	if (start_run(c, o, s, &run, e) != ERR_OK) {
		store_rollback(s);
	} else if (workspace_make(c, o, &w, e) == ERR_OK &&
		   workspace_fill(c, &w, e) == ERR_OK) {
		double seconds;

		announce(c, &w, db);
		if (run_link(c, o, s, run.id, &w, &sum, &seconds, e) ==
			    ERR_OK &&
		    print_timing(s, run.id, seconds, e) == ERR_OK)
			(void)finish(s, run.id, db, &sum, e);
	}
	workspace_remove(&w);
	store_close(s);
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

static int run(const struct options *o, struct err *e)
{
	struct campaign c;

	(void)interrupt_flag();
	/* An invented core says by its file what it is for. */
	if (!o->core && check_line(o, e) != ERR_OK)
		return e->code;
	if (o->what && strcmp(o->what, "ports") == 0)
		return ports_measure(o, e);
	if (campaign_open(o, &c, e) == ERR_OK)
		(void)measure(&c, o, e);
	campaign_close(&c);
	return e->code;
}

const struct command command_measure = {
	.name = "measure",
	.summary = "measure forms on a board and store samples and values",
	.takes =
		"--board --isa --cpu --forms --variants --x87 --what --core --cores "
		"--tty --baud --reset-cmd --db --resume --once --kernel-cycles --budget",
	.needs = "--board",
	.describe =
		"Plans the experiments, builds their kernels, runs them on the "
		"board, stores every\nraw sample, and solves them. Ctrl-C "
		"stops; --resume goes on where it stopped.\n\n"
		"  anechoic measure --board linux-process --forms '^(ADD|IMUL)"
		"64rr$'\n"
		"  anechoic measure --board qemu-virt --isa riscv64 --db ci.db\n"
		"  anechoic measure --board banana-pi-f3 --tty /dev/ttyUSB0\n"
		"  anechoic measure --board linux-process --what ports "
		"--budget 10m\n\n"
		"With --tty the kernels are sent over the line to the runtime "
		"that the board booted. --what ports infers width, uops and "
		"ports from mixes of\nforms; `anechoic model` shows what it "
		"found (docs/ports.md).",
	.run = run,
};
