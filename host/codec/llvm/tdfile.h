/* The scheduling model of LLVM's source, a TableGen file: where its costs stand,
 * and a file with other costs as a unified diff.
 *
 * This is no parser of TableGen.  It finds statements that every model has and
 * whose numbers are literals; others have no place and are left alone. */
#ifndef CODEC_LLVM_TDFILE_H
#define CODEC_LLVM_TDFILE_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/base/file.h"

enum tdfile_kind {
	TDFILE_PORTS, /* the resources: text, its value is 0 */
	TDFILE_LATENCY,
	TDFILE_RELEASE, /* the one number of ReleaseAtCycles */
	TDFILE_UOPS,
	TDFILE_N_KINDS,
};

/* A literal number, or what stands in the brackets of a list of resources: n bytes
 * at this offset; n is 0 where there is none. */
struct tdfile_number {
	size_t at, n;
	long value;
};

/* A write with its cost: `def NAME : SchedWriteRes<...>`, `def :
 * WriteRes<NAME, ...>` or `defm : MULTICLASS<NAME, ...>`. */
struct tdfile_write {
	const char *name;
	bool own;      /* defined here, so a copy is possible */
	bool shared;   /* others than its InstRWs take it; see tdfile_read() */
	bool advanced; /* a read advance is for its results alone */
	bool pair;     /* the multiclass also has the write of a load, NAMELd */
	size_t at, n;  /* the statement */
	size_t name_at;
	struct tdfile_number numbers[TDFILE_N_KINDS];
};

/* `def : InstRW<[WRITE, ...], (instrs ...)>` or instregex. */
struct tdfile_instrw {
	const char *write; /* the first */
	size_t write_at;
	const char *rest; /* the others, and reads; blanks between */
	bool several;     /* there is another write */
	size_t at, end;   /* of the statement */
	bool regex;       /* names are expressions */
	size_t n_names;
	const char *const *names;
};

struct tdfile {
	const char *path;
	const char *text;
	size_t n;
	size_t n_writes, n_instrws;
	struct tdfile_write *writes;
	struct tdfile_instrw *instrws;
};

/* Read n bytes of a model.  Everything is owned by `a`, the text is not copied.
 * A write is shared if its name stands anywhere but in its own definition and,
 * of a SchedWriteRes, as the first write of an InstRW: in a SchedAlias, SchedVar
 * or WriteSequence, in an InstRW of several writes, or as NAME.Latency.  Of a
 * pair, the name of its load counts, too.  A number of it changes forms that
 * this program does not know of.
 * ERR_INPUT with path and line if a statement does not end or an expression is
 * none. */
int tdfile_read(struct arena *a, const char *path, const char *text, size_t n,
		struct tdfile *ret, struct err *e);

/* tdfile_shared.c: sets `shared` and `several`, by text. */
void tdfile_find_shared(struct arena *a, struct tdfile *s);

/* tdfile_shared.c: the write of this name; NULL: none. */
const struct tdfile_write *tdfile_find(const struct tdfile *s,
				       const char *name);

/* Which of the n names does the InstRW list?  Sets ret[i] to true for these.
 * ERR_INPUT for an expression that is none. */
int tdfile_match(const struct tdfile *s, const struct tdfile_instrw *w,
		 const char *const *names, size_t n, bool *ret, struct err *e);

/* A change: n bytes at this offset become the text.  Several may insert at
 * one offset. */
struct tdfile_edit {
	size_t at, n;
	const char *text;
};

/* Append a unified diff of the edits, which do not overlap, with `path` as the
 * name of the file; they are sorted. */
void tdfile_diff(const struct tdfile *s, struct tdfile_edit *edits, size_t n,
		 struct buffer *ret);

#endif
