/* Finds the records of a console line.  Console programs add times, names and
 * control sequences to a line, and may lose its newline:
 *
 *	[23:45:42.712] @7 sample ... *a3f29cb7[0d]
 *	text           record                  text
 */
#ifndef LINK_RECORDS_H
#define LINK_RECORDS_H

#include "common/wire.h"
#include "host/link/lines.h"

/* A line that is being read.  Set by records_open(). */
struct records {
	const char *line;
	size_t n, at;
	char plain[LINES_ROOM]; /* the line without control sequences */
};

/* A piece of a line: text, and the record behind it.  The pointers are into
 * the line or into *records. */
struct records_piece {
	const char *text; /* of n_text bytes; may be 0 */
	size_t n_text;
	bool is_record;  /* and then `record` is set */
	bool is_damaged; /* the text has a record's mark and a wrong checksum */
	bool shares_line;  /* a record is on the same line */
	const char *bytes; /* of the record, n_bytes */
	size_t n_bytes;
	struct wire_record record;
};

/* Begin with the n bytes at `line`, which must stay; at most LINES_ROOM. */
void records_open(struct records *r, const char *line, size_t n);

/* Set *ret to the next piece; false at the end of the line. */
bool records_next(struct records *r, struct records_piece *ret);

/* Copy the text without control characters and ECMA-48 control sequences into
 * plain[n].  Returns its length. */
size_t records_plain(const char *text, size_t n, char *plain);

/* Can this program read what the runtime of this info record writes
 * (tests/compat/README.md)?  If not, set an error of `code` with both versions
 * and what to do, behind `where`. */
int records_check(const struct wire_record *info, const char *where, int code,
		  struct err *e) MUST_CHECK;

#endif
