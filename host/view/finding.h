/* What `anechoic structures` found, as claims: CLAIM_STRUCTURE, of no form; the
 * source is the key ("l1.size"), the destination the unit.  low and high are the
 * interval, VERDICT_AT_LEAST has a bound in both.  The points of the curves are
 * CLAIM_CURVE: the source is the curve, the destination the x of the
 * point, and the values are cycles. */
#ifndef VIEW_FINDING_H
#define VIEW_FINDING_H

#include "host/view/claims.h"

/* The curves: cycles of a load over the bytes of a set; over pages, with a line in
 * each. */
#define FINDING_CURVE_BYTES "bytes"
#define FINDING_CURVE_PAGES "pages"

enum finding_unit {
	FINDING_BYTES,
	FINDING_CYCLES,
	FINDING_COUNT,
	FINDING_RATE,     /* bytes per cycle */
	FINDING_PREFETCH, /* 1: streams, 0: none; as files of caches have it */
	FINDING_N_UNITS,
};

/* The unit as claims have it, "bytes"; the other way round, FINDING_COUNT for an
 * unknown word; and what a table has behind numbers, "". */
const char *finding_unit_key(enum finding_unit unit);
enum finding_unit finding_unit_of(const char *key);
const char *finding_unit_word(enum finding_unit unit);

/* A number as tables have it: "48K", "3.50". */
enum { FINDING_NUMBER = 48, FINDING_SPAN = 2 * FINDING_NUMBER + 8 };
void finding_number(char out[FINDING_NUMBER], enum finding_unit unit, double x);

/* The value of a claim, without its unit: "48K", "48K..49K", "70 or more",
 * "yes"; "-": none. */
void finding_text(char out[FINDING_SPAN], const struct claim *c);

/* Those of the claims that are of this kind: one part of them, as they are sorted.
 * n is 0 where there are none. */
struct view_claims finding_claims(const struct view_claims *all,
				  const char *kind);

/* Its points by their x: *ret_n numbers and claims, in `a`. */
struct finding_point {
	double x;
	const struct claim *claim;
};
struct finding_point *finding_curve(struct arena *a,
				    const struct view_claims *all,
				    const char *curve, size_t *ret_n);

#endif
