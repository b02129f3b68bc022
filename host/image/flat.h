/* The flat file: runtime and pack as one Linux Image and EFI application. */
#ifndef IMAGE_FLAT_H
#define IMAGE_FLAT_H

#include "common/slot.h"
#include "host/image/image.h"

/* Append the pack to the runtime and patch every header that states a size.
 * ERR_INPUT when the runtime is not one of ours, or the pack is damaged or
 * for another ISA; *ret is empty then. */
int flat_build(const struct image_request *q, struct buffer *ret,
	       struct err *e);

/* The slot of a file that flat_build() made. */
struct runtime_slot flat_slot(const struct buffer *image);

#endif
