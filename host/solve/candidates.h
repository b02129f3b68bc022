/* Candidates: the values of all visits of one kernel, sorted, and which of them
 * agree.  Used to estimate how reliable these values are, and to choose one. */
#ifndef SOLVE_CANDIDATES_H
#define SOLVE_CANDIDATES_H

#include "host/solve/evidence.h"

/* Values of visits this close agree: undisturbed visits of a steady kernel lie
 * within 1 % (METHOD: p99.9 0.4 %), and one visit's error enters twice. */
static const double values_agree = 0.02;

/* Relative error of a value, at most.  METHOD: 99.9 % of the values that are
 * known integers lie within 0.4 %. */
static const double accuracy = 0.005;

/* A calibration chain slowed by a busy sibling makes a kernel look up to 4 %
 * faster (METHOD): only a value further below another one is real. */
static const double below_is_real = 0.05;

/* A value of one visit. */
struct candidate {
	double cycles;
	uint16_t n_rows;
	uint8_t marks; /* 0 if the set is ignored */
	uint8_t visit;
	/* No flags, or only those of a probe that is wrong for its class.  A
	 * flag that is ignored because it slows few kernels makes no witness:
	 * this kernel may be one of the few. */
	bool witness;
};

struct candidates {
	size_t n;
	size_t n_unmarked; /* visits with a value without flags */
	struct candidate list[MAX_EVIDENCE * MAX_VISIT_VALUES];
};

/* Candidates within values_agree of the fastest of them. */
struct value {
	size_t first, n; /* candidates */
	size_t n_unmarked, n_visits;
	bool witnessed; /* by at least one visit */
	/* Chance that all of its visits are wrong over the chance that they are
	 * correct (evidence.h). */
	double doubt;
};

size_t count_bits(uint64_t bits);

/* The flags of a visit's value; none if the set is ignored, unless its rows are
 * of several visits. */
uint8_t visit_value_marks(const struct visit_value *v, uint32_t ignored);

/* Does the candidate have this set of flags? A set with MARK_TOGETHER is that
 * of all candidates whose rows have these flags, of one visit or of several. */
bool candidate_has(const struct candidate *b, uint8_t set);

/* All values of all visits, sorted. */
void candidates_collect(const struct kernel_visits *t,
			const struct reliability *reliability,
			struct candidates *ret);

/* The value that begins with this candidate. */
struct value candidates_value(const struct reliability *t,
			      const struct candidates *b, size_t first);

/* The most visits without flags that share one slower value. */
size_t value_slower(const struct candidates *b, const struct value *v);

/* Do at least two visits agree on the value, and is the doubt small? */
bool value_counts(const struct value *v);

/* Is the doubt so small that further visits are not needed? */
bool value_is_settled(const struct value *v);

/* The fastest value that two visits have without flags or, `with_marks`, that
 * counts with flagged ones; n is 0 if there is none. */
struct value candidates_recurring(const struct reliability *t,
				  const struct candidates *b, bool with_marks);

/* Rows of a value's candidates without flags, or of all if each has flags. */
uint32_t value_rows(const struct candidates *b, const struct value *v);

/* Count rows without flags, in the visits that have the value without flags:
 * *ret_n rows are on a line, and *ret_sharing of these have the value. */
void value_count_rows(const struct kernel_visits *t, const struct candidates *b,
		      const struct value *v, size_t *ret_n,
		      size_t *ret_sharing);

/* Median of those candidates, weighted by rows.  Disturbances only add time, so
 * the lowest may be nearer to the truth; but disturbed visits do not take part,
 * and the median repeats better. */
double value_median(const struct candidates *b, const struct value *v);

/* The largest relative distance of those candidates from their median. */
double value_spread(const struct candidates *b, const struct value *v);

#endif
