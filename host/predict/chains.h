/* All chains of dependencies that a loop carries from iteration to
 * iteration. */
#ifndef PREDICT_CHAINS_H
#define PREDICT_CHAINS_H

#include "host/predict/graph.h"

struct chains {
	size_t n;
	struct path *list; /* most cycles per iteration first */
	/* The graph is too large for a search; the list has the longest. */
	bool longest_only;
};

/* Find the chains. Each edge into a later iteration gives one: of the cycles
 * of the graph through it, the one that needs the fewest cycles more to be the
 * longest. Chains of the same instructions are listed once. `longest` is what
 * graph_carried() found. Everything in *ret belongs to `a`. */
void chains_find(struct arena *a, const struct dep_graph *g,
		 const struct path *longest, struct chains *ret);

#endif
