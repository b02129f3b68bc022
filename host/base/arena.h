/* Arena allocator: many allocations, one call that frees them all.
 *
 * No function here returns NULL: when the system has no memory left they call
 * guard_shortage().  A guard frees the arenas that were begun in it. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>

#include "host/base/guard.h"

struct arena_block;
struct arena_mapping;

/* Zero-initialise before use. */
struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes used in the newest block */
	struct arena_mapping *mappings;
	struct hold hold;
};

/* count * size zeroed bytes, 16-byte aligned, owned by the arena. */
void *arena_alloc(struct arena *a, size_t count, size_t size);

/* Copies owned by the arena. */
void *arena_copy(struct arena *a, const void *p, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *a, const char *format, va_list args)
	PRINTF_LIKE(2, 0);

/* Have arena_free() unmap these pages. */
void arena_own_mapping(struct arena *a, void *pages, size_t n);

/* Free everything; the arena can be used again. */
void arena_free(struct arena *a);

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

/* realloc(p, count * size) and free(p), of memory that a guard frees. */
void *held_realloc(void *p, size_t count, size_t size);
void held_free(void *p);

/* realloc(p, count * size), of memory that no guard frees. */
void *xrealloc(void *p, size_t count, size_t size);

#endif
