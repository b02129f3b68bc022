/* Assembly text as compilers write it, made harmless: directives and comments
 * become blanks of the same length, so that lines and columns stay, and what
 * marks a region is noted.  LLVM's parser gets the rest. */
#ifndef PREDICT_SOURCE_H
#define PREDICT_SOURCE_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct isa_loop; /* host/isa/isa.h */

enum source_mark_kind {
	MARK_OSACA_BEGIN,
	MARK_OSACA_END,
	MARK_MCA_BEGIN,
	MARK_MCA_END,
	MARK_BYTES, /* those of isa_loop.marker: the move before tells which */
};

struct source_mark {
	enum source_mark_kind kind;
	uint32_t line;
};

struct source {
	const char *name; /* of the file */
	const char *text; /* as it was */
	size_t n;
	char *clean;    /* n bytes and a NUL */
	size_t n_lines; /* line i is text[lines[i]..lines[i + 1]) */
	const uint32_t *lines;
	size_t n_marks;
	const struct source_mark *marks;
};

/* ERR_INPUT with name, line and column: lines that are too long to be
 * assembly, bytes that are no text, directives that make text out of text.
 * `text` must outlive *ret. */
int source_read(struct arena *a, const char *name, const char *text, size_t n,
		const struct isa_loop *rules, struct source *ret,
		struct err *e);

/* Line i, from 1, without blanks around and comments behind; owned by `a`. */
const char *source_line(struct arena *a, const struct source *s, uint32_t line);

#endif
