/* What the ends of a kernel's run may cost on a clock that counts cycles, and
 * how long a run must be for that not to matter.
 *
 * The three lengths of a kernel lie on a line but for what starting and leaving
 * the loop costs each of them: the front end starts with another group of
 * instructions, the branch behind the last iteration is predicted otherwise.
 * An in-order RV64 core (simulated from its RTL) is off by up to four cycles in
 * the shortest length and two in the others, in every repeat by as many.  More
 * iterations make the line longer, and these cycles a smaller part of it. */
#ifndef COMMON_BEND_H
#define COMMON_BEND_H

#include "common/pack.h"

enum {
	BEND_FIRST = 4, /* cycles off the line: the shortest length, */
	BEND_OTHER = 2, /* and each of the others */
	BEND_SLOPE = BEND_FIRST + BEND_OTHER,
	/* Cycles from the shortest to the longest length: the slope is then
	 * off by half a percent, and by one. */
	BEND_RANGE = 200 * BEND_SLOPE,
	BEND_LEAST_RANGE = 100 * BEND_SLOPE,
	/* Lengths of 1 : 2 : 3 take three times their range together, and the
	 * loop around them up to once more. */
	BEND_ROW = 4,
	BEND_LEAST_ROWS = 2, /* a repeat is what proves the first row */
	BEND_ROWS = 3,
	/* Cycles of a kernel: rows, and as much as one to find iterations. */
	BEND_BUDGET = BEND_RANGE * BEND_ROW * (BEND_ROWS + 1),
	BEND_LEAST_BUDGET = BEND_LEAST_RANGE * BEND_ROW * (BEND_LEAST_ROWS + 1),
};

/* How a kernel spends its budget.
 *
 * The search for the number of iterations ends with a row.  If the next one
 * takes the same cycles in each length, nothing disturbed either: these two are
 * the sample.  Otherwise the first may have been cold; it is left out, and
 * `n_rows` follow it, or fewer up to two that are equal. */
struct bend_plan {
	uint32_t n_rows;
	uint64_t range; /* cycles, at least */
};

/* As many rows as `most`, as far as the budget leaves each its range.  A budget
 * below BEND_LEAST_BUDGET is exceeded. */
static inline struct bend_plan bend_plan(uint64_t budget, uint32_t most)
{
	uint64_t shares = budget / ((uint64_t)BEND_ROW * BEND_LEAST_RANGE);
	struct bend_plan p = { .n_rows = most };

	if (shares < (uint64_t)most + 1)
		p.n_rows = shares > 0 ? (uint32_t)shares - 1 : 0;
	if (p.n_rows < BEND_LEAST_ROWS)
		p.n_rows = BEND_LEAST_ROWS;
	p.range = budget / (BEND_ROW * ((uint64_t)p.n_rows + 1));
	if (p.range < BEND_LEAST_RANGE)
		p.range = BEND_LEAST_RANGE;
	return p;
}

/* Iterations of the first try, by what one cold iteration of the longest length
 * took, of which misses of the caches are a part.  Few: the ends may cost a
 * sixtieth of what brings the lengths apart.  The shortest and the longest
 * length are enough for it. */
static inline uint64_t bend_first(uint64_t longest)
{
	enum { MOST = 24, MISSES = 80, ENOUGH = 60 * BEND_SLOPE };
	/* A third of it is the shortest. */
	uint64_t apart = longest > MISSES ? (longest - MISSES) * 2 / 3 : 0, n;

	if (apart * MOST <= ENOUGH)
		return MOST;
	n = (ENOUGH + apart - 1) / apart;
	/* Two that take half a cycle more take a whole one. */
	return n > 1 ? (n + 1) / 2 * 2 : n;
}

/* Does the branch predictor of a small core, which knows the last dozen of
 * branches, have to learn where a loop of so many iterations ends? Two runs
 * teach it; else the first row takes other cycles than the next, and costs one
 * more. */
static inline bool bend_is_short(uint64_t n)
{
	enum { KNOWN = 16 };

	return n < KNOWN;
}

/* Iterations to try after n of them took so long, or n where that is enough:
 * the lengths are the range apart, or `left` cycles of the budget do not hold a
 * try of more and two rows.  Few iterations are too short to scale from. */
static inline uint64_t bend_iterations(uint64_t n, uint64_t shortest,
				       uint64_t longest, uint64_t range,
				       uint64_t left)
{
	enum { STEP = 32, MOST = 1 << 20 };
	/* Iterations that take halves to sixths of a cycle take whole ones
	 * together. */
	enum { HALVES = 2, QUARTERS = 12, ALL = 60, FEW = 10 };
	uint64_t apart = longest > shortest ? longest - shortest : 0;
	uint64_t rows = (shortest + longest) * 3 / 2 * (1 + BEND_LEAST_ROWS);
	uint64_t most = n * left / (rows ? rows : 1);
	uint64_t next = n * STEP, even;

	if (apart >= range || n >= MOST)
		return n;
	/* Whatever the ends hide or add, here and in the next try.  Here they
	 * may cost twice: the loop is new to the predictor. */
	if (apart > 2 * BEND_SLOPE &&
	    n * (range + BEND_SLOPE) / (apart - 2 * BEND_SLOPE) < next)
		next = n * (range + BEND_SLOPE) / (apart - 2 * BEND_SLOPE) + 1;
	even = next >= (uint64_t)FEW * ALL        ? ALL
	       : next >= (uint64_t)FEW * QUARTERS ? QUARTERS
						  : HALVES;
	next = (next + even - 1) / even * even;
	if (next > most)
		next = most / even * even;
	return next > n ? next : n;
}

/* Rows that what is left of a budget holds, to the nearest: two that differ
 * leave a value in doubt where a third would have decided. */
static inline uint32_t bend_rows(const struct bend_plan *p, uint64_t left,
				 uint64_t row)
{
	uint64_t rows = (left + row / 2) / (row ? row : 1);

	if (rows >= p->n_rows)
		return p->n_rows;
	return rows > BEND_LEAST_ROWS ? (uint32_t)rows : BEND_LEAST_ROWS;
}

#endif
