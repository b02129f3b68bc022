/* Replaces a database by a new one that is written in the same folder: readers
 * see the old file or the new one.  Only one process at a time replaces a file,
 * and none while another command writes to it. */
#ifndef STORE_REPLACE_H
#define STORE_REPLACE_H

#include "host/base/arena.h"
#include "host/base/err.h"

/* Zero-initialise before replace_begin(). */
struct replace {
	const char *path; /* NULL: not begun, or ended */
	char *temporary;  /* the new database, an empty file at first */
	int lock, fd;     /* on the old file (-1: there is none), on the new */
};

/* Lock what is to be replaced, which may be missing, and create the new file in
 * the same folder, as NAME.anechoic-new.XXXXXX with the old file's owner and
 * permissions; such files of processes that have ended are removed.  A link
 * stays: its target is replaced.  ERR_SYSTEM: another process replaces or
 * writes the file; ERR_INPUT: the folder cannot be written.  What *r points to
 * is owned by `a`. */
int replace_begin(struct replace *r, struct arena *a, const char *path,
		  struct err *e);
/* Flush the new database, which no connection may have open, and put it in the
 * place of the old one.  ERR_SYSTEM also if a file has appeared where there was
 * none: it stays.  Call replace_end() in every case. */
int replace_finish(struct replace *r, struct arena *a, struct err *e);
/* Release the lock; remove the new file unless it was put in place. */
void replace_end(struct replace *r);

#endif
