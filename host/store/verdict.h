/* The verdicts of claims in words, for people. */
#ifndef STORE_VERDICT_H
#define STORE_VERDICT_H

#include <stdbool.h>

/* The meaning of a verdict in a line; docs/method.md explains each. */
const char *verdict_meaning(const char *verdict);

/* Is the word a verdict? */
bool verdict_is(const char *word);

#endif
