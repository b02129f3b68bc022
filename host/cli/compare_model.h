/* Comparing machine models, whatever they come from. */
#ifndef CLI_COMPARE_MODEL_H
#define CLI_COMPARE_MODEL_H

#include "host/cli/cli.h"

/* Do the options ask for models?  Ours is one when it is no database; theirs,
 * when it is "cpu:NAME" or a file that holds more than values. */
bool compare_wants_models(const struct options *o);

/* Print how far they agree; `tolerance` is relative.  ERR_FAILED when they have
 * no value in common. */
int compare_models(const struct options *o, double tolerance, struct err *e);

#endif
