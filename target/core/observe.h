/* What a kernel leaves in its registers.  A chain may drift into zeros,
 * infinities or other numbers that a core treats specially.  It then measures
 * the time for those. Arithmetic is the same on every core, so one run on any
 * core or emulator shows it. */
#ifndef CORE_OBSERVE_H
#define CORE_OBSERVE_H

#include "common/wire.h"

/* Read the fields of a `registers` command.  Returns NULL, or what was
 * expected. */
const char *observe_request(const struct wire_record *r, uint32_t n_kernels);

/* Run the kernel of the last request once, and send its registers or a
 * fault. */
void observe_run(void);

#endif
