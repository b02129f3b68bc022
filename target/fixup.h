/* What a board needs beyond its text file: boards/<board>/fixup.c.  Every
 * runtime that a board of that folder names has it, and applies it where the
 * device tree says that it runs on such a board. */
#ifndef TARGET_FIXUP_H
#define TARGET_FIXUP_H

#include "common/types.h"

struct fixup {
	/* Of the tree's root, any of them; NULL-terminated. */
	const char *const *compatible;
	/* Do it before anything is measured; a word for INFO says what. */
	const char *(*apply)(void);
};

/* Generated from the files there are: NULL-terminated. */
extern const struct fixup *const fixups[];

#endif
