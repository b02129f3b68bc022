/* The records that a runtime begins with (common/wire.md). */
#ifndef CORE_INTRODUCE_H
#define CORE_INTRODUCE_H

#include "target/arch.h"

/* Send `info`.  clock: what samples count. */
void introduce_core(enum arch_clock clock);

/* Send `pack`.  pack: one that pack_check() accepted, or NULL: there is none.
 * visits: of each kernel, when no host asks for others. */
void introduce_pack(const void *pack, enum arch_clock clock, uint32_t visits);

#endif
