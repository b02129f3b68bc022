/* The rows of one visit on a reference clock, with the flags of each: was it
 * measured while something disturbed the core? */
#ifndef SOLVE_ROWS_H
#define SOLVE_ROWS_H

#include "host/solve/evidence.h"

struct visit_row {
	double tpc;   /* ticks per cycle */
	double ticks; /* per op */
	double bend;  /* NAN: the line does not rise */
	double bound; /* ticks per op, loop and all, of the best length */
	double cycles;
	double lengths[PACK_LENGTHS]; /* cycles per op of each */
	uint8_t marks;                /* bits of enum mark */
};

/* Rows whose cycles are known, with all flags but MARK_SLOW; `list` has room for
 * as many as the sample has.  Returns how many there are; 0 if it has no such
 * rows.  The lengths of k ascend. */
size_t rows_read(const struct shape *k, const struct calibration *c,
		 const struct sample *m, struct visit_row *list);

/* Add MARK_SLOW to those of n rows of one kernel that have it.  `work` has room
 * for n. */
void rows_mark_slow(struct visit_row *list, size_t n, double *work);

#endif
