/* How many bytes a board writes: an estimate from the pack it runs. */
#ifndef LINK_RECORD_BYTES_H
#define LINK_RECORD_BYTES_H

#include "common/types.h"

/* Bytes on the console while the runtime runs a pack (checked) by itself, once
 * on a core clock, or as often as the pack says on a reference clock of 1 GHz,
 * with the records around them.  Numbers count as those of undisturbed kernels;
 * what a firmware prints is not counted. */
uint64_t record_bytes(const void *pack, bool ref_clock);

#endif
