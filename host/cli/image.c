/* anechoic image: make a file that boots on a board. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/campaign/imported.h"
#include "host/campaign/port_search.h"
#include "host/campaign/runs.h"
#include "host/cli/ports.h"
#include "host/cli/request.h"
#include "host/cli/time_command.h"
#include "host/cli/traffic.h"
#include "host/plan/plan.h"

struct image_args {
	struct request_args r;
	const char *output, *code;
};
#define ARGS struct image_args

/* What the image measures, and what the console will take: `left` of the
 * kernels, where some have their results. */
static void print_set(const struct campaign *c, uint32_t left)
{
	uint32_t n = campaign_n_measured(c);

	if (left < n)
		printf("%" PRIu32 " of %" PRIu32 " kernels are left", left, n);
	else
		printf("%" PRIu32 " kernels and %zu of calibration", n,
		       gen_n_kernels(c->gen) - n);
	printf(", at most about %" PRIu64 " cycles on a core clock\n",
	       (uint64_t)left * c->kernel_cycles);
	traffic_estimate(c->board, c->pack.bytes, left, 0);
}

/* Kernels from this place on, which is counted over all visits; a part of the
 * visits counts as so many kernels. */
static uint32_t count_left(const struct campaign *c, uint64_t from)
{
	const void *pack = c->pack.bytes;
	uint32_t n = pack_header(pack)->n_kernels;
	uint32_t visits = pack_header(pack)->n_visits;
	uint32_t measured = campaign_n_measured(c), later = 0;

	for (uint32_t k = (uint32_t)(from % n); k < n; k++)
		later += !(pack_kernels(pack)[k].flags & PACK_KERNEL_CALIB);
	/* The only visit of a core clock, or the first one. */
	if (from < n)
		return later;
	if (from / n >= visits)
		return 0;
	return (uint32_t)(((visits - 1 - from / n) * measured + later) /
			  visits);
}

/* Go on with the unfinished run of the same set: where its log stopped, without
 * what stopped the board twice.  *ret_left: kernels. */
static int go_on(struct campaign *c, struct campaign_request *q,
		 uint32_t *ret_left, struct err *e)
{
	char id[RUNS_PACK_ID];
	const struct run like = runs_describe(c, plan_what_words(c->what));
	const struct runs_query query = { .db = q->db,
					  .like = &like,
					  .pack = id };
	struct imported_rest rest;
	struct run old = { .id = 0 };
	struct store *s;

	runs_pack_id(c, id);
	if (store_open_to_read(q->db, &s, e) != ERR_OK)
		return e->code;
	if (runs_unfinished(s, &c->arena, &query, &old, e) == ERR_OK &&
	    old.id == 0)
		(void)err_set(e, ERR_INPUT,
			      "--resume: %s has no unfinished run of this "
			      "board, set and CPU",
			      q->db);
	if (e->code == ERR_OK &&
	    imported_find_rest(s, &c->arena, old.id, c->pack.bytes, &rest, e) ==
		    ERR_OK) {
		q->boot_options = rest.options;
		*ret_left = count_left(c, rest.from);
		printf("goes on with run %" PRId64 ": %s\n", old.id,
		       q->boot_options);
	}
	store_close(s);
	return e->code;
}

static int make(struct campaign_request *q, const char *output,
		struct buffer *image, struct err *e)
{
	struct campaign c;
	uint32_t left = UINT32_MAX;

	if (campaign_open(q, &c, e) == ERR_OK &&
	    (!q->resume || go_on(&c, q, &left, e) == ERR_OK) &&
	    campaign_image(&c, image, e) == ERR_OK &&
	    file_write(output, image->bytes, image->n, e) == ERR_OK) {
		printf("%s: %s image for %s (%s), %zu bytes\n", output,
		       c.board->image, c.board->name, c.board->isa, image->n);
		if (!q->resume)
			left = campaign_n_measured(&c);
		print_set(&c, left);
	}
	campaign_close(&c);
	return e->code;
}

