/* Functions of the guest's program to which counting is restricted.
 *
 * A function is active from its first instruction until it returns: what it
 * calls belongs to it, and so do signal handlers that interrupt it.  A thread
 * that it starts does not. */
#ifndef GUEST_FUNCTIONS_H
#define GUEST_FUNCTIONS_H

#include "host/base/arena.h"
#include "host/base/err.h"

struct guest_functions;
struct run_insn;
struct run_table;

/* The functions of an ELF file whose symbols are one of n names, or such a name
 * followed by '.' and a suffix, as compilers name copies of a function.
 * ERR_INPUT if a name has none; the message has the nearest names. */
int functions_find(struct arena *a, const char *path, const char *const *names,
		   size_t n, struct guest_functions **ret, struct err *e);

/* Is an instruction the first of one of them?  `f` may be NULL. */
bool functions_enter(const struct guest_functions *f, const struct run_table *t,
		     const struct run_insn *insn);

#endif
