/* A console that a command gives: its standard input and output become a
 * pseudo terminal, which the transport "serial" uses like any line.  If the
 * command ends it is started again. */
#ifndef LINK_CONSOLE_H
#define LINK_CONSOLE_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct console;

/* Start the shell command.  `at_end` (NULL: none) is a shell command that runs
 * once when the console is closed or this program dies in any way, killed
 * included.  ERR_SYSTEM. */
int console_open(const char *command, const char *at_end, struct console **ret,
		 struct err *e);

/* The device to use as the serial line; as long as the console. */
const char *console_path(const struct console *c);

/* Kill the command, wait for `at_end`.  NULL does nothing. */
void console_close(struct console *c);

#endif
