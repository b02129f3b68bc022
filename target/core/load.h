/* A pack that comes over the line, chunk by chunk in any order, as often as
 * the host likes: what arrives is put where it belongs, and a bitmap says what
 * is missing.  Nothing is answered between `load` and `sync`: a console that
 * writes may not listen. */
#ifndef CORE_LOAD_H
#define CORE_LOAD_H

#include "common/load.h"
#include "common/wire.h"

/* Take a `load` record: memory for the pack comes from alloc(), which may
 * return NULL.  Returns NULL, or in words why not; what was loaded before is
 * gone unless the words speak of the record itself. */
const char *load_begin(const struct wire_record *r, void *(*alloc)(size_t n));

/* Is a load going on? */
bool load_active(void);

/* Take a `data` record; one that does not fit is as good as lost. */
void load_data(const struct wire_record *r);

/* Take a `sync` record: the chunks it asks for and those of them that are
 * missing.  False when it asks for what cannot be. */
struct load_state {
	uint32_t from, to;
	size_t n_missing;
	uint64_t missing[LOAD_WINDOW];
};
bool load_sync(const struct wire_record *r, struct load_state *ret);

/* End the load: the pack, unchecked, or NULL when chunks are missing. */
const void *load_finish(size_t *ret_bytes);

#endif
