/* Does the core start instructions in program order?  See judging.h.
 *
 * Two instructions in turn, of which each reads the result of the one before,
 * make a latency cycle.  In each of its two controls one of the two waits is
 * missing.  A core that starts instructions in program order starts nothing
 * during the other wait, so the controls together take at least as long as the
 * cycle.  A core that starts instructions as soon as their sources are there
 * needs for a control only what its instructions cost without any wait. */
#include "host/solve/graph.h"
#include "host/solve/judging.h"

/* Controls of a core in program order take this part of their cycle at least:
 * one by the argument above, less what two measurements are off. */
static const double in_turn = 0.8;

/* 1: the controls prove that the core does not start in program order, -1: they
 * do not, 0: the cycle has none. */
static int vote(const struct judge *j, const struct record *r)
{
	const struct record *first, *second;
	const char *texts[GRAPH_MAX_PARTS];

	if (!label_is_cycle(&r->label) || r->label.n_helpers > 0 ||
	    !judging_is_usable(r) ||
	    graph_split(j->a, r->label.form, texts) != 2)
		return 0;
	first = graph_broken(j, r, 0);
	second = graph_broken(j, r, 1);
	if (!judging_is_usable(first) || !judging_is_usable(second))
		return 0;
	return first->estimate.high + second->estimate.high <
			       in_turn * r->estimate.low
		       ? 1
		       : -1;
}

bool judging_in_order(const struct judge *j)
{
	ptrdiff_t votes = 0;

	if (!j->sink->in_order)
		return false;
	for (size_t i = 0; i < j->n; i++)
		votes += vote(j, &j->records[i]);
	return votes <= 0;
}
