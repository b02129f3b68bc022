/* Many blocks at once. */
#ifndef CLI_PREDICT_BATCH_H
#define CLI_PREDICT_BATCH_H

#include "host/cli/predict_model.h"
#include "host/predict/predict.h"

/* Predict the blocks of a CSV, or of each .csv of a folder.  A line has a
 * block in hexadecimal, in the format of BHive ("4801d8,100"), and any
 * further columns.  Writes a row for each block, to -o or stdout:
 * `block,cycles,throughput,carried,simulated,error` and the further columns;
 * and the time to stderr.  A block that cannot be predicted has an error with
 * line and column in place of the values; when all rows are written, *e has
 * the first of these errors and their number.  Other errors write no -o. */
int predict_batch(const struct options *o, const struct predict_model *m,
		  const struct predict_options *how, struct err *e);

#endif
