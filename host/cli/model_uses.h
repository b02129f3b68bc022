/* Prints the forms of a model, grouped by the ports that their uops use. */
#ifndef CLI_MODEL_USES_H
#define CLI_MODEL_USES_H

#include "host/base/err.h"
#include "host/model/model.h"

/* Print the groups, largest first: those with the most forms, and some names of
 * each.  If `expression` is not NULL: all groups of the forms whose names
 * match, with all these names.  ERR_USAGE if it is no regular expression. */
int model_uses(struct arena *a, const struct model *m, const char *expression,
	       struct err *e);

#endif
