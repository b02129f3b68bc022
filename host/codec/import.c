/* What readers of models have in common; see codec.h. */
#include "host/codec/codec.h"

#include <stdarg.h>

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

	for (size_t i = 0; i < m->n_notes; i++)
		notes[i] = m->notes[i];
	va_start(args, format);
	notes[m->n_notes++] = arena_vprintf(a, format, args);
	va_end(args);
	m->notes = notes;
}
