/* The contents of registers and memory when a kernel starts. */
#ifndef GEN_INITIAL_H
#define GEN_INITIAL_H

#include "host/gen/assign.h"

/* Set the starting values of an experiment's operands: numbers of their
 * type, or the form's own; a helper that copies a register restores its
 * starting value.  ERR_INPUT if two forms of a mix need different values in
 * the same place. */
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
