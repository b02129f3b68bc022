/* JSON (RFC 8259): a pull reader, and a function that writes strings.
 *
 * The caller of the reader reads one value after the other.  The reader builds
 * no tree and does not recurse, however deep the nesting.
 *
 * After the first error every function returns false, so callers may check
 * e->code once at the end of a list.  Messages name path and line. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/base/file.h"

struct json {
	struct arena *a; /* owns the strings */
	const char *path;
	const char *at, *end;
	size_t line;
	struct err *e;
};

/* Set ERR_INPUT "PATH:LINE: expected ..."; returns false. */
bool json_bad(struct json *j, const char *expected);

/* json_open() enters a list ('[') or an object ('{'). json_next() then returns
 * true for each item, and false after skipping the closing bracket.  Set *first
 * to true before the first json_next(). */
bool json_open(struct json *j, char open);
bool json_next(struct json *j, char open, bool *first);

/* Read the key of an object's item and the colon after it. */
bool json_key(struct json *j, const char **ret);

bool json_string(struct json *j, const char **ret);
bool json_number(struct json *j, double *ret);
bool json_bool(struct json *j, bool *ret);
/* If the next value is null, skip it and return true. */
bool json_null(struct json *j);
/* Skip the next value of any type. */
bool json_skip(struct json *j);
/* True if only blanks are left; otherwise an error. */
bool json_end(struct json *j);

/* Append the text as a JSON string.  Bytes that are not UTF-8 become U+FFFD. */
void json_add_string(struct buffer *b, const char *text);
/* The same, with each ASCII character of `further` written as \u00xx. */
void json_add_escaped(struct buffer *b, const char *text, const char *further);

/* Bytes of the character at s[0..n), 0 if it is not UTF-8 (RFC 3629: no
 * overlong forms, no surrogates, at most U+10FFFF). */
size_t utf8_size(const unsigned char *s, size_t n);

#endif
