/* The interrupt of a timer, on a core for which the firmware has set up none. */
#ifndef BOOT_EFI_AARCH64_GIC_H
#define BOOT_EFI_AARCH64_GIC_H

#include "common/types.h"

/* On the first core: find the registers of the core with this affinity, and make
 * them accessible. */
void gic_find(uint64_t mpidr);

/* On that core: let the interrupt of this number, one of the core's own, reach
 * it.  False: gic_find() found no controller. */
bool gic_enable(uint32_t number);

#endif
