/* The version of the wire that an info record names (docs/compatibility.md). */
#ifndef LINK_PROTO_H
#define LINK_PROTO_H

#include "common/wire.h"
#include "host/base/err.h"

/* Can this program read what the runtime of this info record writes?  If not,
 * set an error of `code` with both versions and what to do, behind `where`. */
int proto_check(const struct wire_record *info, const char *where, int code,
		struct err *e) MUST_CHECK;

#endif
