/* The set of all lines that were ever accessed; see seen.h. */
#include "host/cache/seen.h"

#include <stdlib.h>

enum { FIRST_ROOM = 256 };

void seen_close(struct seen *s)
{
	for (size_t i = 0; i < s->room; i++)
		free(s->pages[i].bits);
	free(s->pages);
}

/* Place of a key, or the free place where it belongs.  The room is never
 * full. */
static struct seen_page *seen_find(struct seen_page *pages, size_t room,
				   uint64_t key)
{
	/* The hash of full.c, taken from the middle bits. */
	size_t at = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 24);

	for (at &= room - 1; pages[at].bits && pages[at].key != key;)
		at = (at + 1) & (room - 1);
	return &pages[at];
}

static bool seen_grow(struct seen *s)
{
	size_t room = s->room ? 2 * s->room : FIRST_ROOM;
	struct seen_page *pages = calloc(room, sizeof(*pages));

	if (!pages)
		return false;
	for (size_t i = 0; i < s->room; i++)
		if (s->pages[i].bits)
			*seen_find(pages, room, s->pages[i].key) = s->pages[i];
	free(s->pages);
	s->pages = pages;
	s->room = room;
	return true;
}

static bool seen_page(struct seen *s, uint64_t key)
{
	struct seen_page *p;

	if (2 * s->n >= s->room && !seen_grow(s))
		return false;
	p = seen_find(s->pages, s->room, key);
	if (!p->bits) {
		p->bits = calloc(SEEN_WORDS, sizeof(*p->bits));
		if (!p->bits)
			return false;
		p->key = key;
		s->n++;
	}
	s->last = *p;
	return true;
}

bool seen_add(struct seen *s, uint64_t line, bool *ret_short)
{
	uint64_t key = line >> SEEN_PAGE_BITS;
	uint64_t bit = UINT64_C(1) << (line & 63);
	uint64_t *word;
	bool fresh;

	if ((!s->last.bits || s->last.key != key) && !seen_page(s, key)) {
		*ret_short = true;
		return false;
	}
	word = &s->last.bits[line >> 6 & (SEEN_WORDS - 1)];
	fresh = !(*word & bit);
	*word |= bit;
	return fresh;
}
