/* The word of a list that a mistyped word most probably means. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "common/types.h"

/* Start with `wanted` and zeroes; `best` stays NULL while no word is near. */
struct nearest {
	const char *wanted;
	const char *best;
	size_t distance;
	bool any_case; /* upper and lower case are the same */
};

/* Keep `word` if its edit distance (insertions, deletions, replacements and
 * swaps of neighbours; case counts half a replacement) is at most a third of
 * the wanted word's length, and below the best so far. */
void nearest_offer(struct nearest *n, const char *word);

#endif
