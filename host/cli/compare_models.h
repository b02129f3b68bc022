/* anechoic compare between two machine models. */
#ifndef CLI_COMPARE_MODELS_H
#define CLI_COMPARE_MODELS_H

#include <regex.h>

#include "host/cli/cli.h"
#include "host/cli/side.h"

/* Compare the models of two sides and print how many values agree, and which
 * differ; with o->format "csv" only those that differ, all of them.  tolerance:
 * as compare_models().  `o` gives board, instruction set, cores, CPU, strict and the file to
 * write.  Only forms that match `forms` count; NULL: all.
 * ERR_FAILED if the models have no value in common; others as model_load(). */
int compare_models_run(const struct side *sides, const struct options *o,
		       double tolerance, const regex_t *forms, struct err *e);

#endif
