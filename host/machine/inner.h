/* Shared by the files of this room. */
#ifndef MACHINE_INNER_H
#define MACHINE_INNER_H

#include "host/machine/machine.h"

/* cgroup.c: find the tightest CPU quota of this process's control groups. */
void machine_find_quota(struct arena *a, const char *root, struct machine *m);

#endif
