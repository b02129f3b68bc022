/* Parts of records that runtimes and the boards of invented cores write
 * alike. */
#ifndef COMMON_SAY_H
#define COMMON_SAY_H

#include "common/pack.h"
#include "common/wire.h"

/* Append the unroll lengths of a kernel; "-" if it is NULL. */
void say_unroll(struct wire_line *w, const char *key,
		const struct pack_kernel *k);

/* Append what identifies a kernel of the pack: k, id and x. */
void say_kernel(struct wire_line *w, const void *pack, uint32_t index);

/* Append the fields of the record `pack`.  visits: of each kernel, when the
 * pack runs by itself. */
void say_pack(struct wire_line *w, const void *pack, uint32_t visits,
	      bool core_clock);

#endif
