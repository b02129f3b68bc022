/* What `anechoic time` measures many of: blocks of --hex, files of a folder. */
#ifndef CLI_TIME_BLOCKS_H
#define CLI_TIME_BLOCKS_H

#include "host/cli/scored.h"
#include "host/cli/time_command.h"

/* All strings and arrays are in the corpus' arena. */
struct block {
	const char *hex, *name; /* hex: NULL of a file */
	struct program program;
	struct loop loop;
	struct snippet_request request;
	struct snippet snippet;
	struct snippet_path path;
	struct code_result result;
	const char *error;           /* why it is not measured; NULL: it is */
	struct scored_block *scored; /* given: a value of the file */
	const char *limit;           /* of the prediction */
	bool known;                  /* its value was in the database */
	bool wanted;                 /* to be measured in this round */
};

struct corpus {
	struct timing_job *j;
	struct arena *a;
	struct block *blocks;
	size_t n;
	uint32_t shard, n_shards; /* every n-th block, from the shard-th on */
	struct scored scored;     /* of the same blocks */
	struct peer *peers;       /* programs of the last of them, from: */
	size_t first_peer;
};

/* time_corpus_read.c: into w->blocks the lines of a file, or the files of a
 * folder that do not begin with a dot, sorted by name.  What cannot be read as code
 * has an `error`.  ERR_INPUT: the file or folder cannot be read, or is empty. */
int time_read_lines(struct corpus *w, const char *path, struct err *e);
int time_read_folder(struct corpus *w, const char *path, struct err *e);

/* Measured cycles, the middle of the interval; 0: there is no value. */
double time_block_value(const struct block *b);

/* time_peers.c: behind scored_against(), add the programs of --peer to the names of
 * other predictors.  ERR_USAGE, or ERR_INPUT: a program is not there, or knows no
 * such CPU.  Then ask them for the cycles of a block. */
int time_peers(struct corpus *w, struct err *e);
void time_ask_peers(struct corpus *w, struct block *b,
		    const struct time_predicted *x);

/* time_loops.c: write the file of --loops, which `anechoic site` reads, if it is
 * asked for. */
int time_write_loops(const struct corpus *w, struct err *e);

/* time_html_blocks.c: append the page of a corpus to *b; it cannot fail. */
void time_html_blocks(const struct corpus *w, struct buffer *b);

#endif
