/* Latencies between register classes, from circles through several forms.
 *
 * A circle's sum is measured; its parts are not.  But every part costs at
 * least one cycle, a part that is in many circles is bounded by the cheapest
 * of them, and what bounds one part bounds the others.  Carrying those bounds
 * to where nothing changes any more gives each part's interval. */
#ifndef SOLVE_GRAPH_H
#define SOLVE_GRAPH_H

#include "host/solve/judge.h"

struct judge;

/* graph_parts.c: the parts of a circle's form, "FORM@source>destination", as
 * far as GRAPH_MAX_PARTS; how many there are. */
enum { GRAPH_MAX_PARTS = 12 };
size_t graph_split(struct arena *a, const char *form, const char **ret);

/* Does the circle come back through carriers? */
bool graph_is_carried(const struct isa_carrier *k, const struct label *l);

/* What a circle's parts, *ret_parts of them, cost without going round: INFINITY
 * where that is not known. */
double graph_alone(struct arena *a, const struct judge *j,
		   const struct record *circle, size_t *ret_parts);

/* Claims for every part that heads a circle, to the sink of judge_records(),
 * which calls this with its sorted records.  Strings in `a`. */
int graph_solve(struct arena *a, const struct record *records, size_t n,
		const struct judge_sink *sink, struct err *e);

/* Can parts that take at least `least` cost so few cycles?  If not, the sum is
 * no chain's: a form may write its result in part, or not the flag that the
 * next one reads. */
bool graph_closes(double sum, double least);

/* The least that parts of a circle take together: nothing where
 * the run shows that the renamer does a form's work, else a cycle each. */
double graph_least(struct arena *a, const struct judge *j, const char *parts);

#endif
