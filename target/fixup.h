/* Code that a board needs in addition to its text file: boards/<board>/fixup.c.
 * Every runtime of that folder's boards includes it, and applies it if the
 * device tree describes such a board. */
#ifndef TARGET_FIXUP_H
#define TARGET_FIXUP_H

#include "common/types.h"

struct fixup {
	/* Families of chips in `compatible` of the tree's root, as tree_chip()
	 * reads them, any of them; NULL-terminated. */
	const char *const *chips;
	/* A part of the board that is left as the firmware left it, and is not
	 * read either, in a word for INFO; or NULL. */
	const char *unread;
	/* Apply before any measurement; returns a word for INFO.  Or NULL. */
	const char *(*apply)(void);
	/* The same on each hart that runs, before it does anything else: what
	 * the core itself needs, such as its caches.  Or NULL. */
	const char *(*start)(void);
};

/* Generated from the existing files: NULL-terminated. */
extern const struct fixup *const fixups[];

#endif
