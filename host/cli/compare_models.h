/* anechoic compare between two machine models. */
#ifndef CLI_COMPARE_MODELS_H
#define CLI_COMPARE_MODELS_H

#include "host/cli/cli.h"

/* Do the options name models?  Our side is a model if it is not a database.
 * Their side is one if it is "cpu:NAME" or a file with more than values. */
bool compare_models_wanted(const struct options *o);

/* Print how many values agree; `tolerance` is relative.  ERR_FAILED if they
 * have no value in common. */
int compare_models_run(const struct options *o, double tolerance,
		       struct err *e);

#endif
