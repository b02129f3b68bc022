/* Comma-separated values (RFC 4180) whose first record names the columns, in
 * any order.  Messages of the reader name the line. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/base/file.h"

enum { CSV_MAX_FIELDS = 64 };

struct csv {
	struct arena *a;
	const char *path;
	const char *at, *end;
	size_t line;       /* of `at`, from 1 */
	size_t first_line; /* of the record just read */
	const char *fields[CSV_MAX_FIELDS];
	size_t n_fields;
	size_t width; /* fields of the header */
	struct err *e;
};

/* Begin to read text[0..n); `path` is its name in messages. Fields belong to
 * `a`. */
void csv_begin(struct csv *r, struct arena *a, const char *path,
	       const char *text, size_t n, struct err *e);

/* Read the header. places[k] is set to the column with names[k]. ERR_INPUT
 * unless each of the n names is there once; other columns are allowed and keep
 * their names in r->fields. */
int csv_header(struct csv *r, const char *const *names, size_t n,
	       size_t *places);

/* Read the next record, which must have as many fields as the header; blank
 * lines are skipped. *ret_more is false at the end of the text. */
int csv_next(struct csv *r, bool *ret_more);

/* "PATH:LINE: expected ...", of the record just read: ERR_INPUT. */
int csv_bad(const struct csv *r, const char *expected);

/* Append a field, quoted if necessary, or always. */
void csv_add(struct buffer *b, const char *text);
void csv_add_quoted(struct buffer *b, const char *text);

#endif
