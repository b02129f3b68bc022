/* What the kernels of a class show about flags (learn.c), and which sets of
 * flags are ignored because of it. */
#ifndef SOLVE_TALLY_H
#define SOLVE_TALLY_H

#include "host/solve/evidence.h"

enum {
	/* Fewer values or kernels are not used: the standard error of a share
	 * near 0.9 of 20 is 0.07. */
	TALLY_FEW = 20,
};

/* Counts of a class, by sets of flags. */
struct flag_tally {
	/* Visits with the correct value, and all. */
	double right[VALUE_SETS], n[VALUE_SETS];
	/* Of visits without the correct value: neighbours in the order of their
	 * values, and those that agree. */
	double wrong_pairs, wrong_agree;
	/* Kernels in which visits with the same flags agree: on the correct
	 * value, and all. */
	double kernels_right[VALUE_SETS], kernels[VALUE_SETS];
	/* Kernels with two visits of these flags, and those that agree. */
	double pairs[VALUE_SETS], pairs_agree[VALUE_SETS];
	/* Kernels with many visits (MANY of learn.c) without flags and a value
	 * that recurs; those of which a slower value recurs, too; of these,
	 * visits with the correct value, and all. */
	double many, two, two_right, two_n;
	/* In kernels with a value without flags too: values with these flags,
	 * and those that a visit without flags has, too. */
	double mixed[VALUE_SETS], mixed_agree[VALUE_SETS];
	/* First visits; and those whose first value has these flags. */
	double visits, marked[VALUE_SETS];
	/* Of visits with the correct value without flags: rows, and those that
	 * share it. */
	double rows, rows_right;
};

/* part / all; 0 where there are none. */
double tally_share(double part, double all);

/* Ignore sets of flags that carry no information, by the counts `y` of a class;
 * if these are too few, by those of all classes of its width, `wide`.  `all`:
 * those of all classes. */
void tally_ignore(struct reliability *t, const struct flag_tally *y,
		  const struct flag_tally *wide, const struct flag_tally *all);

#endif
