/* Files of boards and of caches: `key = value` lines; '#' starts a comment
 * line. cmake/board.cmake reads the same files, so the grammar stays this
 * small. */
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

/* Parse a file.  ERR_INPUT with file and line if a line is not blank, a comment
 * or `key = value`, or if a key is given twice. */
int conf_read(struct arena *a, const char *path, struct conf *ret_conf,
	      struct err *e);

/* The same of a text, which is called `path` in messages. */
int conf_parse(struct arena *a, const char *path, const char *text,
	       struct conf *ret_conf, struct err *e);

/* Value of a key, or NULL; and its line, or 0. */
const char *conf_get(const struct conf *c, const char *key);
int conf_line(const struct conf *c, const char *key);

/* ERR_INPUT with file and line if a key is not in the NULL-terminated list
 * `known`.  A known key that ends in a dot stands for itself with any decimal
 * number behind it. */
int conf_check_keys(const struct conf *c, const char *const *known,
		    struct err *e);

#endif
