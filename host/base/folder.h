/* Temporary folders, in TMPDIR or /tmp. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "host/base/arena.h"
#include "host/base/err.h"

/* Create an empty folder whose name has this process's number.  Folders of this
 * user that killed processes left are removed first.  Returns the path, owned
 * by `a`, or NULL (ERR_SYSTEM). */
const char *folder_open(struct arena *a, struct err *e);

/* Remove the folder and the files in it; NULL does nothing. */
void folder_close(const char *path);

#endif
