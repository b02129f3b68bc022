/* JSON as it comes (RFC 8259), one value after the other, into whatever the
 * caller fills: no tree, no recursion, whatever the nesting.
 *
 * Every function fails once something was wrong before, so that callers look
 * at e->code at the end of a list, not at every value; messages name path and
 * line. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct json {
	struct arena *a; /* of strings */
	const char *path;
	const char *at, *end;
	size_t line;
	struct err *e;
};

/* Always false, and ERR_INPUT. */
bool json_bad(struct json *j, const char *expected);

/* First character of the next value, '\0' at the end of the text. */
char json_peek(struct json *j);

/* Enter a list with '[' or '{'; json_next() is true for each of its items, and
 * leaves it.  *first: true before the first call. */
bool json_open(struct json *j, char open);
bool json_next(struct json *j, char open, bool *first);

/* The name of an object's item, and the colon behind it. */
bool json_key(struct json *j, const char **ret);

bool json_string(struct json *j, const char **ret);
bool json_number(struct json *j, double *ret);
bool json_bool(struct json *j, bool *ret);
/* Is it null?  Then go on behind it. */
bool json_null(struct json *j);
/* Go on behind the next value, whatever it is. */
bool json_skip(struct json *j);
/* Nothing but blanks is left. */
bool json_end(struct json *j);

#endif
