/* The arguments of `anechoic predict`, and its two files. */
#ifndef CLI_PREDICT_COMMAND_H
#define CLI_PREDICT_COMMAND_H

#include "host/cli/cli.h"
#include "host/cli/loop_input.h"
#include "host/codec/source.h"
#include "host/predict/predict.h"

struct predict_args {
	struct model_source source;
	struct loop_args loop;
	const char *file, *batch, *output;
	struct option_words with, against;
	unsigned align, format, mode;
	uint32_t iterations; /* of a timeline; 0: the default */
	uint32_t jobs;       /* processes; 0: the default */
	bool all, equal_split, timeline, annotate, bounds, no_cache;
};

/* In the order of the words of --mode. */
enum predict_mode { PREDICT_AUTO, PREDICT_LOOP, PREDICT_UNROLL };

/* The command. */
int predict_run(struct predict_args *o, struct command_resources *r,
		struct err *e);

struct predict_model {
	struct catalogue *c;
	struct completion *m;
	double seconds; /* to read the model and the catalogue */
};

/* Predict the blocks of o->batch, a CSV, or of each .csv of a folder.  A line
 * has a block in hexadecimal, in the format of BHive ("4801d8,100"), and any
 * further columns; without a jump back to its start it is straight code, unless
 * --mode says otherwise.  Writes a row for each block, to -o or stdout:
 * `block,cycles,throughput,carried,simulated,error` and the further columns;
 * and the time to stderr.  A block that cannot be predicted has an error with
 * line and column in place of the values; when all rows are written, *e has the
 * first of these errors and their number.  Other errors write no -o. */
int predict_batch(const struct predict_args *o, const struct predict_model *m,
		  const struct predict_options *how, struct err *e);

#endif
