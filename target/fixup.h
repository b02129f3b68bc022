/* What a board needs beyond its text file: boards/<board>/fixup.c.  Every
 * runtime that a board of that folder names has it, and applies it where the
 * device tree says that it runs on such a board. */
#ifndef TARGET_FIXUP_H
#define TARGET_FIXUP_H

#include "common/types.h"

struct fixup {
	/* Families of chips in `compatible` of the tree's root, as tree_chip()
	 * reads them, any of them; NULL-terminated. */
	const char *const *chips;
	/* Do it before anything is measured; a word for INFO says what. */
	const char *(*apply)(void);
};

/* Generated from the files there are: NULL-terminated. */
extern const struct fixup *const fixups[];

#endif
