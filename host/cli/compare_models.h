/* anechoic compare between two machine models. */
#ifndef CLI_COMPARE_MODELS_H
#define CLI_COMPARE_MODELS_H

#include "host/cli/cli.h"
#include "host/cli/side.h"

/* Print how many values of two sides' models agree; `tolerance` is relative.
 * Board, instruction set and strict are those of `o`.  ERR_FAILED if they have
 * no value in common. */
int compare_models_run(const struct side *sides, const struct options *o,
		       double tolerance, struct err *e);

#endif
