/* What `anechoic time` measures many of: blocks of --hex, files of a folder. */
#ifndef CLI_TIME_BLOCKS_H
#define CLI_TIME_BLOCKS_H

#include "host/cli/time_command.h"
#include "host/view/score.h"

struct block {
	const char *hex, *name; /* hex: NULL of a file */
	double given;           /* a measured value of the file; 0: none */
	struct program program;
	struct loop loop;
	struct snippet_request request;
	struct snippet snippet;
	struct snippet_path path;
	struct code_result result;
	const char *error; /* why it is not measured; NULL: it is */
	double predicted;  /* 0: it is not */
	bool known;        /* its value was in the database */
	double *against;   /* of each other predictor; 0: it has none */
	bool wanted;       /* to be measured in this round */
};

struct corpus {
	struct timing_job *j;
	struct arena *a;
	struct block *blocks;
	size_t n;
	uint32_t shard, n_shards;   /* every n-th block, from the shard-th on */
	const char *const *against; /* names of other predictors */
	size_t n_against;
};

/* How well two columns agree. */
struct corpus_score {
	const char *what; /* "predicted against measured" */
	struct score score;
};

/* time_corpus_read.c: into w->blocks the lines of a file, or the files of a
 * folder that do not begin with a dot, sorted by name.  What cannot be read as code
 * has an `error`.  ERR_INPUT: the file or folder cannot be read, or is empty. */
int time_read_lines(struct corpus *w, const char *path, struct err *e);
int time_read_folder(struct corpus *w, const char *path, struct err *e);

/* What other tables call it: its bytes, or the file's name. */
const char *time_block_key(const struct block *b);

/* Measured cycles, the middle of the interval; 0: there is no value. */
double time_block_value(const struct block *b);

/* What block b is of: "store". */
const char *time_block_category(const struct block *b);

/* time_against.c: add to each block the cycles that the files of --against have for
 * its bytes.  ERR_USAGE, or ERR_INPUT with the line. */
int time_against(struct corpus *w, struct err *e);

/* time_scores.c: how well what was predicted, measured, given and what others
 * predicted agree, of all blocks and of those of each kind; in the corpus' arena.
 * Pairs of columns that no block has are left out. */
struct corpus_score *time_scores(const struct corpus *w, size_t *ret_n);

/* time_html_blocks.c: a page of the corpus. */
void time_html_blocks(const struct corpus *w, struct buffer *b);

#endif
