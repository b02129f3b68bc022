/* The arguments of `anechoic time`, and what its files share. */
#ifndef CLI_TIME_COMMAND_H
#define CLI_TIME_COMMAND_H

#include "host/campaign/code_events.h"
#include "host/cli/loop_input.h"
#include "host/cli/request.h"
#include "host/predict/predict.h"

struct time_args {
	struct request_args r;
	struct loop_args loop;
	const char *file, *assembly, *hex, *trips_in, *align, *output;
	const char *model, *cpu;
	const char *init, *init_assembly, *memory;
	const char *shard, *html, *loops, *events;
	struct option_words set, data, against, peers;
	unsigned mode, format;
	bool explain;
};

/* One piece of code: what is asked, what came of it, and its prediction. */
struct timing_job {
	struct arena *a;
	struct time_args *o;
	struct campaign c;
	struct loop_input in, init;
	struct store *s;
	const char *db; /* of the samples */
	bool kept;      /* --db: it stays */
	struct snippet_request request;
	struct snippet snippet;
	struct snippet_path path;
	struct code_result result;
	struct code_event *events; /* of --events */
	size_t n_events;
	/* The prediction; NULL model: there is none, and why. */
	struct completion *model;
	const char *model_name, *no_prediction;
	struct prediction prediction;
	double predicted; /* cycles of one iteration */
};

/* Make the pack of the code in a file, with the values that `time` gives it
 * without further options.  ERR_INPUT as loop_input_read() and
 * snippet_plan(). */
int time_pack_file(struct campaign *c, const char *file, struct err *e);

/* time_options.c: what the options say of j->request.  ERR_USAGE, or ERR_INPUT of
 * a file. */
int time_options(struct timing_job *j, struct err *e);

/* time_events.c: read --events; ERR_USAGE if the board does not count one.  Count them
 * behind code_measure(); errors are of the board. */
int time_read_events(struct timing_job *j, struct err *e);
int time_count_events(struct timing_job *j, struct err *e);
void time_put_events(const struct timing_job *j, struct buffer *b);
void time_put_json_events(const struct timing_job *j, struct buffer *b);

/* time_print.c: append the result to *b, as text and as JSON.  They cannot fail. */
void time_print_text(const struct timing_job *j, struct buffer *b);
void time_print_json(const struct timing_job *j, struct buffer *b);

/* time_annotations.c: add to *q what the comments of a snippet file of llvm-exegesis
 * set; the lists are in `a`.  ERR_INPUT with the line. */
int time_annotations(struct arena *a, const struct loop_input *in,
		     struct snippet_request *q, struct err *e);

/* time_explain.c: measure the code without one instruction after another, and
 * append the smallest part whose prediction is still off to *b.  ERR_INPUT: more
 * than 64 instructions; else as snippet_plan() and code_measure(). */
int time_explain(struct timing_job *j, struct buffer *b, struct err *e);

/* time_html.c: write the page of --html, if it is asked for: of the corpus, or,
 * without one, of the code.  Errors are those of file_write(). */
struct corpus;
int time_write_html(const struct timing_job *j, const struct corpus *w,
		    struct err *e);

/* time_revise.c: is code to be measured once more, and *q how?  After a fault, memory holds
 * addresses instead of numbers, or numbers instead of addresses; a loop that takes
 * much longer or shorter than was assumed runs as often as it should.  Each of the
 * two is said once. */
bool time_revise(struct snippet_request *q, const struct snippet *s,
		 const struct code_result *r);

/* Of code whose path varies: set its verdict.  False: it is measured. */
bool time_take_path(struct code_result *r, const struct snippet_path *path);

/* What is predicted: of code that was repeated without its branch, all but the
 * branch; of a loop with jumps inside, the path that it takes. */
struct time_predicted {
	struct program program;
	struct loop loop;
	size_t n_iterations; /* of the code, in one of the loop */
	/* NULL, or why there is no prediction: which instructions the code executes, or
	 * how often, is not known. */
	const char *unknown;
};

struct time_code {
	const struct program *program;
	const struct loop *loop;
	const struct snippet *snippet;
	const struct snippet_path *path;
};

/* In `a`, or of the code. */
struct time_predicted time_predicted(struct arena *a,
				     const struct time_code *x);

/* time_corpus_read.c: is there a folder of this name?  NULL: no. */
bool time_is_folder(const char *path);

/* time_corpus.c: measure and predict the blocks of --hex, or the files of a folder.
 * Appends a row of each to *out, as CSV; writes how many they are, how fast they
 * were measured and how well the columns agree to standard error.  Code that cannot
 * be measured is a row.  ERR_USAGE and ERR_INPUT of options and their files; else as
 * code_measure(). */
int time_corpus(struct timing_job *j, struct buffer *out, struct err *e);

#endif
