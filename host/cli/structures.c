/* anechoic structures: caches, translation, prediction and queues of a core. */
#include "host/cli/structures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/folder.h"
#include "host/base/monotonic.h"
#include "host/cache/caches.h"
#include "host/cli/request.h"
#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"
#include "host/site/structures.h"
#include "host/store/store.h"
#include "host/store/store_run.h"

struct structures_args {
	struct request_args r;
	const char *file, *csv, *svg, *html;
};
#define ARGS struct structures_args

enum {
	/* Of one pass over the probes of a question. */
	PASS_SECONDS = 12,
	/* Runs of kernels from which on two passes are enough: an idle Zen 5 needs
	 * some 2,400, in 122 s. */
	ENOUGH_PROBES = 3300,
};

/* Values of an idle machine differ by less. */
static const double resolution = 0.04;

/* ---- the board ---------------------------------------------------------------- */

/* Bytes of a page of a process on this machine; elsewhere, and of an emulated
 * process, they are not known: 0. */
static uint32_t page_bytes(const struct campaign *c)
{
	long bytes = sysconf(_SC_PAGESIZE);
	bool here = strcmp(c->board->transport, "process") == 0 &&
		    c->isa == isa_native();

	return here && bytes > 0 ? (uint32_t)bytes : 0;
}

/* A number that the runtime says of itself; 0: it does not. */
static int ask_number(const struct probe_board *b, const char *key,
		      uint64_t *ret, struct err *e)
{
	const char *said = NULL;

	if (store_env_get(b->store, &b->campaign->arena, b->run, key, &said,
			  e) == ERR_OK)
		*ret = said ? strtoull(said, NULL, 10) : 0;
	return e->code;
}

/* Memory for chases, and its pages: what the runtime says in its first run. */
static int ask_memory(struct probe_board *b, struct probe_oracle *ret,
		      struct err *e)
{
	enum { LITTLE = 1024, STEP = 64 };
	struct core_probe p = chases_probe(LITTLE, STEP);
	struct probe_value unused;
	uint64_t bytes = 0, page = 0;

	if (probe_ask(b, &p, 1, &unused, e) != ERR_OK ||
	    ask_number(b, "data_bytes", &bytes, e) != ERR_OK ||
	    ask_number(b, "page_bytes", &page, e) != ERR_OK)
		return e->code;
	ret->most_bytes = bytes < PACK_MAX_MEMORY    ? PACK_MAX_MEMORY
			  : bytes > PACK_MOST_MEMORY ? PACK_MOST_MEMORY
						     : bytes;
	/* The board says it: only a size that pages have. */
	ret->page_bytes = page >= CACHE_MIN_PAGE && page <= CACHE_MAX_PAGE &&
					  (page & (page - 1)) == 0
				  ? (uint32_t)page
				  : page_bytes(b->campaign);
	return ERR_OK;
}

static void say_what(void *to, const char *what)
{
	(void)to;
	if (isatty(STDERR_FILENO))
		(void)fprintf(stderr, "\r%s\033[K", what);
}

static bool exists(const void *campaign, enum probe_kind kind)
{
	return probe_exists(campaign, kind);
}

static int measure(const struct campaign_request *all, struct campaign *c,
		   struct store *s, struct structures *ret, struct err *e)
{
	struct probe_board board = { .campaign = c,
				     .store = s,
				     .seconds = PASS_SECONDS,
				     .passes = { .n_enough = ENOUGH_PROBES } };
	struct probe_oracle oracle = { .ask = probe_ask,
				       .context = &board,
				       .resolution = resolution };
	struct err ignored = { .code = ERR_OK };
	struct structures_request q = {
		.a = &c->arena,
		.oracle = &oracle,
		.exists = exists,
		.context = c,
		.report = say_what,
	};

	if (mc_parser_open(c->isa->triple, c->isa->default_cpu,
			   c->isa->features, &board.parser, e) == ERR_OK &&
	    ask_memory(&board, &oracle, e) == ERR_OK &&
	    structures_find(&q, ret, e) == ERR_OK) {
		(void)structures_add_all(all, c, ret, e);
		/* What was found before Ctrl-C in this last step is kept. */
		(void)structures_store(&c->arena, s, board.run, ret,
				       e->code == ERR_OK ? e : &ignored);
	}
	mc_parser_close(board.parser);
	ret->n_probes = board.passes.n_probes;
	ret->n_values = board.passes.n_values;
	ret->n_alone = board.passes.n_alone;
	ret->n_busy = board.passes.n_busy;
	probe_close(&board);
	if (isatty(STDERR_FILENO))
		(void)fprintf(stderr, "\r\033[K");
	return e->code;
}

/* ---- output ------------------------------------------------------------------- */

static void draw(struct buffer *b, const struct structures *s,
		 void (*site)(struct buffer *b, const struct view_claims *c))
{
	const struct claim like = { .board = "", .isa = "" };
	struct arena a = { 0 };
	struct view_claims claims = structures_claims(&a, s, &like);

	site(b, &claims);
	arena_free(&a);
}

/* The curve over sizes; a page with the table and the curves. */
static void write_svg(struct buffer *b, const struct structures *s)
{
	draw(b, s, site_structures_picture);
}

static void write_html(struct buffer *b, const struct structures *s)
{
	draw(b, s, site_structures_page);
}

typedef void write_structures(struct buffer *b, const struct structures *s);

static int write_one(const char *path, write_structures *write,
		     const struct structures *s, struct err *e)
{
	struct buffer b = { 0 };

	if (!path)
		return ERR_OK;
	write(&b, s);
	(void)file_write(path, b.bytes, b.n, e);
	buffer_free(&b);
	return e->code;
}

