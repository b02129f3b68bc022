/* Shared by the files of host/estimate. */
#ifndef ESTIMATE_INNER_H
#define ESTIMATE_INNER_H

#include "host/estimate/estimate.h"
#include "host/estimate/walk.h"
#include "host/predict/predict.h"

#define ESTIMATE_NONE UINT32_MAX

/* The load whose result another access needs for its address. */
struct estimate_source {
	uint32_t block, access; /* block: ESTIMATE_NONE: none */
};

/* An instruction of a walk: where it is in the profile. */
struct walk_insn {
	uint32_t block, index;
};

/* The core's cycles of each block of the profile. */
struct core_cost {
	double cycles; /* per execution; 0: not predicted */
	enum estimate_bound bound;
	const char *why;
	uint32_t n_assumed;
	struct estimate_source *sources; /* per access; NULL: none known */
	struct estimate_source jump;     /* of the jump at its end */
	/* Cycles that a misprediction of the jump at its end costs beyond the
	 * penalty, because it waits for its sources (resolution.c). */
	double resolution;
};

/* What is known of the blocks so far. */
struct costing {
	struct arena *a;
	const struct estimate_input *in;
	struct flow flow;
	struct core_cost *costs; /* [profile.n_blocks] */
	bool *known;             /* whose cost is set */
};

/* core.c: cost of each block that was executed; [profile.n_blocks]. */
int core_costs(struct arena *a, const struct estimate_input *in,
	       struct core_cost **ret, struct err *e);

/* resolution.c: set `resolution` of the blocks of a walk that are not yet
 * known. The walk's instructions are `insns`, its prediction is p, and it
 * takes `cycles`.  `a`: for temporary memory. */
void resolution_find(struct arena *a, const struct costing *x,
		     const struct prediction *p, double cycles,
		     const struct walk_insn *insns);

/* memory.c: fill `memory` of the blocks, and the hierarchies. */
void memory_costs(struct arena *a, const struct core_cost *costs,
		  struct program_estimate *x);

/* others.c: of hierarchies that differ in the part of the last level that
 * others leave, keep the one that the program's speed gives. */
void others_choose(struct program_estimate *x);

#endif
