/* Memory by lifetime: allocate as you go, free everything in one call.
 * Allocation failure ends the program with a message: a host tool that is out
 * of memory has nothing sensible left to do, and stored results are safe. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "common/types.h"

struct arena_block;

/* Zero-initialise before use. */
struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes used of the newest block */
};

/* count * size zeroed bytes, 16-byte aligned, owned by the arena. */
void *arena_alloc(struct arena *a, size_t count, size_t size);

/* Copies owned by the arena. */
void *arena_copy(struct arena *a, const void *p, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *format, ...) PRINTF_LIKE(2, 3);

/* Free everything; the arena can be used again. */
void arena_free(struct arena *a);

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

/* malloc/realloc that end the program with a message on failure. */
void *xrealloc(void *p, size_t count, size_t size);

#endif
