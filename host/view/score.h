/* How well values agree with measured ones: the figures by which predictors of
 * blocks are compared. */
#ifndef VIEW_SCORE_H
#define VIEW_SCORE_H

#include "host/base/arena.h"
#include "host/base/file.h"

struct score_pair {
	double measured, predicted; /* cycles, both above 0 */
};

struct score {
	size_t n;
	/* Errors relative to the measured values, 0.1: 10 %. */
	double mean, median;
	double within_10,
		within_20;  /* shares with an error of at most so much */
	double twice, half; /* shares predicted above twice, below half */
	/* Kendall's rank correlation with ties (tau-b), -1 to 1; 0 if all values
	 * of one side are equal.  Knight, "A computer method for calculating
	 * Kendall's tau with ungrouped data", 1966. */
	double tau;
};

/* The score of n pairs; zeros if there are none.  Works in `a`. */
void score_of(struct arena *a, const struct score_pair *pairs, size_t n,
	      struct score *ret);

/* Append it as a line of text that begins with `what`. */
void score_text(struct buffer *b, const char *what, const struct score *s);

#endif
