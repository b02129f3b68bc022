/* How many instructions a core holds from dispatch to retirement. */
#ifndef EFFECT_WINDOW_WINDOW_H
#define EFFECT_WINDOW_WINDOW_H

#include "host/effect/effect.h"

/* judge.c: give the numbers of instructions that are held until they retire to
 * the sink, if the run has chains for them. */
int window_judge(const struct judge *j);

#endif
