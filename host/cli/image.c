/* anechoic image: make a file that boots on a board. */
#include <inttypes.h>
#include <stdio.h>

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

static int run(const struct options *o, struct err *e)
{
	struct arena a = { 0 };
	struct campaign_request q;

	if (request_fill(o, &a, &q, e) == ERR_OK)
		(void)make(&q, o->output, e);
	arena_free(&a);
	return e->code;
}

const struct command command_image = {
	.name = "image",
	.summary = "make a bootable image for a board",
	.options = OPTIONS(OPTION_BOARD, OPTION_ISA, OPTION_CPU, OPTION_FORMS,
			   OPTION_VARIANTS, OPTION_X87, OPTION_WHAT,
			   OPTION_KERNEL_CYCLES, OPTION_OUTPUT),
	.describe =
		"The image contains the runtime and the kernels of the plan. "
		"When booted, it runs without further input and writes its "
		"results to the console. Record the console and read the log "
		"with 'anechoic import'. boards/<name>/README.md says how to "
		"boot the image.",
	.examples = "anechoic image --board banana-pi-f3 -o f3.img",
	.run = run,
};
