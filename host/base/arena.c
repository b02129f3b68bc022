/* Arena allocator: a list of blocks, newest first; see arena.h. */
#include "host/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Blocks of BLOCK_BYTES are cleared as they are used, larger ones by the system. */
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

/* Per thread, so that a library's users need not know of each other. */
static _Thread_local struct arena_shortage *shortage;

struct arena_shortage *arena_on_shortage(struct arena_shortage *handler)
{
	struct arena_shortage *previous = shortage;

	shortage = handler;
	return previous;
}

static void out_of_memory(void)
{
	if (shortage)
		shortage->handle(shortage);
	(void)fputs("anechoic: out of memory\n", stderr);
	exit(1);
}

static size_t checked_product(size_t count, size_t size)
{
	if (size != 0 && count > (SIZE_MAX / 2) / size)
		out_of_memory();
	return count * size;
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
			out_of_memory();
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

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	va_list again;

	va_start(args, format);
	va_copy(again, args);

	int n = vsnprintf(NULL, 0, format, args);

	va_end(args);
	if (n < 0)
		out_of_memory();

	char *s = arena_alloc(a, (size_t)n + 1, 1);

	(void)vsnprintf(s, (size_t)n + 1, format, again);
	va_end(again);
	return s;
}

void arena_own_mapping(struct arena *a, void *pages, size_t n)
{
	struct arena_mapping *m = ARENA_NEW(a, struct arena_mapping);

	m->pages = pages;
	m->n = n;
	m->next = a->mappings;
	a->mappings = m;
}

void arena_free(struct arena *a)
{
	for (struct arena_mapping *m = a->mappings; m; m = m->next)
		(void)munmap(m->pages, m->n);
	a->mappings = NULL;
	while (a->blocks) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
	a->used = 0;
}

void *xrealloc(void *p, size_t count, size_t size)
{
	size_t n = checked_product(count, size);
	void *q = realloc(p, n ? n : 1);

	if (!q)
		out_of_memory();
	return q;
}
