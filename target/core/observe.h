/* What a kernel leaves in its registers.  A chain may drift into zeros, infinities or
 * numbers that a core treats specially: its time is then that of those.  What
 * arithmetic gives does not depend on the core, so this is asked once, of any. */
#ifndef CORE_OBSERVE_H
#define CORE_OBSERVE_H

#include "common/wire.h"

/* Read the fields of a `registers` command.  Returns NULL, or what was expected. */
const char *observe_request(const struct wire_record *r, uint32_t n_kernels);

/* Run the kernel of the last request once and send its registers, or a fault. */
void observe_run(void);

#endif
