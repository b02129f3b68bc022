/* Latencies between register classes, from latency cycles: closed paths through
 * several forms, each of which reads the result of the one before.
 *
 * The sum of a cycle is measured, its parts are not.  But every part costs
 * at least one cycle of the clock, the least of the sums with a part bounds
 * it, and bounds of one part bound the others.  Propagating these bounds
 * until nothing changes gives the interval of each part. */
#ifndef SOLVE_GRAPH_H
#define SOLVE_GRAPH_H

#include "host/solve/judge.h"

struct judge;

/* graph_parts.c: the parts of "FORM@source>destination+...", at most
 * GRAPH_MAX_PARTS; returns how many. */
enum { GRAPH_MAX_PARTS = 12 };
size_t graph_split(struct arena *a, const char *form, const char **ret);

/* Does the latency cycle go through carriers? */
bool graph_is_carried(const struct isa_carrier *k, const struct label *l);

/* The time of a latency cycle's parts, *ret_parts of them, if they were
 * independent: INFINITY if it is not known. */
double graph_alone(struct arena *a, const struct judge *j,
		   const struct record *cycle, size_t *ret_parts);

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
 * order, and the cycle's time is more than the sum of its latencies.  True
 * where there is no such control. */
bool graph_links_show(const struct judge *j, const struct record *cycle,
		      size_t *ret_hidden);

/* Give claims for every part that begins a latency cycle to the sink of
 * judge_records(), which calls this with its sorted records.  Strings in
 * `a`. */
int graph_solve(struct arena *a, const struct record *records, size_t n,
		const struct judge_sink *sink, struct err *e);

/* Can parts that take at least `least` cost so few cycles?  If not, the sum is
 * no chain's: a form may write its result in part, or not the flag that the
 * next one reads. */
bool graph_closes(double sum, double least);

/* The least total time of parts of a latency cycle: zero for a form if the run
 * shows that the renamer executes it, else one cycle each. */
double graph_least(struct arena *a, const struct judge *j, const char *parts);

#endif
