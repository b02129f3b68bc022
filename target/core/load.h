/* A pack that arrives over the line in chunks, in any order, possibly
 * repeated.  Each chunk is stored at its place, and a bitmap records missing
 * chunks.  Nothing is answered between `load` and `sync`: a console may not
 * receive while it sends. */
#ifndef CORE_LOAD_H
#define CORE_LOAD_H

#include "common/load.h"
#include "common/wire.h"

/* Take a `load` record: memory for the pack comes from alloc(), which may
 * return NULL.  Returns NULL, or the reason of failure; the previous load is
 * discarded unless the record itself is at fault. */
const char *load_begin(const struct wire_record *r, void *(*alloc)(size_t n));

/* Is a load in progress? */
bool load_active(void);

/* Take a `data` record; an invalid one is ignored, as if lost. */
void load_data(const struct wire_record *r);

/* Take a `sync` record: the range of chunks it requests and those of them that
 * are missing.  False if the range is invalid. */
struct load_state {
	uint32_t from, to;
	size_t n_missing;
	uint64_t missing[LOAD_WINDOW];
};
bool load_sync(const struct wire_record *r, struct load_state *ret);

/* End the load: the pack, unchecked, or NULL if chunks are missing. */
const void *load_finish(size_t *ret_bytes);

#endif
