/* Words of QEMU's command line. */
#ifndef BASE_QEMU_H
#define BASE_QEMU_H

#include "host/base/arena.h"

/* A file name as the value of an option such as -drive or -plugin, which are
 * lists of KEY=VALUE with commas between: a comma of the name is doubled. */
char *qemu_value(struct arena *a, const char *name);

#endif
