/* Shared by the files of this room. */
#ifndef MACHINE_INNER_H
#define MACHINE_INNER_H

#include "host/machine/machine.h"

enum { MACHINE_ROOM = 64 * 1024 };

/* The text of a file below the root, in the arena, without the newline at its
 * end; NULL if there is none.  Longer files are cut. */
char *machine_text(struct arena *a, const char *root, const char *path);

/* Find the tightest CPU quota of this process's control groups. */
void machine_find_quota(struct arena *a, const char *root, struct machine *m);

#endif
