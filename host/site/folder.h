/* Writes a folder that appears whole or not at all: the files are written to a
 * temporary folder next to it, which is renamed when it is complete.  A folder
 * that is there stays: the temporary folder is in it, files of an earlier call
 * are replaced or removed one by one, and others are not touched. */
#ifndef SITE_FOLDER_H
#define SITE_FOLDER_H

#include "host/base/file.h"

/* The names of the files that a site consists of, as its mark lists them.  A
 * later site may replace or remove these files of the folder, and no others.
 * Zero-initialise before use; the names belong to an arena. */
struct manifest {
	size_t n, room;
	const char **names; /* relative to the folder */
};

struct folder_writer {
	const char *path;      /* NULL: not begun */
	const char *temporary; /* NULL: finished, or dropped */
	const char *mark;
	struct arena *a;
	struct manifest before, after; /* what was there, and is written */
	int fd;                        /* of the temporary folder */
	bool exists;                   /* `path` did at the beginning */
	size_t n_files;
	uint64_t n_bytes;
};

/* Create the temporary folder.  `mark` names a file that folder_finish() adds:
 * the list of what is written, which a later call may replace.  ERR_USAGE if
 * `path` exists, unless it is an empty folder or one with this file.  The
 * strings of *w are owned by `a`. */
int folder_begin(struct folder_writer *w, struct arena *a, const char *path,
		 const char *mark, struct err *e);
/* Make a folder in it, unless it exists. */
int folder_make(struct folder_writer *w, const char *name, struct err *e);
/* Write the buffer to a new file in it and empty the buffer. */
int folder_add(struct folder_writer *w, const char *name, struct buffer *b,
	       struct err *e);
/* Put what was written where `path` is.  ERR_USAGE, and nothing is changed, if
 * a file of the same name is there that `mark` does not list. */
int folder_finish(struct folder_writer *w, struct err *e);
/* Remove the temporary folder, if it is there. */
void folder_drop(struct folder_writer *w);

#endif
