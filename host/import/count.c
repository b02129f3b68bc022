/* Counts of a file's entries; see import.h. */
#include "host/import/import.h"

void import_count(struct arena *a, struct model *m, size_t n_entries,
		  const struct skips *skips)
{
	m->n_entries = n_entries;
	m->n_skipped = skips->n;
	m->skipped =
		skips->n > 0 ? arena_strdup(a, skips->first.message) : NULL;
}
