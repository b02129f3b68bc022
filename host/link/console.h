/* A console that a command gives: its standard input and output become a
 * pseudo terminal, which the transport "serial" uses like any line.  If the
 * command ends it is started again, later each time (keeper.h). */
#ifndef LINK_CONSOLE_H
#define LINK_CONSOLE_H

#include <stddef.h>

#include "host/base/arena.h"
#include "host/base/err.h"

struct console;

struct console_request {
	const char *command; /* of the shell */
	const char *name; /* in messages: "--console-cmd 'telnet lab 7001'" */
	/* A shell command that runs once when the console is closed or this
	 * program dies in any way, killed included; NULL: none. */
	const char *at_end;
	/* Text for the user: the command ended, and why.  From another
	 * thread. */
	void (*notice)(const char *text);
};

enum console_state {
	CONSOLE_RUNS,
	CONSOLE_WAITS,  /* the command ended and will be started again */
	CONSOLE_FAILED, /* it does not work */
};

/* Start the command.  *q outlives the console.  Its standard error is that of
 * this program; the last lines are kept for messages.  ERR_SYSTEM. */
int console_open(const struct console_request *q, struct console **ret,
		 struct err *e);

/* The device to use as the serial line; as long as the console. */
const char *console_path(const struct console *c);

/* Is there a console?  Unless it runs, writes into why[room] how the command
 * ended and the end of its standard error. */
enum console_state console_look(struct console *c, char *why, size_t room);

/* End the command and all that it started, wait for `at_end`.  NULL does
 * nothing. */
void console_close(struct console *c);

#endif
