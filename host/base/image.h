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
 * The bytes depend on the content alone: padding is zero, and no address is
 * stored.
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

/* Zero the padding of the structure at p.  Compilers without the builtin
 * (clang) store it as it is. */
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
#define IMAGE_CLEAR_PADDING(p) __builtin_clear_padding(p)
#endif
#endif
#ifndef IMAGE_CLEAR_PADDING
#define IMAGE_CLEAR_PADDING(p) ((void)(p))
#endif

/* Structures of one type. clean() zeroes the padding of n of them; NULL: the
 * type has none. */
struct image_type {
	size_t size;
	void (*clean)(void *list, size_t n);
};

/* Define NAME, the image_type of `type`, which has `bytes` bytes. The assertion
 * fails when the structure gets a field: decide whether that is a pointer,
 * which the functions below must set, then correct the number. A new pointer
 * always changes the size. */
#define IMAGE_TYPE(name, type, bytes)                                      \
	_Static_assert(sizeof(type) == (bytes),                            \
		       "a field of an image: if it is a pointer, set it"); \
	static void name##_clean(void *list, size_t n)                     \
	{                                                                  \
		type *x = list;                                            \
                                                                           \
		for (size_t i = 0; i < n; i++)                             \
			IMAGE_CLEAR_PADDING(&x[i]);                        \
	}                                                                  \
	static const struct image_type name = { sizeof(type), name##_clean }

/* Numbers and characters. */
#define IMAGE_PLAIN(x) (&(const struct image_type){ sizeof(x), NULL })

/* Copy n items into the image, and set *ret_offset. False: the block was added
 * before, and its pointers are set. The block may then be the target of
 * image_link(). For few blocks: each call looks at all of them. */
bool image_add(struct image_writer *w, const void *list, size_t n,
	       const struct image_type *type, size_t *ret_offset);

/* The same for a block that is no target; blocks of equal content are stored
 * once. */
bool image_share(struct image_writer *w, const void *list, size_t n,
		 const struct image_type *type, size_t *ret_offset);

/* Set the pointer at offset `at`: to an offset, to anything in an added block
 * or in constant data of the program (NULL stays NULL), or to the i-th item of
 * the reader's array. */
void image_link_offset(struct image_writer *w, size_t at, size_t offset);
void image_link(struct image_writer *w, size_t at, const void *target);
void image_link_item(struct image_writer *w, size_t at, size_t item);

/* Set it to a copy of the string, or of n items without pointers; NULL stays
 * NULL. */
void image_string(struct image_writer *w, size_t at, const char *s);
void image_array(struct image_writer *w, size_t at, const void *list, size_t n,
		 const struct image_type *type);

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
