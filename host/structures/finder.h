/* What the files that find structures share. */
#ifndef STRUCTURES_FINDER_H
#define STRUCTURES_FINDER_H

#include "host/structures/structures.h"

struct core_finder {
	const struct structures_request *q;
	const struct probe_oracle *watched; /* whose answers q->oracle counts */
	struct structures *ret;
	struct err *e;
	/* Known values of a step, and those of them in doubt. */
	size_t n_values, n_doubts;
};

/* Say what is measured next. */
void finder_say(const struct core_finder *f, const char *what);

/* Are there instructions for these probes? */
bool finder_has(const struct core_finder *f, enum probe_kind kind);

/* Why a probe of the kind has no answer. */
const char *finder_no_answer(const struct core_finder *f, enum probe_kind kind);

/* Append a finding. */
void finder_add(struct core_finder *f, struct core_finding x);

/* "l2.size"; `level` counts from 0. */
const char *finder_key(const struct core_finder *f, size_t level,
		       const char *what);

/* Ask n > 0 probes, but for those without instructions, which have no answer.  False:
 * there is no answer at all, and f->e says why. */
bool finder_ask(struct core_finder *f, const struct core_probe *list, size_t n,
		struct probe_value *ret);

/* A chase in memory, or (`far` is false) in a set that every first level holds. */
struct core_probe finder_far(const struct core_finder *f, bool far);

/* The finding of this key; NULL: there is none. */
struct core_finding *finder_find(const struct core_finder *f, const char *key);

/* The same if it is known. */
const struct core_finding *finder_known(const struct core_finder *f,
					const char *key);

/* jumps.c: mispredictions, how far the predictor remembers, loops, calls, jumps and
 * targets that it knows.  queues.c: instructions, registers, loads, stores and
 * waiting instructions in flight.  forward.c: loads of what was just stored. */
bool jumps_find(struct core_finder *f);
bool queues_find(struct core_finder *f);
bool forward_find(struct core_finder *f);

/* patterns.c: how many random jumps of a repeated sequence are predicted.
 * penalty: cycles of a misprediction. */
bool patterns_find(struct core_finder *f, double penalty);

/* streams.c: bandwidths of all levels, what a line costs the first one, and
 * whether lines in order are fetched in advance. */
bool streams_find(struct core_finder *f);

#endif
