/* Boot a board's image once and print what its console says.
 *
 *	console BOARDS FIRMWARE BOARD ISA IMAGE [KEYS]
 *
 * BOARDS is a folder of boards; FIRMWARE and KEYS are those of
 * tests/qemu/boot.h. */
#include <stdio.h>

#include "tests/qemu/boot.h"
#include "tests/qemu/records.h"

/* Arguments of the command line, by position. */
enum { ARG_BOARDS = 1, ARG_FIRMWARE, ARG_BOARD, ARG_ISA, ARG_IMAGE, ARG_KEYS };

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	const struct board *board;
	struct board *boards;
	size_t n;

	if (argc < ARG_KEYS || argc > ARG_KEYS + 1) {
		fprintf(stderr, "console BOARDS FIRMWARE BOARD ISA IMAGE "
				"[KEYS]\n");
		return 2;
	}
	if (boards_read(&a, argv[ARG_BOARDS], &boards, &n, &e) ||
	    board_find(boards, n, argv[ARG_BOARD], argv[ARG_ISA], &board, &e))
		fail("board", e.message);

	const struct boot_files files = { argv[ARG_IMAGE], argv[ARG_FIRMWARE] };

	fputs(boot_console(&a, board, &files,
			   argc > ARG_KEYS ? argv[ARG_KEYS] : NULL),
	      stdout);
	arena_free(&a);
	return 0;
}
