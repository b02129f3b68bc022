/* The time that a serial line needs: an estimate before, figures afterwards. */
#ifndef CLI_TRAFFIC_H
#define CLI_TRAFFIC_H

#include "host/link/link.h"

/* Print how long a pack of n bytes takes at this rate (0: the default); nothing
 * if none is sent. */
void traffic_announce(size_t pack_bytes, uint32_t baud);

/* Print about how many bytes a board writes that measures n kernels of a pack,
 * and how long that takes; on either clock if the board's file names none. */
void traffic_estimate(const struct board *b, const void *pack, size_t n,
		      uint32_t baud);

/* Print how many bytes the line carried for a pack of n_kernels, and the
 * time that 10,000 kernels of this kind would take. */
void traffic_print(const struct link_traffic *t, size_t n_kernels,
		   uint32_t baud);

#endif
