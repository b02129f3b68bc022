/* What a run of the emulator counted and sampled, as an estimate takes it. */
#ifndef ESTIMATE_COLLECTED_H
#define ESTIMATE_COLLECTED_H

#include "host/cache/caches.h"
#include "host/estimate/estimate.h"
#include "host/guest/collect.h"

/* Set the counts of caches and TLBs, the samples, and where places and jumps
 * are.  in->p and in->n_hierarchies are set; everything belongs to `a` and to
 * the run. */
void estimate_collect(struct arena *a, struct guest_run *run,
		      const struct caches_simulated *simulated,
		      struct estimate_input *in);

#endif
