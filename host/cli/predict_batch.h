/* Many blocks at once. */
#ifndef CLI_PREDICT_BATCH_H
#define CLI_PREDICT_BATCH_H

#include "host/cli/predict_model.h"
#include "host/predict/predict.h"

/* Predict the blocks of a CSV, or of each .csv of a folder.  A line has a
 * block in hexadecimal, in the format of BHive ("4801d8,100"), and any
 * further columns.  Writes CSV to stdout:
 * `block,cycles,throughput,carried,simulated` and the further columns; and
 * the time to stderr.  An error names line and column. */
int predict_batch(const struct options *o, const struct predict_model *m,
		  const struct predict_options *how, struct err *e);

#endif
