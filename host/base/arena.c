/* Arena allocator: a list of blocks, newest first; see arena.h. */
#include "host/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Blocks of BLOCK_BYTES are cleared as they are used, larger ones by the
 * system. */
enum { BLOCK_BYTES = 64 << 10, ALIGN = 16 };

struct arena_block {
	struct arena_block *next;
	size_t size;
	_Alignas(16) unsigned char bytes[];
};

struct arena_mapping {
	struct arena_mapping *next;
	void *pages;
	size_t n;
};

static size_t checked_product(size_t count, size_t size)
{
	if (size != 0 && count > (SIZE_MAX / 2) / size)
		guard_shortage();
	return count * size;
}

static void release_arena(void *object)
{
	arena_free(object);
}

void *arena_alloc(struct arena *a, size_t count, size_t size)
{
	size_t n = checked_product(count, size);

	n = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!a->blocks || n > a->blocks->size - a->used) {
		bool large = n > BLOCK_BYTES;
		size_t room = large ? n : BLOCK_BYTES;
		struct arena_block *b = large ? calloc(1, sizeof(*b) + room)
					      : malloc(sizeof(*b) + room);

		if (!b)
			guard_shortage();
		if (!a->blocks)
			guard_hold(&a->hold, release_arena, a);
		b->size = room;
		b->next = a->blocks;
		a->blocks = b;
		a->used = 0;
	}

	void *p = a->blocks->bytes + a->used;

	a->used += n;
	return n > BLOCK_BYTES ? p : memset(p, 0, n);
}

void *arena_copy(struct arena *a, const void *p, size_t n)
{
	void *copy = arena_alloc(a, n ? n : 1, 1);

	if (n)
		memcpy(copy, p, n);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_copy(a, s, strlen(s) + 1);
}

char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
	va_list again;
	char *s;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n < 0)
		guard_shortage();
	s = arena_alloc(a, (size_t)n + 1, 1);
	(void)vsnprintf(s, (size_t)n + 1, format, again);
	va_end(again);
	return s;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	char *s;

	va_start(args, format);
	s = arena_vprintf(a, format, args);
	va_end(args);
	return s;
}

static void release_mapping(void *object)
{
	const struct arena_mapping *m = object;

	(void)munmap(m->pages, m->n);
}

void arena_own_mapping(struct arena *a, void *pages, size_t n)
{
	struct arena_mapping owned = { .pages = pages, .n = n }, *m;
	struct hold h;

	guard_hold(&h, release_mapping, &owned);
	m = arena_copy(a, &owned, sizeof(owned));
	guard_drop(&h);
	m->next = a->mappings;
	a->mappings = m;
}

void arena_free(struct arena *a)
{
	guard_drop(&a->hold);
	for (struct arena_mapping *m = a->mappings; m; m = m->next)
		release_mapping(m);
	a->mappings = NULL;
	while (a->blocks) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
	a->used = 0;
}

/* Stands before the memory that held_realloc() returns. */
struct held {
	_Alignas(ALIGN) struct hold hold;
	unsigned char bytes[];
};

static struct held *held_of(void *p)
{
	return p ? (void *)((unsigned char *)p - offsetof(struct held, bytes))
		 : NULL;
}

static void release_held(void *object)
{
	free(object);
}

void *held_realloc(void *p, size_t count, size_t size)
{
	struct held *old = held_of(p);
	size_t n = checked_product(count, size);
	struct held *h = realloc(old, sizeof(*h) + n);

	if (!h)
		guard_shortage();
	if (!p)
		guard_hold(&h->hold, release_held, h);
	h->hold.object = h;
	guard_moved(&h->hold);
	return h->bytes;
}

void held_free(void *p)
{
	struct held *h = held_of(p);

	if (!h)
		return;
	guard_drop(&h->hold);
	free(h);
}

void *xrealloc(void *p, size_t count, size_t size)
{
	size_t n = checked_product(count, size);
	void *q = realloc(p, n ? n : 1);

	if (!q)
		guard_shortage();
	return q;
}
