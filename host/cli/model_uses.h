/* The forms of a model by the ports that their uops use. */
#ifndef CLI_MODEL_USES_H
#define CLI_MODEL_USES_H

#include "host/base/err.h"
#include "host/model/model.h"

/* Print a line for each use of ports: those of most forms, or, if
 * `expression` is not NULL, those of the forms that match, with all names. */
int model_uses(struct arena *a, const struct model *m, const char *expression,
	       struct err *e);

#endif
