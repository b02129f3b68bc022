/* Splits a byte stream into lines of bounded length. */
#ifndef LINK_LINES_H
#define LINK_LINES_H

#include "common/wire.h"
#include "host/base/err.h"

enum {
	/* Room for a record and for text of the same length before it. */
	LINES_ROOM = 2 * WIRE_LINE_MAX,
};

/* Zero-initialise before use. */
struct lines {
	size_t n;
	char text[LINES_ROOM];
};

/* Called with each line, without newline and carriage return. */
typedef int lines_each(void *context, const char *line, size_t n,
		       struct err *e);

/* Process n bytes: call each() for every completed line.  A line longer than
 * LINES_ROOM is passed in pieces.  Stops at the first error and returns it. */
int lines_feed(struct lines *l, const char *bytes, size_t n, lines_each *each,
	       void *context, struct err *e);

/* Call each() for the text after the last newline, if any. */
int lines_end(struct lines *l, lines_each *each, void *context, struct err *e);

#endif
