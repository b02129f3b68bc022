/* Latencies between register classes, from latency cycles: closed paths through
 * several forms, each of which reads the result of the one before.
 *
 * The sum of a cycle is measured, its parts are not.  But every part that is
 * executed costs at least one cycle of the clock, the least of the sums with a
 * part bounds it, and bounds of one part bound the others.  Propagating these
 * bounds until nothing changes gives the interval of each part. */
#ifndef SOLVE_GRAPH_H
#define SOLVE_GRAPH_H

#include "host/solve/judge.h"

struct judge;

/* Longer latency cycles are left out. */
enum { GRAPH_MAX_PARTS = 12 };

/* Does the latency cycle go through carriers? */
bool graph_is_carried(const struct isa_carrier *k, const struct label *l);

/* The time of a latency cycle's parts if they were independent, but at least
 * that of the longest chain of one of their forms; INFINITY if it is not
 * known. */
double graph_alone(const struct judge *j, const struct record *cycle);

/* Do the bounds of a cycle through carriers prove that it costs more than its
 * control?  Only those of a core clock can. */
bool graph_is_apart(const struct judge *j, const struct record *cycle);

/* The control of a latency cycle that is broken at part i, with the cycle's
 * helpers; NULL: none. */
const struct record *graph_broken(const struct judge *j,
				  const struct record *cycle, size_t i);

/* Is the latency cycle longer than each of its controls that are broken at a
 * single link?  If not, the wait at part *ret_hidden is hidden behind another
 * wait of this part, or behind its turn on a core that starts instructions in
 * order, and the cycle's time is more than the sum of its latencies.  A link
 * without such a control shows.  Of a cycle of carriers, or through them, these
 * must show, too; if they do not, *ret_hidden says nothing. */
bool graph_links_show(const struct judge *j, const struct record *cycle,
		      size_t *ret_hidden);

/* Give claims for every part that begins a latency cycle to the sink. */
int graph_solve(const struct judge *j);

/* Can parts that take at least `least` cost so few cycles?  If not, the sum is
 * no chain's: a form may write its result in part, or not the flag that the
 * next one reads. */
bool graph_closes(double sum, double least);

/* The least time of a part: zero if the run shows that the renamer executes its
 * form, else one cycle; and of a whole label. */
double graph_least_part(const struct judge *j, const char *form);
double graph_least(const struct judge *j, const struct label *l);

#endif
