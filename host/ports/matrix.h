/* Class x port matrices that agree with measured mixes of classes. */
#ifndef PORTS_MATRIX_H
#define PORTS_MATRIX_H

#include "host/ports/ports.h"
#include "host/ports/sat.h"

enum {
	MATRIX_MAX_PORTS = 40,
	/* Solutions that differ where it can be measured, at most. */
	MATRIX_MAX_SOLUTIONS = 16,
	MATRIX_MAX_FLATS = 2048,
};

/* Sets of ports, one for each row. */
struct matrix_solution {
	model_ports row[PORTS_MAX_CLASSES];
};

/* A mix whose time lies from low to high, in cycles of its single uops. */
struct matrix_experiment {
	size_t n;
	struct {
		uint32_t row;
		uint32_t count;
	} part[PORTS_MAX_PARTS];
	double low, high;
};

/* What is known of the rows. */
struct matrix_problem {
	size_t n_rows;
	unsigned size[PORTS_MAX_CLASSES]; /* ports of each; 0: left out */
	double width;
	/* Unions of so many ports look like any larger one. */
	unsigned cap;
	size_t n_experiments;
	const struct matrix_experiment *experiments;
	/* Experiments that are not believed; NULL: all are. */
	const bool *dropped;
};

/* The matrix with the fewest ports, from `*ports` upward to
 * MATRIX_MAX_PORTS; sets *ports.  SAT_NO: none; `core` (one for each
 * experiment, or NULL) then tells which experiments contradict each other. */
enum sat_answer matrix_solve(const struct matrix_problem *p, unsigned *ports,
			     struct matrix_solution *ret, bool *core);

/* Is there any matrix? */
bool matrix_fits(const struct matrix_problem *p);

/* Another matrix of at most `ports` ports that differs from each of the n known
 * in the union of some rows, seen below the width. */
enum sat_answer matrix_other(const struct matrix_problem *p, unsigned ports,
			     const struct matrix_solution *known, size_t n,
			     struct matrix_solution *ret);

/* Of all matrices that fit, one in which rows whose overlap is hidden behind
 * the width have none, as far as that can be: nothing that was measured asks
 * for it, and what only some instructions' own uops show would be taken for
 * it.  Adds to *ports what that takes. */
void matrix_apart(const struct matrix_problem *p, unsigned *ports,
		  struct matrix_solution *s);

/* A union of rows. */
struct matrix_flat {
	model_ports ports;
	uint32_t rows; /* all that lie in it, one bit each */
};

/* Distinct unions of fewer than `cap` ports, smallest first; returns how
 * many. */
size_t matrix_flats(const struct matrix_problem *p,
		    const struct matrix_solution *s,
		    struct matrix_flat ret[MATRIX_MAX_FLATS]);

model_ports matrix_union(const struct matrix_solution *s, uint32_t rows);

/* A mix that fills a union of some of these rows evenly, each port once, row
 * `keep` among them (PORTS_NONE: whichever); false when that takes more than
 * PORTS_MAX_PARTS rows. */
bool matrix_fill(const struct matrix_solution *s, uint32_t rows, int keep,
		 struct matrix_experiment *ret);

/* Cycles of an experiment's mix by this matrix. */
double matrix_cycles(const struct matrix_problem *p,
		     const struct matrix_solution *s,
		     const struct matrix_experiment *x);

/* The mix whose times by two matrices differ most; false when none does by
 * more than `least`, relative. */
bool matrix_separate(const struct matrix_problem *p,
		     const struct matrix_solution *x,
		     const struct matrix_solution *y, double least,
		     struct matrix_experiment *ret);

#endif
