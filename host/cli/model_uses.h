/* Prints the forms of a model, grouped by the ports that their uops use. */
#ifndef CLI_MODEL_USES_H
#define CLI_MODEL_USES_H

#include "host/base/err.h"
#include "host/model/model.h"

/* Print groups of forms, those with the most forms first.  expression: NULL: the
 * 32 largest groups, and five names of each.  Otherwise only forms whose names
 * match count, and all their groups and names are printed.  ERR_USAGE if it is
 * no regular expression. */
int model_uses(struct arena *a, const struct model *m, const char *expression,
	       struct err *e);

#endif
