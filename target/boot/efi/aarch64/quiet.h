/* What other files need of the quiet section. */
#ifndef BOOT_EFI_AARCH64_QUIET_H
#define BOOT_EFI_AARCH64_QUIET_H

#include "common/types.h"

/* The exception vectors of this level, of the quiet section. */
uint64_t quiet_vectors(void);

/* cores.c: add to INFO the core's affinity, and how PSCI is called. */
struct wire_line;
void cores_describe_psci(struct wire_line *w);

#endif
