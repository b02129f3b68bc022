/* Memory images: structures with pointers as bytes in a file, which a later
 * process maps instead of building the structures again.
 *
 *	header | key | blocks | places of pointers
 *
 * Pointers in the file are offsets, and become addresses when it is mapped:
 * into the image, into constant data of this program or library, or into an
 * array of the reader's. An image is valid only for the very program that wrote
 * it: its key has the build id. A checksum covers everything.
 *
 * Images are private to a user. One that another user owns or can write is
 * ignored, like one that is damaged or has another key. */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct image_writer;

/* Owned by `a`. NULL: this program has no build id, so no image is possible. */
struct image_writer *image_begin(struct arena *a);

/* Copy a block into the image, and set *ret_offset. False: the block was added
 * before, and its pointers are set. The block may then be the target of
 * image_link(). For few blocks: each call looks at all of them. */
bool image_add(struct image_writer *w, const void *block, size_t n,
	       size_t *ret_offset);

/* The same for a block that is no target; blocks of equal content are stored
 * once. */
bool image_share(struct image_writer *w, const void *block, size_t n,
		 size_t *ret_offset);

/* Set the pointer at offset `at`: to an offset, to anything in an added block
 * or in constant data of the program (NULL stays NULL), or to the i-th item of
 * the reader's array. */
void image_link_offset(struct image_writer *w, size_t at, size_t offset);
void image_link(struct image_writer *w, size_t at, const void *target);
void image_link_item(struct image_writer *w, size_t at, size_t item);

/* Set it to a copy of the string; NULL stays NULL. */
void image_string(struct image_writer *w, size_t at, const char *s);

/* Is this in constant data of the program? */
bool image_is_constant(const struct image_writer *w, const void *p);

/* Write the image whose first structure is at offset `root`. Errors: a file
 * that cannot be written; a pointer to something that was not added. */
int image_write(struct image_writer *w, const char *path, const char *key,
		size_t root, struct err *e);

/* An array of the reader's that pointers of the image point into. */
struct image_items {
	const void *first;
	size_t size, n;
};

/* Map an image for as long as `a` lives. Returns its first structure, of `size`
 * bytes; NULL: there is no valid image with this key. */
void *image_map(struct arena *a, const char *path, const char *key, size_t size,
		const struct image_items *items);

#endif
