/* anechoic boards: what can be measured. */
#include <stdio.h>

#include "host/base/board.h"
#include "host/cli/cli.h"

static int run(const struct options *o, struct err *e)
{
	struct arena a = { 0 };
	struct board *boards;
	size_t n;

	(void)o;
	if (boards_read(&a, share_path(&a, "boards"), &boards, &n, e) ==
	    ERR_OK) {
		printf("%-16s %-8s %-6s %-9s %s\n", "board", "isa", "boot",
		       "link", "what it is");
		for (size_t i = 0; i < n; i++)
			printf("%-16s %-8s %-6s %-9s %s\n", boards[i].name,
			       boards[i].isa, boards[i].boot,
			       boards[i].transport, boards[i].describe);
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
		"docs/porting-a-board.md\nsays how to add one. Link 'none' "
		"means that this program makes its image, and you\nboot it "
		"and bring the log back with `anechoic import`.",
	.run = run,
};
