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
	/* Measure these kernels, settled or not; NULL: all that are not
	 * settled. */
	const bool *wanted;
	bool attached;  /* the board runs this pack: do not send it */
	double seconds; /* stop the measuring after this; 0: no limit */
	struct link_traffic *traffic; /* added to */
	/* Called with `context`.  n_done and n_total are of this call; n_total
	 * includes the visits that later rounds are expected to make. */
	link_report *report;
	void *context;
};

struct rounds_result {
	/* Seconds of measuring in all sessions of the run, without solving:
	 * in all; until 95 % of the kernels that are now settled were
	 * settled; and the same for those of rank 0. */
	double seconds, most_after, most_base_after;
	/* Of this call: seconds from the begin of the first round to the end of
	 * the last, judging between them included; cores that measured; ticks
	 * of the reference clock that they spent in kernels and calibration, 0
	 * if it is not known. */
	double span;
	size_t n_cores;
	uint64_t inside_ticks;
	bool time_is_up;
	size_t n_open;    /* kernels whose visits do not agree */
	size_t n_missing; /* kernels without a sample and without a fault */
	struct solve_summary solved;
};

/* Measure the campaign's pack.  Kernels that the solver doubts get more visits
 * until a round settles too few of them; then the run is solved. */
int rounds_run(const struct rounds_request *q, struct rounds_result *ret,
	       struct err *e);

/* The cores of the campaign's board, as session_find_cores(). */
int rounds_find_cores(const struct rounds_request *q, bool each_kind,
		      struct link_cores *ret, struct err *e);

/* Set settled[k] for the n kernels of a run: true if the kernel needs no
 * more visits.  A kernel without a sample or a fault is not settled. */
int rounds_settled(struct store *s, int64_t run, bool *settled, size_t n,
		   struct err *e);

#endif
