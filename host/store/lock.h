/* Locks on database files, between processes of this program.  SQLite's own
 * locks end with each transaction; these last as long as a command writes, so
 * that no other command replaces the file under it.  The system releases them
 * when the process ends, however it ends. */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

#include <stdbool.h>

#include "host/base/err.h"

enum lock_kind {
	LOCK_WRITER,   /* several at once: SQLite orders their transactions */
	LOCK_REPLACER, /* alone: the file is about to be another */
};

/* Open and lock the file that `path` names; `create` makes a missing one.
 * *ret_fd: close it to unlock, after all of SQLite's connections to the file,
 * because closing any descriptor of a file ends the process's POSIX locks on
 * it.  -1: the file is missing, is no plain file or cannot be opened.
 * ERR_SYSTEM: another process holds a lock that excludes this one; there is no
 * waiting.  On a file system that has no locks the file counts as locked. */
int lock_file(const char *path, enum lock_kind kind, bool create, int *ret_fd,
	      struct err *e);

/* Lock an open file.  False and errno, EWOULDBLOCK: another process holds a
 * lock that excludes this one. */
bool lock_open(int fd, enum lock_kind kind);

#endif
