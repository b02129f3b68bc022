/* Runs a child program as a stream: its stdin and stdout are the console. */
#ifndef LINK_SPAWN_H
#define LINK_SPAWN_H

#include "host/link/link.h"

/* Start the board's command, split at blanks (no shell), with @IMAGE@, @PACK@
 * and @RUNTIME@ replaced by the request's file names.  The child leads its own
 * process group, which close() kills, and is killed when this program ends.
 * Its stderr is delivered as whole lines between those of stdout.  ERR_FAILED
 * if the program cannot be started or the request lacks a file name. */
int spawn_open(const struct link_request *q, struct stream *ret_stream,
	       struct err *e);

#endif
