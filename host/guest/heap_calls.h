/* The compiler includes this file before every file of host/cache that it
 * compiles for the plugin.  Their allocations then come from heap.h, in memory
 * that the plugin shares with the collector, not from the C library. */
#ifndef GUEST_HEAP_CALLS_H
#define GUEST_HEAP_CALLS_H

#include <stdlib.h>

#include "host/guest/heap.h"

#define malloc(n)     heap_malloc(n)
#define calloc(n, s)  heap_calloc(n, s)
#define realloc(p, n) heap_realloc(p, n)
#define free(p)       heap_free(p)

#endif
