/* What real cores showed, and no seed draws: off unless `-only` names it. */
#ifndef ADVERSARY_EFFECTS_H
#define ADVERSARY_EFFECTS_H

#include "tests/adversary/kernel.h"
#include "tests/adversary/rng.h"

/* Throttling (an AMD Zen 3 server): for milliseconds to minutes, loops of many
 * instructions a cycle run at k/16 of their speed, k from 8 to 15.  Chains,
 * no-operations and probes do not show it. */
bool effect_is_throttled(const struct kernel *k);

/* An episode begins or ends at time `at`, which was `now` or before: *slow is the
 * slow-down from then on.  Returns when the next one does. */
double effect_throttle(const struct machine *m, struct rng *r, double at,
		       double now, double *slow);

/* The slow-down of a kernel while its code stays in its place: the same at each
 * visit, another one in another place (two runs of an AMD Zen 3 server had 43
 * values that were `ok` in each and differed). */
double effect_of_place(const struct machine *m, const struct kernel *k,
		       unsigned place);

#endif
