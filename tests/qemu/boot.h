/* A board's command started and its console read, with what a person types at
 * its firmware. */
#ifndef TESTS_QEMU_BOOT_H
#define TESTS_QEMU_BOOT_H

#include "host/base/board.h"

/* Files that marks of a command stand for. */
struct boot_files {
	const char *image;    /* @IMAGE@ */
	const char *firmware; /* @FIRMWARE@: a folder */
};

/* Start the board's command and return all that its console says until it ends
 * or timeout_s of the board have passed, with a NUL behind it; owned by `a`.
 *
 * `keys` is a file of lines "text|keys", the keys sent once the text has been
 * seen behind the last one; NULL for none.  Ends the program by fail() if the
 * command cannot be started, or a text is never seen. */
char *boot_console(struct arena *a, const struct board *b,
		   const struct boot_files *files, const char *keys);

#endif
