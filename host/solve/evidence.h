/* What kernels cost, from visits on a reference clock of which many may be
 * disturbed.
 *
 * A visit has values that at least three of its rows share (struct
 * visit_value).  A row has flags (enum mark): its chains disagree, or a probe
 * before or behind it was slow.  A flag does not reject a row.  The share of
 * correct values with each set of flags is estimated from all kernels of a run,
 * for each class.  The fastest value of a kernel that two visits without flags
 * share counts as the correct one there, because disturbances only add time.
 * This gives
 *
 *	values without flags       ->  share that is correct  ->  visits needed
 *	values with a flag         ->  as often correct?      ->  flag ignored
 *	most values have a set of
 *	  flags and agree          ->                             set ignored
 *
 * n visits agree on the correct value with the chance right^n, and on a wrong
 * one with (1 - right)^n coincide^(n-1).  Wrong visits agree if a slow state of
 * the core lasts, and rarely after bursts of stalls.  A value counts if the
 * second chance is at most a thousandth of the first.  The candidate is the
 * fastest value that two visits without flags share, or that counts with the
 * help of flagged visits.  If it counts, it is the kernel's value; if not, the
 * kernel has none.  A slower value that recurs is a second state.
 * docs/method/agreement.md has the formulas. */
#ifndef SOLVE_EVIDENCE_H
#define SOLVE_EVIDENCE_H

#include "host/solve/estimate.h"

/* Flags of a row. */
enum mark {
	MARK_CHAINS,  /* the chains around the kernel disagree */
	MARK_SLOW,    /* they are slower than in other rows of the visit */
	MARK_SIBLING, /* slow probe of the sibling, before or after */
	MARK_WIDE,    /* slow probe of the wide units, before it */
	MARK_LOADS,   /* slow probe of loads, before it */
	N_MARKS,
	MARK_SETS = 1 << N_MARKS,
	/* Of values only: the rows are of several visits (visits_read()). */
	MARK_TOGETHER = N_MARKS,
	VALUE_SETS = 2 * MARK_SETS,
};

enum {
	MAX_VISIT_VALUES = 4, /* of one visit */
	MAX_EVIDENCE = 64     /* visits of a kernel that are used */
};

/* A value that rows of one visit share. */
struct visit_value {
	double cycles; /* per op */
	uint16_t n_rows;
	/* Bits of enum mark: flags of at least half of its rows, and
	 * MARK_TOGETHER. */
	uint8_t marks;
};

/* The rows of one visit, summarised. */
struct visit {
	/* OK: values, or none where no rows agree.  NOT_LINEAR, IMPLAUSIBLE:
	 * most of its rows are.  BAD_DATA: no rows. */
	enum verdict state;
	uint8_t n_values;
	uint8_t all_marks; /* of any row */
	uint32_t n_rows, n_marked[N_MARKS], n_bent, n_unmarked;
	/* Number of rows without flags that are on a line, and the lower and
	 * upper quartile of their cycles.  Rows that have none of the visit's
	 * values count, too. */
	uint32_t n_straight;
	double quartiles[2];
	struct visit_value values[MAX_VISIT_VALUES];
	/* Cycles per op of whole runs of each length: the fastest that rows
	 * without flags share.  0: none. */
	double level[PACK_LENGTHS];
	double reading; /* the part of level[0] that is the cost of a reading */
	double rough;   /* NOT_LINEAR: slope all the same */
	double residual; /* of the middle length, without its sign */
	double bend;     /* of the middle length, with it: above the line > 0 */
	double bound;    /* as in struct estimate, or 0 */
	double spread;   /* without flags: slowest row over fastest, less 1 */
};

/* Read a visit; c is usable and k's lengths ascend. */
struct visit visit_read(const struct shape *k, const struct calibration *c,
			const struct sample *m);

/* Does a visit after the first have only one or two rows, because something
 * disturbed the core? Such a visit has no value of its own. */
bool visit_is_short(const struct sample *m);

/* Read the n visits of a kernel.  Visits that ended early are read together, as
 * one visit for each eleven or twelve rows, placed in `ret` where its last row
 * was measured, and one for the rest, placed last.  It has a value if at least
 * three rows share it, and most of those with good chains or most of those
 * without.  `ret` has room for n; returns how many it holds. */
size_t visits_read(const struct shape *k, const struct calibration *c,
		   const struct sample *m, size_t n, struct visit *ret);

/* Cycles per op of each row of a visit that no probe shows as disturbed, if the
 * kernel is straight.  ret has room for as many as it has rows.  Returns how many
 * there are. */
size_t visit_quiet_rows(const struct shape *k, const struct calibration *c,
			const struct sample *m, double *ret);

/* A kernel's visits in order. */
struct kernel_visits {
	uint8_t class;
	uint8_t combine; /* enum estimate_combine */
	uint32_t n;
	const struct visit *visits;
	/* Bodies per iteration of each length; NULL: the levels of single
	 * lengths are not used. */
	const uint32_t *unroll;
};

/* How reliable the visits are of kernels of a class that combine alike. */
struct reliability {
	uint32_t ignored; /* bit s: ignore the set of flags s */
	/* Of these, bit s: the probe is wrong before kernels of the class.  The
	 * others are flags that do no harm to most kernels. */
	uint32_t wrong_probe;
	/* Of visits with values without flags: share that has the correct one;
	 * and of two that do not have it, how often they agree. */
	double right, coincide;
	/* The same of kernels that show a slower value too, where most kernels
	 * of the width do; else 1.  One that shows a single value may be in a
	 * slow state in all of its visits. */
	double right_of_two;
	/* Share of such visits that disturbances make wrong: 1 - right of the
	 * class where that is least, of those whose width has 100 visits.
	 * Where several times as many are wrong, kernels have states
	 * (states.c). */
	double noise;
	/* Share of the rows without flags that disturbances move off the value
	 * of their visit: that of the class where it is least. */
	double row_noise;
	/* For each set of flags, of the kernels in which two visits with this
	 * set agree: share whose value is wrong; 1 where that is not known
	 * (sets with MARK_TOGETHER: that of the set without it). */
	double wrong[VALUE_SETS];
	/* For each set of flags: share of the values that are wrong, whether or
	 * not another visit agrees; 1 where that is not known. */
	double wrong_alone[VALUE_SETS];
};

struct evidence {
	struct reliability reliability[ESTIMATE_CLASSES][N_COMBINES];
	/* For the report: rows of each class, with each flag and with none. */
	struct {
		size_t n_rows, n_unmarked, n_bent, n_marked[N_MARKS];
	} rows[ESTIMATE_CLASSES];
};

/* Summary for printing, by class. */
struct evidence_report {
	struct {
		size_t n_rows, n_unmarked, n_marked[N_MARKS];
		double right[N_COMBINES]; /* as in struct reliability */
		uint32_t ignored[N_COMBINES];
	} classes[KERNEL_N_CLASSES];
};

void evidence_report(const struct evidence *e, struct evidence_report *ret);

/* What is assumed before anything is estimated. */
void evidence_prior(struct evidence *e);

/* Estimate from all kernels of a run. */
void evidence_learn(struct evidence *e, const struct kernel_visits *list,
		    size_t n);

/* Probes whose flag alone is ignored in all classes of a level, as bits of
 * row_ignored(). */
uint32_t evidence_ignored(const struct evidence *e);

/* What a kernel costs. */
struct estimate evidence_judge(const struct evidence *e,
			       const struct kernel_visits *t);

#endif
