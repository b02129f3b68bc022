/* The line of the board that is measured: checked and opened before the kernels are
 * made. */
#ifndef CLI_LINE_H
#define CLI_LINE_H

#include "host/cli/cli.h"
#include "host/link/listen.h"

struct line {
	struct arena arena;
	struct link_request request;
	struct listener *listener; /* NULL without --tty */
};

/* Fail early if the board needs an option that says where it is, or its line cannot
 * be opened; begin to listen to it.  The caller calls line_close() whatever the
 * result. */
int line_open(const struct options *o, struct line *ret, struct err *e);
void line_close(struct line *l);

#endif
