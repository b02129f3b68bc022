/* Blocks of powers of two, with a list of free ones of each size.  The sizes
 * before the blocks and the lists lie in the heap itself, so that a copy of the
 * heap is whole. */
#include "host/guest/heap.h"

#include <string.h>

enum { HEAP_HEADER = 16, HEAP_SMALLEST = 5, HEAP_CLASSES = 48 };

struct heap {
	void *free[HEAP_CLASSES];
};

static struct {
	char *base;
	uint64_t room;
	uint64_t *used;
} heap;

static struct heap *lists(void)
{
	return (struct heap *)(void *)heap.base;
}

void heap_open(char *base, uint64_t room, uint64_t *used)
{
	heap.base = base;
	heap.room = room;
	heap.used = used;
	if (*used == 0)
		*used = (sizeof(struct heap) + HEAP_HEADER - 1) &
			~(uint64_t)(HEAP_HEADER - 1);
}

static unsigned class_of(size_t n)
{
	unsigned k = HEAP_SMALLEST;

	while (k < HEAP_CLASSES && ((size_t)1 << k) - HEAP_HEADER < n)
		k++;
	return k;
}

static uint64_t *header(void *p)
{
	return (uint64_t *)(void *)((char *)p - HEAP_HEADER);
}

void *heap_malloc(size_t n)
{
	unsigned k = class_of(n);
	uint64_t bytes = (uint64_t)1 << k;
	void *p;

	if (k == HEAP_CLASSES)
		return NULL;
	p = lists()->free[k];
	if (p) {
		memcpy(&lists()->free[k], p, sizeof(p));
		return p;
	}
	if (bytes > heap.room - *heap.used)
		return NULL;
	p = heap.base + *heap.used + HEAP_HEADER;
	*heap.used += bytes;
	*header(p) = k;
	return p;
}

void *heap_calloc(size_t count, size_t size)
{
	size_t n;
	uint64_t before = *heap.used;
	void *p;

	if (__builtin_mul_overflow(count, size, &n))
		return NULL;
	p = heap_malloc(n);
	/* New pages of the file are zero. */
	if (p && *heap.used == before)
		memset(p, 0, n);
	return p;
}

void heap_free(void *p)
{
	if (!p)
		return;
	memcpy(p, &lists()->free[*header(p)], sizeof(p));
	lists()->free[*header(p)] = p;
}

void *heap_realloc(void *p, size_t n)
{
	size_t room = p ? ((size_t)1 << *header(p)) - HEAP_HEADER : 0;
	void *q;

	if (p && n <= room)
		return p;
	q = heap_malloc(n);
	if (p && q) {
		memcpy(q, p, room);
		heap_free(p);
	}
	return q;
}
