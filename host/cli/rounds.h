/* Measuring in rounds: solve what came, and give the kernels whose visits were
 * disturbed some more, in the order of pace.h. */
#ifndef CLI_ROUNDS_H
#define CLI_ROUNDS_H

#include "host/link/link.h"
#include "host/solve/solve.h"

struct rounds_request {
	/* Its skip, rank, block, visits, passes, until_ms and silence are the
	 * rounds' own. */
	struct session *session;
	/* Kernels to measure, settled or not; NULL: all that are not. */
	const bool *wanted;
	bool together;  /* a round is over all ranks; see pace.h */
	bool any_order; /* ... and a pass over them in the pack's order */
	double seconds; /* after which no more is asked for; 0: no limit */
};

/* What came of it. */
struct rounds_result {
	/* Seconds of measuring, without the solver's, in all sessions of the
	 * run; until 95 % of the kernels that are settled were so, and of those
	 * of rank 0. */
	double seconds, most_after, most_base_after;
	bool time_is_up;
	size_t n_open;    /* kernels without agreement, */
	size_t n_missing; /* and without a sample or a fault */
	struct solve_summary solved;
};

/* Run the session, then repeat what the solver is in doubt of until no more is
 * settled; then solve the run. */
int rounds_run(const struct rounds_request *q, struct rounds_result *ret,
	       struct err *e);

/* Sets settled[k] of the n kernels of a run that need no more visits; one
 * without a sample or a fault does. */
int rounds_settled(struct store *s, int64_t run, bool *settled, size_t n,
		   struct err *e);

#endif
