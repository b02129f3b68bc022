/* anechoic boards: what can be measured. */
#include <stdio.h>

#include "host/base/board.h"
#include "host/cli/cli.h"

#define LINE "%-16s %-8s %-6s %-6s %-8s %s\n"

static const char *or_dash(const char *s)
{
	return *s ? s : "-";
}

static void print_board(const struct board *b)
{
	printf(LINE, b->name, b->isa, b->boot, or_dash(b->clock), b->transport,
	       or_dash(b->verified));
	printf("  %s\n", b->describe);
}

static int run(const struct options *o, struct err *e)
{
	struct arena a = { 0 };
	struct board *boards;
	size_t n;

	(void)o;
	if (boards_read(&a, share_path(&a, "boards"), &boards, &n, e) ==
	    ERR_OK) {
		printf(LINE, "board", "isa", "boot", "clock", "link",
		       "verified");
		for (size_t i = 0; i < n; i++)
			print_board(&boards[i]);
	}
	arena_free(&a);
	return e->code;
}

const struct command command_boards = {
	.name = "boards",
	.summary = "list the boards that can be measured",
	.takes = "",
	.needs = "",
	.describe =
		"Each board is a text file boards/<name>/<isa>-<boot>.conf; "
		"docs/porting-board.md\nsays how to add one. Clock 'either' "
		"is a cycle counter where the core\nlends it, else a "
		"reference clock; the INFO record tells. Link 'none' "
		"means that this program makes its image, and you\nboot it "
		"and bring the log back with `anechoic import`.",
	.run = run,
};
