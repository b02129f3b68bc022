/* anechoic boards: what can be measured. */
#include <stdio.h>

#include "host/base/board_places.h"
#include "host/cli/cli.h"

#define LINE "%-16s %-8s %-6s %-6s %-8s %s\n"

static const char *or_dash(const char *s)
{
	return *s ? s : "-";
}

static void print_board(const struct board *b)
{
	printf(LINE, b->name, b->isa, b->boot, or_dash(clock_word(b->clock)),
	       b->transport, or_dash(b->verified));
	printf("  %s\n", b->describe);
}

static int boards_run(void *args, struct command_resources *r, struct err *e)
{
	struct board *boards;
	size_t n;

	(void)args;
	if (boards_list(&r->a, share_folder(&r->a), &boards, &n, e) != ERR_OK)
		return e->code;
	printf(LINE, "board", "isa", "boot", "clock", "link", "verified");
	for (size_t i = 0; i < n; i++)
		print_board(&boards[i]);
	return ERR_OK;
}

const struct command command_boards = {
	.name = "boards",
	.summary = "list the boards that can be measured",
	.describe =
		"Each board is a text file boards/<name>/<isa>-<boot>.conf of "
		"the installation or of $XDG_CONFIG_HOME/anechoic "
		"(~/.config/anechoic); --board also takes the path of such a "
		"folder, with a slash, as ./desk. docs/porting-board.md says "
		"how to add one. The columns:\n"
		"\n"
		"  clock     what the board counts: cycles of its core, ticks "
		"of a reference\n"
		"            clock, or either: cycles if the core allows it, "
		"which its INFO\n"
		"            record says\n"
		"  link      how records come back: with qemu and process this "
		"program starts\n"
		"            the runtime; serial is a line (--tty DEV) or a "
		"recorded log of one\n"
		"            ('anechoic import')\n"
		"  verified  where this board file has been used with success; "
		"see\n"
		"            boards/<name>/README.md\n"
		"\n"
		"'anechoic doctor --board NAME' lists what is missing here to "
		"use a board.",
	.run = boards_run,
};
