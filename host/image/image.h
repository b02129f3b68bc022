/* Image kinds: make a bootable file from a runtime and a pack. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "host/base/board.h"
#include "host/base/file.h"

struct image_request {
	const struct board *board;
	const unsigned char *runtime; /* flat runtime file */
	size_t n_runtime;
	const void *pack;
	size_t n_pack;
	/* Options of the runtime behind those of the board, "from=4 skip=4";
	 * NULL: none. */
	const char *options;
	/* What the image says of itself, as in struct runtime_slot; n_about 0:
	 * nothing. */
	const void *about;
	size_t n_about;
};

struct image_kind {
	const char *name; /* flat | fat | sd */
	int (*build)(const struct image_request *q, struct buffer *ret_image,
		     struct err *e);
};

extern const struct image_kind *const image_kinds[];
const struct image_kind *image_kind_find(const char *name);

/* "flat, fat, sd", in the arena. */
char *image_kind_names(struct arena *a);

#endif
