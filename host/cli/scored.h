/* Columns of cycles of the same blocks, and how well they agree: of `anechoic time`
 * and of `anechoic predict --batch`. */
#ifndef CLI_SCORED_H
#define CLI_SCORED_H

#include "host/cli/cli.h"
#include "host/predict/loops.h"
#include "host/view/score.h"

/* What a block is of, the first that holds. */
enum scored_category {
	SCORED_DIVIDE,
	SCORED_STACK,
	SCORED_BRANCH,
	SCORED_STORE,
	SCORED_LOAD,
	SCORED_VECTOR,
	SCORED_SCALAR,
	SCORED_N_CATEGORIES,
};

/* "store". */
const char *scored_word(enum scored_category category);
enum scored_category scored_category(const struct program *p,
				     const struct loop *l);

/* Cycles; 0: there is none. */
struct scored_block {
	const char *key; /* what other tables call it: its bytes, or a name */
	double measured, predicted, given;
	double *against; /* of each other predictor */
	enum scored_category category;
};

/* Everything is in `a`. */
struct scored {
	struct arena *a;
	struct scored_block *blocks;
	size_t n;
	const char *const *against; /* names of other predictors */
	size_t n_against;
};

/* A word that may be a heading: letters, digits, and -_. alone. */
bool scored_is_name(const char *word);

/* Set the names of other predictors and their cycles of each block from words
 * NAME=FILE, with room for `more` columns behind them.  ERR_USAGE, or ERR_INPUT with
 * the line. */
int scored_against(struct scored *w, const struct option_words *words,
		   size_t more, struct err *e);

/* How well two columns agree. */
struct scored_pair {
	const char *what; /* "predicted against measured" */
	struct score score;
};

/* Of what was predicted, measured, given and what others predicted, of all blocks
 * and of those of each category; in the arena.  Pairs of columns that no block has
 * are left out. */
struct scored_pair *scored_pairs(const struct scored *w, size_t *ret_n);

/* The same as text, to standard error. */
void scored_print(const struct scored *w);

#endif
