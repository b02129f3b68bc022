/* The votes of one kernel's visits, and the values that they agree on; shared
 * by the files that learn from votes and judge by them. */
#ifndef SOLVE_BALLOT_H
#define SOLVE_BALLOT_H

#include "host/solve/evidence.h"

/* Values of visits this close agree: undisturbed visits of a steady kernel lie
 * within 1 % (METHOD: p99.9 0.4 %), and one visit's error enters twice. */
static const double ballot_agree = 0.02;

struct ballot {
	double cycles;
	uint16_t n_rows;
	uint8_t marks; /* that count */
	uint8_t visit;
};

struct ballots {
	size_t n;
	size_t n_unmarked; /* visits with a vote without marks */
	struct ballot list[MAX_EVIDENCE * MAX_VOTES];
};

/* Votes within ballot_agree of the fastest of them. */
struct value {
	size_t first, n; /* ballots */
	size_t n_unmarked, n_visits;
	double doubt; /* that all of its visits are wrong (evidence.h) */
};

size_t ballot_count_bits(uint64_t bits);

/* The marks of a vote; none where that set tells nothing. */
uint8_t ballot_marks(const struct vote *v, uint32_t ignored);

/* All votes, sorted; `ignored` as in struct trust. */
void ballot_collect(const struct testimony *t, uint32_t ignored,
		    struct ballots *ret);

/* The value that begins with a ballot. */
struct value ballot_value(const struct trust *t, const struct ballots *b,
			  size_t first);

/* Do at least two visits say so, and with little doubt? */
bool ballot_counts(const struct value *v);

/* The fastest value that two visits have votes without marks for or,
 * `with_marks`, that counts for its marked ones; n 0: none. */
struct value ballot_recurring(const struct trust *t, const struct ballots *b,
			      bool with_marks);

/* Rows behind the votes of a value that have no marks; behind all of them where
 * none has. */
uint32_t ballot_rows(const struct ballots *b, const struct value *v);

/* Median of those votes, each as often as it has rows.  Disturbances only add,
 * so the lowest would be nearer to the truth where most votes were disturbed;
 * but these are no part of the value, and the median repeats better. */
double ballot_middle(const struct ballots *b, const struct value *v);

#endif
