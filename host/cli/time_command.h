/* The arguments of `anechoic time`, and what its files share. */
#ifndef CLI_TIME_COMMAND_H
#define CLI_TIME_COMMAND_H

#include "host/campaign/code.h"
#include "host/cli/loop_input.h"
#include "host/cli/request.h"
#include "host/predict/predict.h"

struct time_args {
	struct request_args r;
	struct loop_args loop;
	const char *file, *assembly, *hex, *trips_in, *align, *output;
	const char *model, *cpu;
	struct option_words set;
	unsigned mode, format;
};

/* One piece of code: what is asked, what came of it, and its prediction. */
struct timing_job {
	struct arena *a;
	struct time_args *o;
	struct campaign c;
	struct loop_input in;
	struct store *s;
	const char *db; /* of the samples */
	bool kept;      /* --db: it stays */
	struct snippet_request request;
	struct snippet snippet;
	struct code_result result;
	bool repaired;
	/* The prediction; NULL model: there is none, and why. */
	struct completion *model;
	const char *model_name, *no_prediction;
	struct prediction prediction;
};

/* time_print.c: the result as text, and as JSON. */
void time_print_text(const struct timing_job *j, struct buffer *b);
void time_print_json(const struct timing_job *j, struct buffer *b);

/* time_corpus.c: measure and predict the blocks of --hex; a row of each as CSV
 * to *out, and how many they are, how fast, and how well they agree on standard
 * error. */
int time_corpus(struct timing_job *j, struct buffer *out, struct err *e);

#endif
