/* Many blocks at once. */
#ifndef CLI_PREDICT_BATCH_H
#define CLI_PREDICT_BATCH_H

#include "host/cli/predict_model.h"
#include "host/predict/predict.h"

/* A CSV, or each .csv of a folder, of blocks in hexadecimal, one a line, as
 * BHive has them ("4801d8,100"); columns behind the first are kept.  Writes
 * `block,cycles,throughput, carried,simulated`, then those, as CSV to stdout,
 * and how long it took to stderr.  A line that is no code is an error with its
 * line and column. */
int predict_batch(const struct options *o, const struct predict_model *m,
		  const struct predict_options *how, struct err *e);

#endif
