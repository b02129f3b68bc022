/* The forms of a model by the ports that their uops use. */
#ifndef CLI_MODEL_USES_H
#define CLI_MODEL_USES_H

#include "host/base/err.h"
#include "host/model/model.h"

/* A line for each way to use ports: those that most forms have; or, where
 * `expression` is not NULL, those of forms it matches, with all of their
 * names. */
int model_uses(struct arena *a, const struct model *m, const char *expression,
	       struct err *e);

#endif
