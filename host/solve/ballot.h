/* The values of all visits of one kernel, sorted, and which of them agree;
 * shared by the files that estimate how reliable such values are and that
 * choose one. */
#ifndef SOLVE_BALLOT_H
#define SOLVE_BALLOT_H

#include "host/solve/evidence.h"

/* Values of visits this close agree: undisturbed visits of a steady kernel lie
 * within 1 % (METHOD: p99.9 0.4 %), and one visit's error enters twice. */
static const double ballot_agree = 0.02;

/* A value of a visit. */
struct ballot {
	double cycles;
	uint16_t n_rows;
	uint8_t marks; /* 0 where the set is ignored */
	uint8_t visit;
};

struct ballots {
	size_t n;
	size_t n_unmarked; /* visits with a value without flags */
	struct ballot list[MAX_EVIDENCE * MAX_VISIT_VALUES];
};

/* Ballots within ballot_agree of the fastest of them. */
struct value {
	size_t first, n; /* ballots */
	size_t n_unmarked, n_visits;
	/* Chance that all of its visits are wrong over the chance that they are
	 * correct (evidence.h). */
	double doubt;
};

size_t ballot_count_bits(uint64_t bits);

/* The flags of a visit's value; none where the set is ignored. */
uint8_t ballot_marks(const struct visit_value *v, uint32_t ignored);

/* All values of all visits, sorted; `ignored` as in struct reliability. */
void ballot_collect(const struct kernel_visits *t, uint32_t ignored,
		    struct ballots *ret);

/* The value that begins with a ballot. */
struct value ballot_value(const struct reliability *t, const struct ballots *b,
			  size_t first);

/* Do at least two visits agree on it, and is the doubt small? */
bool ballot_counts(const struct value *v);

/* The fastest value that two visits have without flags or, `with_marks`, that
 * counts with flagged ones; n is 0 where there is none. */
struct value ballot_recurring(const struct reliability *t,
			      const struct ballots *b, bool with_marks);

/* Rows behind a value's ballots without flags, or behind all of them where each
 * has flags. */
uint32_t ballot_rows(const struct ballots *b, const struct value *v);

/* Median of those ballots, weighted by rows.  Disturbances only add, so the
 * lowest might lie nearer to the truth; but disturbed visits are no part of the
 * value, and the median repeats better. */
double ballot_middle(const struct ballots *b, const struct value *v);

#endif
