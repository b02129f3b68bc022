/* Evidence: measured mixes of classes, in the form that the matrix solver
 * needs. */
#ifndef PORTS_EVIDENCE_H
#define PORTS_EVIDENCE_H

#include "host/ports/infer.h"

/* Bounds of a mix's time under the best scheduler: down to `less` (relative)
 * below the measured value, or as far below as a real scheduler may be
 * slower. */
struct matrix_experiment evidence_within(const struct infer *in,
					 const struct ports_mix *mix,
					 const struct ports_value *v,
					 double less);
struct matrix_experiment evidence_bounds(const struct infer *in,
					 const struct ports_mix *mix,
					 const struct ports_value *v);

/* How far below the measured value the best scheduler may lie, relative, for
 * mixes that no matrix explains otherwise: a real scheduler lets uops with a
 * choice of ports delay uops without one. */
extern const double evidence_far_below;

/* Widen the bounds of the experiments in `core` to evidence_far_below. Returns
 * false when they are that wide already. */
bool evidence_loosen(struct infer *in, const bool *core);

/* Add a measured mix with these bounds, or with the usual ones. `weak`: found
 * in a random mix, and excluded first in a contradiction. */
void evidence_keep(struct infer *in, const struct ports_mix *mix,
		   const struct ports_value *v, struct matrix_experiment x,
		   bool weak);
void evidence_add(struct infer *in, const struct ports_mix *mix,
		  const struct ports_value *v, bool weak);

/* substitutes.c: measure the experiments in `core` with other members of their
 * classes.  If one is shorter with another member, that member becomes the
 * representative, and the evidence of its class is measured again;
 * *ret_replaced is then true. */
int evidence_substitute(struct infer *in, const bool *core, bool *ret_replaced);

/* Do the same with all pairs that seem to have common ports, until no
 * representative is replaced. */
int evidence_confirm_pairs(struct infer *in);

/* Exclude a class whose mixes no matrix explains. The class and its members are
 * left to the saturation kernels. */
void evidence_exclude_class(struct infer *in, size_t c);

/* Forms that belong to the class. */
unsigned evidence_n_members(const struct infer *in, size_t c);

/* The class to exclude, given the number of conflicts of each. */
size_t evidence_worst(const struct infer *in, const unsigned *complaints);

/* The matrix problem of all evidence, valid until evidence is added. */
struct matrix_problem *evidence_problem(struct infer *in);
/* The same for a question whose answer the search can do without: it may take the
 * steps that are left of in->steps. */
struct matrix_problem *evidence_question(struct infer *in);

/* The same without class c and without the mixes that it is part of; the list
 * of these is in in->a. */
struct matrix_problem evidence_problem_without(struct infer *in, size_t c);

/* bridges.c: exclude a class whose forms may have more than one uop, because
 * fewer other classes need to share ports without it.  Requires in->solution
 * with as few overlaps as possible.  Returns whether there was one; then the
 * matrix must be solved again. */
bool evidence_exclude_bridge(struct infer *in);

/* all_pairs.c: measure all pairs of classes whose union does not follow from
 * other pairs. */
int evidence_pairs(struct infer *in);

#endif
