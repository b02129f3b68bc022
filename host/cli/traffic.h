/* What a serial line costs: an estimate before, figures after. */
#ifndef CLI_TRAFFIC_H
#define CLI_TRAFFIC_H

#include "host/link/link.h"

/* How long a pack of n bytes (0: none is sent) and the records of n_kernels
 * take at this rate (0: the usual). */
void traffic_announce(size_t pack_bytes, size_t n_kernels, uint32_t baud);

/* What the line carried of a pack of n_kernels, and what 10,000 kernels like
 * these would take. */
void traffic_print(const struct link_traffic *t, size_t n_kernels,
		   uint32_t baud);

#endif
