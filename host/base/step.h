/* A step of a board's dialogue: a text that its firmware prints, and what is
 * typed there. */
#ifndef BASE_STEP_H
#define BASE_STEP_H

#include "host/base/arena.h"
#include "host/base/err.h"

enum {
	STEP_MAX_TEXT = 64,
	STEP_MAX_KEYS = 512,
	STEP_MAX_LIMIT_S = 3600,
};

struct step {
	const char *text; /* printed by the firmware; never empty */
	const char *keys; /* n_keys bytes to type, with Enter at their end */
	size_t n_keys;
	/* The text must appear within this time after the last step, or after
	 * the board's start; 0: whenever it does. */
	uint32_t limit_s;
	int line; /* of the .conf file, for messages */
};

/* Read "TEXT|KEYS" or "SECONDS|TEXT|KEYS".  Enter follows KEYS unless they end
 * in \c; \e is Escape, \\ a backslash, \xHH any other byte.  Strings are owned
 * by `a`.  ERR_INPUT with what was expected and without a place, which the
 * caller knows. */
int step_read(struct arena *a, const char *from, struct step *ret,
	      struct err *e);

#endif
