/* What a run on a reference clock knows of its disturbances, and what its
 * kernels cost in spite of them.
 *
 * Every visit of a kernel gives votes: values that at least three of its rows
 * share.  A row carries marks: its chains disagree, a probe beside it was slow.
 * A mark is evidence, not a verdict.  How often votes with and without each
 * mark are right is learned from the run itself, for each class of kernels:
 * a vote is right where it agrees with the fastest value that recurs in other
 * visits, because disturbances only add.  So
 *
 *	votes without marks      ->  share that is right  ->  visits needed
 *	votes with a mark        ->  as often right?      ->  mark ignored
 *	most votes have a mark,
 *	  and agree all the same ->                           mark ignored
 *
 * n visits agree on a right value with the chance right^n, and on a wrong one
 * with (1 - right)^n coincide^(n-1): states of a core that last make wrong
 * visits agree, storms of stalls do not.  A value counts when the second is
 * less than a thousandth of the first.  The fastest that counts is the
 * kernel's; another one that recurs is named. */
#ifndef SOLVE_EVIDENCE_H
#define SOLVE_EVIDENCE_H

#include "host/solve/estimate.h"

enum mark {
	MARK_CHAINS,  /* the chains around the kernel disagree */
	MARK_SLOW,    /* they are slower than in other rows of the visit */
	MARK_SIBLING, /* a probe was slow, before the kernel or behind it */
	MARK_WIDE,
	MARK_LOADS,
	N_MARKS,
	MARK_SETS = 1 << N_MARKS,
};

enum {
	MAX_VOTES = 4,    /* of one visit */
	MAX_EVIDENCE = 64 /* visits of a kernel that are looked at */
};

struct vote {
	double cycles; /* per op */
	uint16_t n_rows;
	uint8_t marks; /* bits of enum mark that half of its rows have */
};

/* One visit, read. */
struct visit {
	/* OK: votes (none: nothing agreed).  NOT_LINEAR, IMPLAUSIBLE: what most
	 * of its rows say.  BAD_DATA: no rows. */
	enum estimate_state state;
	uint8_t n_votes;
	uint8_t all_marks; /* of rows, whatever their vote */
	uint32_t n_rows, n_marked[N_MARKS], n_bent, n_unmarked;
	struct vote votes[MAX_VOTES];
	double rough;    /* NOT_LINEAR: slope all the same */
	double residual; /* of the middle length */
	double bound;    /* as in struct estimate, or 0 */
	double spread;   /* slowest over fastest unmarked row, less 1 */
};

/* Read a visit; c is usable and k's lengths ascend. */
struct visit visit_read(const struct shape *k, const struct calibration *c,
			const struct sample *m);

/* A kernel's visits in order. */
struct testimony {
	uint8_t class;
	uint8_t combine; /* enum estimate_combine */
	uint32_t n;
	const struct visit *visits;
};

/* How far votes can be trusted, for kernels of a class that combine alike. */
struct trust {
	uint32_t ignored; /* bit s: the set of marks s tells nothing here */
	/* Visits with votes without marks: share of those that have the right
	 * one, and of two that do not, how often they agree all the same. */
	double right, coincide;
	/* Of two or more visits that agree with the same marks and nothing
	 * else: share that is wrong; 1 where that is not known. */
	double wrong[MARK_SETS];
};

struct evidence {
	struct trust trust[ESTIMATE_CLASSES][N_COMBINES];
	/* For the report: rows of each class, those with each mark, and those
	 * with none. */
	struct {
		size_t n_rows, n_unmarked, n_bent, n_marked[N_MARKS];
	} rows[ESTIMATE_CLASSES];
};

/* Before anything is learned. */
void evidence_prior(struct evidence *e);

/* Learn from all kernels of a run. */
void evidence_learn(struct evidence *e, const struct testimony *list, size_t n);

/* Probes whose marks tell nothing of any kernel of a level, as row_ignored()
 * has them. */
uint32_t evidence_ignored(const struct evidence *e);

/* What a kernel costs. */
struct estimate evidence_judge(const struct evidence *e,
			       const struct testimony *t);

#endif
