/* Files that are compressed by xz. */
#ifndef CODEC_UNPACK_H
#define CODEC_UNPACK_H

#include "host/base/arena.h"
#include "host/base/err.h"

/* If the text is of xz, replace it by what it holds, a NUL behind it, owned by
 * `a`; else leave it.  ERR_INPUT if it is damaged, cut short, or holds more
 * than `limit` bytes. */
int unpack(struct arena *a, const char *path, size_t limit, const char **text,
	   size_t *n, struct err *e);

#endif
