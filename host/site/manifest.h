/* The names of the files that a site consists of, as its mark lists them.  A
 * later site may replace or remove these files of the folder, and no others. */
#ifndef SITE_MANIFEST_H
#define SITE_MANIFEST_H

#include <stdbool.h>

#include "host/base/file.h"

/* Zero-initialise before use; the names belong to an arena. */
struct manifest {
	size_t n, room;
	const char **names; /* relative to the folder */
};

void manifest_add(struct arena *a, struct manifest *m, const char *name);
/* To be called before manifest_has(). */
void manifest_sort(struct manifest *m);
bool manifest_has(const struct manifest *m, const char *name);

/* Read the file `mark` of a folder; `path` is the folder's name in messages.
 * ERR_INPUT if it is no plain file, or names a file outside of the folder.
 * *ret_names is sorted. */
int manifest_read(struct arena *a, int folder, const char *path,
		  const char *mark, struct manifest *ret_names, struct err *e);
/* Append the text that manifest_read() reads. */
void manifest_print(struct buffer *b, const struct manifest *m);

#endif
