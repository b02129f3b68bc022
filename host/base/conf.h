/* Board files: `key = value` lines, '#' starts a comment line.  The same
 * lines are read by cmake/board.cmake, so the grammar stays this small. */
#ifndef BASE_CONF_H
#define BASE_CONF_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct conf_entry {
	const char *key;
	const char *value;
	int line;
};

struct conf {
	const char *path;
	size_t n;
	struct conf_entry *entries;
};

/* Parse a file; ERR_INPUT with file and line on anything else than blank
 * lines, comments and `key = value`, and on a key given twice. */
int conf_read(struct arena *a, const char *path, struct conf *ret_conf,
	      struct err *e);

/* Value of a key, or NULL. */
const char *conf_get(const struct conf *c, const char *key);

/* Refuse keys outside the NULL-terminated list `known`, naming file, line and
 * the known keys. */
int conf_check_keys(const struct conf *c, const char *const *known,
		    struct err *e);

#endif
