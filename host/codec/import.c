/* What readers of models have in common; see codec.h. */
#include <stdarg.h>
#include <stdio.h>

#include "host/codec/codec.h"

void import_count(struct arena *a, struct model *m, size_t n_entries,
		  const struct skips *skips)
{
	m->n_entries = n_entries;
	m->n_skipped = skips->n;
	m->skipped =
		skips->n > 0 ? arena_strdup(a, skips->first.message) : NULL;
}

void import_note(struct arena *a, struct model *m, const char *format, ...)
{
	const char **notes = ARENA_ARRAY(a, const char *, m->n_notes + 1);
	va_list args;
	size_t n;
	char *note;

	va_start(args, format);
	n = (size_t)vsnprintf(NULL, 0, format, args) + 1;
	va_end(args);
	note = arena_alloc(a, n, 1);
	va_start(args, format);
	(void)vsnprintf(note, n, format, args);
	va_end(args);
	for (size_t i = 0; i < m->n_notes; i++)
		notes[i] = m->notes[i];
	notes[m->n_notes++] = note;
	m->notes = notes;
}

void *import_list(struct arena *a, struct buffer *items, size_t size,
		  size_t *ret_n)
{
	void *list = arena_copy(a, items->bytes, items->n);

	*ret_n = items->n / size;
	buffer_free(items);
	return list;
}