/* Would `estimate --caches` read it? */
static int check_file(struct arena *a, const char *text, struct err *e)
{
	struct caches list = { .n = 0 };
	struct err reason = { .code = ERR_OK };

	if (caches_parse(a, "the file", text, &list, &reason) != ERR_OK)
		return err_set(e, ERR_FAILED,
			       "no file of caches is written: %s",
			       reason.message);
	return ERR_OK;
}

static int write_file(const struct structures_args *o, struct campaign *c,
		      const struct structures *s, struct err *e)
{
	struct buffer b = { 0 };

	structures_file(
		&b, s, arena_printf(&c->arena, "%s, measured", c->board->name));
	if (check_file(&c->arena, buffer_text(&b), e) == ERR_OK)
		(void)file_write(o->file, b.bytes, b.n, e);
	buffer_free(&b);
	return e->code;
}

/* Each is written, whatever is wrong with another; the first error counts.  A part
 * of a file of caches looks like a whole one, so there is none if not `whole`. */
static int write_all(const struct structures_args *o, struct campaign *c,
		     const struct structures *s, bool whole, struct err *e)
{
	const struct {
		const char *path;
		write_structures *write;
	} list[] = { { o->csv, structures_csv },
		     { o->svg, write_svg },
		     { o->html, write_html } };

	if (o->file && whole)
		(void)write_file(o, c, s, e);
	for (size_t i = 0; i < ARRAY_LEN(list); i++) {
		struct err other = { .code = ERR_OK };

		(void)write_one(list[i].path, list[i].write, s, &other);
		if (e->code == ERR_OK)
			*e = other;
	}
	return e->code;
}

/* ---- the command -------------------------------------------------------------- */

static int check_board(const struct campaign *c, struct err *e)
{
	if (strcmp(c->board->transport, "fake") != 0)
		return ERR_OK;
	return err_set(e, ERR_INPUT,
		       "board '%s' is an invented core, which has no "
		       "structures but those in its file; see 'anechoic "
		       "boards'",
		       c->board->name);
}

static int run_on(const struct structures_args *o, const char *db,
		  struct campaign *c, struct buffer *out, struct err *e)
{
	struct structures *found = ARENA_NEW(&c->arena, struct structures);
	struct store *s = NULL;
	struct err late = { .code = ERR_OK };
	double begin = monotonic_s();

	if (store_open(db, true, &s, e) != ERR_OK)
		return e->code;
	/* After an error, too, there is what was found before. */
	(void)measure(&o->r.q, c, s, found, e);
	structures_text(out, found);
	if (write_all(o, c, found, e->code == ERR_OK, &late) == ERR_OK)
		buffer_printf(out,
			      "%zu runs of kernels in %.0f s; %zu of %zu "
			      "values were not seen twice, %zu only while "
			      "another thread of the core was busy\n",
			      found->n_probes, monotonic_s() - begin,
			      found->n_alone, found->n_values, found->n_busy);
	else if (e->code == ERR_OK)
		*e = late;
	store_close(s);
	return e->code;
}

static int run_structures(void *args, struct command_resources *r,
			  struct err *e)
{
	struct structures_args *o = args;
	struct campaign_request *q = &o->r.q;
	struct campaign c = { .request = NULL };
	const char *folder = NULL;

	if (!q->board)
		q->board = "linux-process";
	if (request_own_db(&o->r, &r->a, &folder, e) == ERR_OK &&
	    request_fill(&o->r, &r->a, e) == ERR_OK) {
		q->stop = interrupt_flag();
		if (campaign_start(q, &c, e) == ERR_OK &&
		    check_board(&c, e) == ERR_OK)
			(void)run_on(o, q->db, &c, &r->out, e);
		(void)output_write(NULL, &r->out, e);
		campaign_close(&c);
	}
	folder_close(folder);
	/* What is asked next depends on the answers: there is no --resume. */
	if (e->code == ERR_INTERRUPTED) {
		*e = (struct err){ .code = ERR_OK };
		(void)err_set(e, ERR_INTERRUPTED,
			      "%s: interrupted; begin again", q->board);
	}
	return e->code;
}

const struct command command_structures = {
	.name = "structures",
	.summary = "caches, translation, prediction and queues of a core",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(
		WORD("--board", r.q.board, "NAME", "board to measure",
		     .by_default = "linux-process", .see = "anechoic boards"),
		OPTION_ISA(r.q.isa), OPTION_TTY(r.q.tty), OPTION_BAUD(r.q.baud),
		OPTION_RESET(r.q.reset_command),
		WORD("--db", r.q.db, "FILE", "database of the kernels",
		     .by_default = "a temporary one"),
		WORD("--csv", csv, "FILE", "also write the curves as CSV"),
		WORD("--svg", svg, "FILE",
		     "also write the curve over sizes as a picture"),
		WORD("--html", html, "FILE",
		     "also write a page with the table and the curves"),
		WORD("-o", file, "FILE",
		     "also write a file of caches, for 'anechoic estimate "
		     "--caches FILE'")),
	.describe =
		"Measures what a core is made of other than instructions: "
		"sizes, lines, ways, latencies and bandwidths of its caches, "
		"lines in flight, buffers for translation, the cost of a "
		"mispredicted jump, instructions in flight. Each has an "
		"interval and how it was found, or why it was not "
		"(docs/structures.md).",
	.examples = "anechoic structures\n"
		    "anechoic structures -o core.conf --svg core.svg\n"
		    "anechoic structures --board qemu-virt --isa riscv64",
	.run = run_structures,
};
