/* Arena allocator: many allocations, one call that frees them all.
 *
 * When the system has no memory left, arena_alloc(), arena_printf() and
 * xrealloc() do not return.  They call the thread's handler if one is set.
 * Otherwise they print a message and end the program with exit status 1; stored
 * results are safe. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "common/types.h"

struct arena_block;
struct arena_mapping;

/* Zero-initialise before use. */
struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes used in the newest block */
	struct arena_mapping *mappings;
};

/* count * size zeroed bytes, 16-byte aligned, owned by the arena. */
void *arena_alloc(struct arena *a, size_t count, size_t size);

/* Copies owned by the arena. */
void *arena_copy(struct arena *a, const void *p, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *format, ...) PRINTF_LIKE(2, 3);

/* Have arena_free() unmap these pages. */
void arena_own_mapping(struct arena *a, void *pages, size_t n);

/* Free everything; the arena can be used again. */
void arena_free(struct arena *a);

/* What to do when memory is short.  handle() must not return; it may longjmp()
 * to its owner's frame.  Buffers and other malloc'ed memory of the frames in
 * between are lost, arenas are not. */
struct arena_shortage {
	void (*handle)(struct arena_shortage *self);
};

/* Set this thread's handler (NULL: the default) and return the previous one.
 * The handler must stay valid until it is replaced. */
struct arena_shortage *arena_on_shortage(struct arena_shortage *handler);

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

/* realloc(p, count * size); never returns NULL, see the file's head. */
void *xrealloc(void *p, size_t count, size_t size);

#endif
