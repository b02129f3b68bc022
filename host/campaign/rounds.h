/* Measuring in rounds: solve the samples so far, and give the kernels whose
 * visits were disturbed more visits, in the order of pace.h. */
#ifndef CAMPAIGN_ROUNDS_H
#define CAMPAIGN_ROUNDS_H

#include "host/campaign/campaign.h"
#include "host/campaign/workspace.h"
#include "host/solve/solve.h"

struct rounds_request {
	struct campaign *campaign;
	const struct workspace *workspace;
	struct store *store;
	int64_t run;
	/* Kernels to measure, settled or not; NULL: all that are not. */
	const bool *wanted;
	bool attached;  /* the board runs this pack: do not send it */
	double seconds; /* after which no more is asked for; 0: no limit */
	struct link_traffic *traffic; /* added to */
	link_report *report;          /* of each session, with `context` */
	void *context;
};

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

/* Measure the campaign's pack.  Kernels that the solver doubts get more visits
 * until a round settles too few of them; then the run is solved. */
int rounds_run(const struct rounds_request *q, struct rounds_result *ret,
	       struct err *e);

/* Set settled[k] of the n kernels of a run that need no more visits; a kernel
 * without a sample or a fault needs some. */
int rounds_settled(struct store *s, int64_t run, bool *settled, size_t n,
		   struct err *e);

#endif
