/* anechoic compare between machine models, whatever they come from. */
#ifndef CLI_COMPARE_MODELS_H
#define CLI_COMPARE_MODELS_H

#include "host/cli/cli.h"

/* Do the options ask for models?  Our side is one when it is no database; their
 * side, when it is "cpu:NAME" or a file that holds more than values. */
bool compare_models_wanted(const struct options *o);

/* Print how far they agree; `tolerance` is relative.  ERR_FAILED when they have
 * no value in common. */
int compare_models_run(const struct options *o, double tolerance,
		       struct err *e);

#endif
