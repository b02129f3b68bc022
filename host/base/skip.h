/* Entries of a file that are left out because they are not as they must be,
 * while the rest of the file is read. */
#ifndef BASE_SKIP_H
#define BASE_SKIP_H

#include "host/base/err.h"

struct skips {
	size_t n;
	struct err first; /* why, of the first */
};

/* If `e` says that input is bad, count it and clear `e`: the caller leaves the
 * entry out and goes on.  Returns whether it did.  `s` NULL: nothing may be
 * left out. */
static inline bool skip_entry(struct skips *s, struct err *e)
{
	if (!s || e->code != ERR_INPUT)
		return false;
	if (s->n++ == 0)
		s->first = *e;
	*e = (struct err){ .code = ERR_OK };
	return true;
}

#endif
