/* A byte stream cut into lines of bounded length. */
#ifndef LINK_LINES_H
#define LINK_LINES_H

#include "common/wire.h"
#include "host/base/err.h"

enum {
	/* A record, and as much again of text printed before it. */
	LINES_ROOM = 2 * WIRE_LINE_MAX,
};

/* Zero-initialise before use. */
struct lines {
	size_t n;
	char text[LINES_ROOM];
};

/* Called with each line, newline and carriage return removed. */
typedef int lines_each(void *context, const char *line, size_t n,
		       struct err *e);

/* Take n bytes; calls each() for every line they complete.  A line longer
 * than LINES_ROOM is handed over in pieces.  Stops at the first error. */
int lines_feed(struct lines *l, const char *bytes, size_t n, lines_each *each,
	       void *context, struct err *e);

/* Hand over what stands after the last newline, if anything. */
int lines_end(struct lines *l, lines_each *each, void *context, struct err *e);

#endif
