/* Finds forms of a database by an instruction as people type it. */
#ifndef CLI_SHOW_TYPED_H
#define CLI_SHOW_TYPED_H

#include "host/base/arena.h"
#include "host/store/store.h"

/* The form that `text` names (host/isa/typed.h): *ret in `a`.  If several fit
 * equally well, a table of all that fit is printed, best first, and *ret is NULL.
 * ERR_INPUT: none; the message names a near one if there is one. */
int show_typed(struct store *s, struct arena *a, const char *text,
	       const char **ret, struct err *e);

#endif
