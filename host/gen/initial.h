/* What registers and memory hold when a kernel starts. */
#ifndef GEN_INITIAL_H
#define GEN_INITIAL_H

#include "host/gen/assign.h"

/* The values of an experiment's operands: numbers of the type they are read
 * as, or what a form says more than its domain does; a helper that copies a
 * register gives back what that one started with.  ERR_INPUT where two forms
 * of a mix want different values in one place. */
int initial_image(const struct catalogue *c, const struct experiment *x,
		  const struct assigned *a, struct pack_image *ret,
		  struct err *e);

/* Do two operands that are only read start with the same value? */
bool initial_same(const struct catalogue *c, const struct form *f, int i,
		  const struct form *g, int k);

/* Bytes of memory the kernel accesses; 0: none. */
uint32_t initial_memory_bytes(const struct experiment *x,
			      const struct assigned *a);

#endif
