/* Included before every file of host/cache in the plugin: its memory comes from
 * the slot (heap.h). */
#ifndef GUEST_HEAP_CALLS_H
#define GUEST_HEAP_CALLS_H

#include <stdlib.h>

#include "host/guest/heap.h"

#define malloc(n)     heap_malloc(n)
#define calloc(n, s)  heap_calloc(n, s)
#define realloc(p, n) heap_realloc(p, n)
#define free(p)       heap_free(p)

#endif
