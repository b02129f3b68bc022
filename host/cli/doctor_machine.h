/* What `anechoic doctor` says of this machine. */
#ifndef CLI_DOCTOR_MACHINE_H
#define CLI_DOCTOR_MACHINE_H

#include "host/base/arena.h"

/* Print what limits or disturbs measurements on this machine; a line that is
 * marked '--' costs values or time.  Takes half a second. */
void doctor_machine(struct arena *a);

#endif
