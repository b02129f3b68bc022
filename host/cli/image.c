/* anechoic image: make a file that boots on a board. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/campaign/port_search.h"
#include "host/cli/ports.h"
#include "host/cli/request.h"

static int make(const struct campaign_request *q, const char *output,
		struct err *e)
{
	struct campaign c;
	struct buffer image = { 0 };

	if (campaign_open(q, &c, e) == ERR_OK &&
	    campaign_image(&c, &image, e) == ERR_OK &&
	    file_write(output, image.bytes, image.n, e) == ERR_OK) {
		size_t n = gen_n_kernels(c.gen);

		printf("%s: %s image for %s (%s), %zu bytes\n", output,
		       c.board->image, c.board->name, c.board->isa, image.n);
		printf("%zu kernels, at most about %" PRIu64
		       " cycles on a core clock\n",
		       n, (uint64_t)n * c.kernel_cycles);
	}
	buffer_free(&image);
	campaign_close(&c);
	return e->code;
}

static void print_found(void *context, const struct port_search_result *r)
{
	const struct campaign_request *q = context;

	ports_print(r);
	printf("\nthe model:  anechoic model --db %s\n", q->db);
}

static void say_nothing(void *context)
{
	(void)context;
}

/* The next image of a port search. */
static int make_step(struct campaign_request *q, const char *output,
		     struct err *e)
{
	const struct port_search_events events = {
		.no_old_run = say_nothing,
		.found = print_found,
		.context = q,
	};
	struct buffer image = { 0 };
	size_t n = 0;

	if (port_search_image(q, &events, &image, &n, e) == ERR_OK && n > 0 &&
	    file_write(output, image.bytes, image.n, e) == ERR_OK)
		printf("%s: %zu kernels, %zu bytes\n"
		       "boot it, record the console, then: anechoic import "
		       "--log FILE --db %s, and this command once more\n",
		       output, n, image.n, q->db);
	buffer_free(&image);
	return e->code;
}

static int image_run(const struct options *o, struct err *e)
{
	bool ports = o->what && strcmp(o->what, "ports") == 0;
	struct arena a = { 0 };
	struct campaign_request q;

	if (request_fill(o, &a, &q, e) == ERR_OK)
		(void)(ports ? make_step(&q, o->output, e)
			     : make(&q, o->output, e));
	arena_free(&a);
	return e->code;
}

const struct command command_image = {
	.name = "image",
	.summary = "make a bootable image for a board",
	.options = OPTIONS(OPTION_BOARD, OPTION_ISA, OPTION_CPU, OPTION_FORMS,
			   OPTION_VARIANTS, OPTION_X87, OPTION_WHAT,
			   OPTION_SHARD, OPTION_KERNEL_CYCLES,
			   WORD("--db", db, "FILE",
				"with --what ports: database of the search",
				.by_default = "anechoic.db",
				.needs = "--what=ports"),
			   OPTION_OUTPUT),
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
		"prints what the search found.",
	.examples = "anechoic image --board banana-pi-f3 -o f3.img",
	.run = image_run,
};
