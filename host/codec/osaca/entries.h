/* The entries of OSACA's machine model.  OSACA's reader takes time for every
 * entry, so forms of equal cost share one. */
#ifndef CODEC_OSACA_ENTRIES_H
#define CODEC_OSACA_ENTRIES_H

#include "host/codec/osaca/core.h"

/* An instruction of the file. */
struct osaca_item {
	const char *name;
	const struct osaca_form *x;
	enum osaca_index index;
	struct buffer covers; /* names of forms, blanks between */
	const char *body;     /* its text; see write.c */
	size_t order;
};

struct osaca_entries {
	const struct osaca_core *core;
	const struct osaca_list *forms;
	struct osaca_item *items;
	size_t n;
	/* Forms that look like another one, of which nothing is known, and that
	 * OSACA composes of others. */
	size_t n_alike, n_unknown, n_composed;
};

/* Find the entries of all forms.  They belong to the arena of `core`, but for
 * their `covers`. */
void osaca_find_entries(struct osaca_entries *w);

#endif
