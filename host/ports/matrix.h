/* Class-by-port matrices that agree with measured mixes of classes. */
#ifndef PORTS_MATRIX_H
#define PORTS_MATRIX_H

#include "host/ports/ports.h"
#include "host/ports/sat.h"

enum {
	MATRIX_MAX_PORTS = 40,
	/* Limit of solutions that differ measurably. */
	MATRIX_MAX_SOLUTIONS = 16,
	MATRIX_MAX_FLATS = 2048,
};

/* The set of ports of each row. */
struct matrix_solution {
	model_ports row[PORTS_MAX_CLASSES];
};

/* A mix of single-uop forms whose time lies between low and high, in cycles. */
struct matrix_experiment {
	size_t n;
	struct {
		uint32_t row;
		uint32_t count;
	} part[PORTS_MAX_PARTS];
	double low, high;
};

/* Input of the solver. */
struct matrix_problem {
	size_t n_rows;
	unsigned size[PORTS_MAX_CLASSES]; /* ports of each row; 0: excluded */
	double width;
	/* Larger unions than this many ports take the same time. */
	unsigned cap;
	size_t n_experiments;
	const struct matrix_experiment *experiments;
	/* Experiments to ignore; NULL: none. */
	const bool *dropped;
	/* Steps of the solver that are left; NULL: any number.  Without any, the
	 * answer is SAT_UNKNOWN. */
	uint64_t *steps;
};

/* Find the matrix with the fewest ports, from *ports up to MATRIX_MAX_PORTS,
 * and set *ports. Returns SAT_NO when there is none; `core` (one entry per
 * experiment, or NULL) then marks experiments that contradict each other.
 * SAT_UNKNOWN: the solver reached its limit. */
enum sat_answer matrix_solve(const struct matrix_problem *p, unsigned *ports,
			     struct matrix_solution *ret, bool *core);

/* Does any matrix fit? */
bool matrix_fits(const struct matrix_problem *p);

/* Find another matrix of at most `ports` ports. It must differ from each of the
 * n known ones in the size of some union of rows, capped by the width. */
enum sat_answer matrix_other(const struct matrix_problem *p, unsigned ports,
			     const struct matrix_solution *known, size_t n,
			     struct matrix_solution *ret);

/* Change *s to a matrix that also fits, in which rows with an overlap hidden by
 * the width are disjoint where possible. No measurement requires these
 * overlaps, and ports that belong only to certain uops could be mistaken for
 * them. Adds the ports needed to *ports. */
void matrix_disjoint(const struct matrix_problem *p, unsigned *ports,
		     struct matrix_solution *s);

/* Number of pairs of rows that share ports in *s and whose union has at least
 * `cap` ports, so that no mix shows what they share.  Pairs with row `but` are
 * not counted (PORTS_NONE: all pairs are). */
size_t matrix_n_hidden(const struct matrix_problem *p,
		       const struct matrix_solution *s, int but);

/* A union of rows. */
struct matrix_flat {
	model_ports ports;
	uint32_t rows; /* all rows inside it, one bit each */
};

/* List the distinct unions of fewer than `cap` ports, smallest first. Returns
 * their number, at most MATRIX_MAX_FLATS. */
size_t matrix_flats(const struct matrix_problem *p,
		    const struct matrix_solution *s,
		    struct matrix_flat ret[MATRIX_MAX_FLATS]);

/* The union of the ports of these rows, one bit each. */
model_ports matrix_union(const struct matrix_solution *s, uint32_t rows);

/* Build a mix that fills a union of some of these rows evenly, each port once,
 * with row `keep` in it (PORTS_NONE: any). Returns false when that takes more
 * than PORTS_MAX_PARTS rows. */
bool matrix_fill(const struct matrix_solution *s, uint32_t rows, int keep,
		 struct matrix_experiment *ret);

/* Cycles that this matrix predicts for an experiment's mix. */
double matrix_cycles(const struct matrix_problem *p,
		     const struct matrix_solution *s,
		     const struct matrix_experiment *x);

/* Find the mix whose times by two matrices differ most. Returns false when no
 * mix differs by more than `least`, relative. */
bool matrix_separate(const struct matrix_problem *p,
		     const struct matrix_solution *x,
		     const struct matrix_solution *y, double least,
		     struct matrix_experiment *ret);

#endif
