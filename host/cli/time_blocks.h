/* The blocks of `anechoic time --hex`. */
#ifndef CLI_TIME_BLOCKS_H
#define CLI_TIME_BLOCKS_H

#include "host/cli/time_command.h"

struct block {
	const char *hex, *name;
	double given; /* a measured value of the file; 0: none */
	struct program program;
	struct loop loop;
	struct snippet_request request;
	struct snippet snippet;
	struct code_result result;
	const char *error; /* why it is not measured; NULL: it is */
	double predicted;  /* 0: it is not */
	bool known;        /* its value was in the database */
};

struct corpus {
	struct timing_job *j;
	struct arena *a;
	struct block *blocks;
	size_t n, room;
};

/* Measured cycles, the middle of the interval; 0: there is no value. */
double time_block_value(const struct block *b);

/* Print to standard error how well what was predicted, measured and given
 * agree, of all blocks and of those of each kind. */
void time_print_scores(const struct corpus *w);

#endif
