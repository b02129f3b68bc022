/* Clean compiler-generated assembly for LLVM's parser. Directives that are
 * skipped and comments become blanks of the same length, so that lines and
 * columns stay. Marks of regions are recorded. What the parser may execute is
 * decided behind it; see host/isa/mc_guard.h. */
#ifndef PREDICT_SOURCE_H
#define PREDICT_SOURCE_H

#include <string.h>

#include "host/base/arena.h"
#include "host/base/err.h"

struct isa_loop; /* host/isa/loop.h */

/* Text or machine code, and its name in messages. */
struct code {
	const char *name;
	const void *bytes;
	size_t n;
};

enum source_mark_kind {
	MARK_OSACA_BEGIN,
	MARK_OSACA_END,
	MARK_MCA_BEGIN,
	MARK_MCA_END,
	/* Bytes of isa_loop.marker; the move before them gives the kind. */
	MARK_BYTES,
};

/* The newline of the line that contains `at`, or `end` if it has none. */
static inline const char *source_line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

/* Syntax of x86 assembly; other instruction sets have one. */
enum source_dialect {
	DIALECT_AUTO, /* as the text's directives or its operands say */
	DIALECT_INTEL,
	DIALECT_ATT,
};

struct source_mark {
	enum source_mark_kind kind;
	uint32_t line;
};

struct source {
	const char *name; /* name of the file */
	const char *text; /* the original text */
	size_t n;
	char *clean;    /* cleaned text: n bytes and a NUL */
	size_t n_lines; /* line i is text[lines[i]..lines[i + 1]) */
	const uint32_t *lines;
	size_t n_marks;
	const struct source_mark *marks;
	enum source_dialect dialect; /* of the operands; AUTO: not known */
};

/* The bytes of a byte-order mark of UTF-8 at the start of a text, or 0. */
static inline size_t source_mark_bytes(const char *text, size_t n)
{
	return n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Read and clean a source text or one of foreign.h. Name and bytes must outlive
 * *ret; the rest belongs to `a`. ERR_INPUT with name, line and
 * column: lines that are too long and bytes that are not text. */
int source_read(struct arena *a, const struct code *text,
		const struct isa_loop *rules, struct source *ret,
		struct err *e);

/* Line `line` (the first is 1) without leading blanks and trailing comments;
 * belongs to `a`. */
const char *source_line(struct arena *a, const struct source *s, uint32_t line);

#endif