/* The database gets the code, so that `import` of the image's log knows it. */
static int keep_code(const struct campaign *c, const char *db, struct err *e)
{
	struct store *s;

	if (!db)
		return ERR_OK;
	if (store_open(db, true, &s, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < gen_n_kernels(c->gen) && e->code == ERR_OK;
	     i++) {
		struct kernel_row row;

		gen_kernel_row(c->gen, i, &row);
		(void)store_code(s, &row, e);
	}
	store_close(s);
	return e->code;
}

/* An image that measures the code of a file. */
static int make_code(const struct image_args *o, struct buffer *image,
		     struct err *e)
{
	struct campaign c;

	if (campaign_start(&o->r.q, &c, e) == ERR_OK &&
	    time_pack_file(&c, o->code, e) == ERR_OK &&
	    campaign_image(&c, image, e) == ERR_OK &&
	    keep_code(&c, o->r.q.db, e) == ERR_OK &&
	    file_write(o->output, image->bytes, image->n, e) == ERR_OK) {
		printf("%s: %s image for %s (%s), %zu bytes\n", o->output,
		       c.board->image, c.board->name, c.board->isa, image->n);
		print_set(&c, campaign_n_measured(&c));
	}
	campaign_close(&c);
	return e->code;
}

/* The next image of a port search. */
static int make_step(struct campaign_request *q, const char *output,
		     struct buffer *image, struct err *e)
{
	struct port_search_next next = { 0 };

	if (ports_next_image(q, output, image, &next, e) == ERR_OK &&
	    next.n_kernels > 0)
		printf("%s: %zu kernels, %zu bytes\n"
		       "boot it, record the console, then: anechoic import "
		       "--log FILE --db %s, and this command once more\n",
		       output, next.n_kernels, image->n, q->db);
	return e->code;
}

static int image_run(void *args, struct command_resources *r, struct err *e)
{
	struct image_args *o = args;
	struct campaign_request *q = &o->r.q;
	bool ports = q->what && strcmp(q->what, "ports") == 0;

	if (request_fill(&o->r, &r->a, e) == ERR_OK && o->code)
		return make_code(o, &r->out, e);
	return e->code != ERR_OK
		       ? e->code
		       : (ports ? make_step : make)(q, o->output, &r->out, e);
}

const struct command command_image = {
	.name = "image",
	.summary = "make a bootable image for a board",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(OPTION_BOARD(r.q.board), OPTION_ISA(r.q.isa),
			   OPTION_CPU(r.q.cpu), OPTION_FORMS(r.q.forms),
			   OPTION_VARIANTS(r.variants), OPTION_X87(r.x87),
			   OPTION_WHAT(r.q.what), OPTION_SHARD(r.shard),
			   OPTION_KERNEL_CYCLES(r.q.kernel_cycles),
			   WORD("--code", code, "FILE",
				"measure the code of this file (docs/time.md)",
				.not_with = "--forms --variants --x87 --what "
					    "--shard --resume"),
			   WORD("--db", r.q.db, "FILE",
				"with --what ports or --resume: database of "
				"the search, or of the run; with --code: one "
				"that keeps the code's bytes",
				.by_default = "anechoic.db, none with --code",
				.needs = "--what=ports --resume --code"),
			   FLAG("--resume", r.q.resume,
				"go on with the unfinished run of --db: from "
				"the kernel at which its log stopped, and "
				"without those that stopped the board twice",
				.not_with = "--what=ports"),
			   OPTION_OUTPUT(output)),
	.describe =
		"The image contains the runtime and the kernels of the plan. "
		"When booted, it runs without further input and writes its "
		"results to the console. Record the console and read the log "
		"with 'anechoic import'. boards/<name>/README.md says how to "
		"boot the image.\n"
		"\n"
		"A search for ports decides by each result what to measure "
		"next. So --what ports makes an image of the next mixes; once "
		"the log is in --db, the same command makes the one after, or "
		"prints what the search found.\n"
		"\n"
		"--code FILE measures your own code, as 'anechoic time' does.",
	.examples =
		"anechoic image --board banana-pi-f3 -o f3.img\n"
		"anechoic image --board banana-pi-f3 --code loop.s -o f3.img",
	.run = image_run,
};
