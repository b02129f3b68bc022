/* Mixes of classes that were measured, as the matrix wants them. */
#ifndef PORTS_EVIDENCE_H
#define PORTS_EVIDENCE_H

#include "host/ports/infer.h"

/* Bounds of a mix of classes, up to `less` below what was measured; and as far
 * as a real scheduler may be from the best one. */
struct matrix_experiment evidence_within(const struct infer *in,
					 const struct ports_mix *mix,
					 const struct ports_value *v,
					 double less);
struct matrix_experiment evidence_bounds(const struct infer *in,
					 const struct ports_mix *mix,
					 const struct ports_value *v);

/* Where no number of ports would do, it is slower than that: uops that could
 * go elsewhere are in the way of those that cannot. */
extern const double evidence_far_below;

/* Let these be so much slower than the best scheduler has them; false when
 * they are already. */
bool evidence_loosen(struct infer *in, const bool *core);

/* Keep it, with these bounds or the usual ones. */
void evidence_keep(struct infer *in, const struct ports_mix *mix,
		   const struct ports_value *v, struct matrix_experiment x,
		   bool weak);
void evidence_add(struct infer *in, const struct ports_mix *mix,
		  const struct ports_value *v, bool weak);

/* A class whose mixes no matrix explains: it and its members are left to the
 * floods. */
void evidence_without(struct infer *in, size_t c);

/* The class to leave out, by complaints about each. */
size_t evidence_worst(const struct infer *in, const unsigned *complaints);

/* all_pairs.c: measure all pairs of classes that do not follow from others. */
int evidence_pairs(struct infer *in);

#endif
