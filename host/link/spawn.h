/* A child program as a stream: its stdin and stdout are the console. */
#ifndef LINK_SPAWN_H
#define LINK_SPAWN_H

#include "host/link/link.h"

/* Start board->command of the request, cut into words at blanks (no shell),
 * with @IMAGE@, @PACK@ and @RUNTIME@ replaced by the request's file names.
 * The child leads its own process group, which close() kills, and dies with
 * this program.  What it writes to stderr is delivered as whole lines between
 * those of stdout.  ERR_FAILED when the program is missing or a file name is
 * wanted that the request lacks. */
int spawn_open(const struct link_request *q, struct stream *ret_stream,
	       struct err *e);

#endif
