/* The time that a serial line needs: an estimate before, figures afterwards. */
#ifndef CLI_TRAFFIC_H
#define CLI_TRAFFIC_H

#include "host/link/link.h"

/* Print how long a pack of n bytes (0: none is sent) and the records of
 * n_kernels take at this rate (0: the default). */
void traffic_announce(size_t pack_bytes, size_t n_kernels, uint32_t baud);

/* Print how many bytes the line carried for a pack of n_kernels, and the
 * time that 10,000 kernels of this kind would take. */
void traffic_print(const struct link_traffic *t, size_t n_kernels,
		   uint32_t baud);

#endif
