/* The flat file: runtime and pack in one file that is a Linux Image and an EFI
 * application. */
#ifndef IMAGE_FLAT_H
#define IMAGE_FLAT_H

#include "common/slot.h"
#include "host/image/image.h"

/* Append the pack to the runtime and patch all headers that contain a size.
 * ERR_INPUT with empty *ret if the runtime is not one of this program, or the
 * pack is damaged or for another ISA. */
int flat_build(const struct image_request *q, struct buffer *ret,
	       struct err *e);

/* Read the slot of a file that flat_build() made. */
struct runtime_slot flat_slot(const struct buffer *image);

#endif
