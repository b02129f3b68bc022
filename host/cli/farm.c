/* anechoic farm: measure all boards of a file side by side. */
#include "host/farm/farm.h"

#include <stdio.h>

#include "host/cli/cli.h"

struct farm_args {
	const char *file, *output;
};
#define ARGS struct farm_args

static void show_board(const struct farm_state *s)
{
	printf("%-16s %-8s %5.1f s  try %u%s%s\n", s->name, s->state,
	       s->seconds, s->tries, *s->why ? "  " : "", s->why);
	(void)fflush(stdout);
}

static int farm_run(void *args, struct command_resources *r, struct err *e)
{
	const struct farm_args *o = args;
	const struct farm_request q = {
		.path = o->file,
		.folder = o->output,
		.stop = interrupt_flag(),
		.show = show_board,
	};

	(void)r;
	return farm_measure(&q, e);
}

const struct command command_farm = {
	.name = "farm",
	.summary = "measure all boards of a laboratory side by side",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(WORD("-o", output, "DIR",
				"folder of databases, logs and the summary",
				.required = true)),
	.operand = "FILE",
	.operand_field = offsetof(ARGS, file),
	.describe =
		"FILE has a line NAME.KEY = value for each key of a board "
		"(docs/farm.md). Each board is measured as by 'collect', or "
		"started on this machine as by 'measure' if it has no console "
		"there; one that fails is tried again, up to 'tries' times "
		"(default 3), "
		"and continues where it was. A board that does not finish a "
		"try within 'limit' is stopped. DIR has NAME.db and NAME.log "
		"of "
		"each board, summary.json, and all databases merged: all.db.",
	.examples = "anechoic farm lab.conf -o results",
	.run = farm_run,
};
