/* System functions that newlib needs.  A runtime does not allocate, so the
 * allocator is always empty: snprintf into a buffer never allocates, and
 * variants that do (asprintf) fail cleanly. */
#include <reent.h>
#include <stdlib.h>

void *_malloc_r(struct _reent *reent, size_t n)
{
	(void)reent;
	(void)n;
	return NULL;
}

void *_realloc_r(struct _reent *reent, void *p, size_t n)
{
	(void)reent;
	(void)p;
	(void)n;
	return NULL;
}

void _free_r(struct _reent *reent, void *p)
{
	(void)reent;
	(void)p;
}
