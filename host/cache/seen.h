/* The set of all lines that were ever accessed: bitmaps of pages, found through
 * a hash table that grows. */
#ifndef CACHE_SEEN_H
#define CACHE_SEEN_H

#include "common/types.h"

enum {
	SEEN_PAGE_BITS = 12, /* lines of a page, as a power of two */
	SEEN_WORDS = 1 << (SEEN_PAGE_BITS - 6),
};

struct seen_page {
	uint64_t key;
	uint64_t *bits; /* [SEEN_WORDS]; NULL: the place is free */
};

/* Zero-initialise before use. */
struct seen {
	struct seen_page *pages;
	size_t n, room; /* room: a power of two, or 0 */
	struct seen_page last;
};

void seen_close(struct seen *s);

/* Add a line; true if it was not in the set.  *ret_short is set if memory is
 * short; the line then counts as seen. */
bool seen_add(struct seen *s, uint64_t line, bool *ret_short);

#endif
