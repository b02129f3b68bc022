/* Memory of the simulated caches: in the slot that the collector maps at the
 * same address.  The plugin compiles host/cache with these in place of the C
 * library's. */
#ifndef GUEST_HEAP_H
#define GUEST_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Allocate from base[0..room); *used counts the bytes that were handed out. */
void heap_open(char *base, uint64_t room, uint64_t *used);

/* As the functions of the C library.  One thread at a time. */
void *heap_malloc(size_t n);
void *heap_calloc(size_t count, size_t size);
void *heap_realloc(void *p, size_t n);
void heap_free(void *p);

#endif
