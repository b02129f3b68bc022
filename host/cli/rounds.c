/* The one loop of the chain: what is measured next follows from what the
 * solver made of the last round. */
#include "host/cli/rounds.h"

#include <string.h>

#include "host/cli/timing.h"

enum {
	MAX_ROUNDS = 6,
	/* Two visits that agree within what a visit is good for are enough;
	 * the third goes to those that do not. */
	FIRST_ROUND_LESS = 1,
	/* As many as the first round, so that a majority can form. */
	VISITS_PER_ROUND = 3,
};

/* What the solver made of the samples so far: how many kernels wait for
 * another round.  More visits help where the clock is a noisy one only. */
static int count_doubtful(const struct session *q, struct calibration *c,
			  uint32_t *ret_ignored, bool *settled, size_t n,
			  size_t *ret, struct err *e)
{
	struct arena a = { 0 };
	struct run run;
	bool ref = store_run_get(q->store, &a, q->run, &run, e) == ERR_OK &&
		   strcmp(run.clock, "ref") == 0;

	arena_free(&a);
	*ret = 0;
	if (!ref || solve_settled(q->store, q->run, c, ret_ignored, settled, n,
				  e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		*ret += !settled[i];
	return ERR_OK;
}

int rounds_run(struct session *session, struct solve_summary *ret_summary,
	       double *ret_seconds, struct err *e)
{
	struct arena a = { 0 };
	size_t n = pack_header(session->pack)->n_kernels;
	size_t doubtful = n;
	bool *settled = ARENA_ARRAY(&a, bool, n);
	struct calibration c = { .usable = false };
	uint32_t ignored = 0;

	/* One visit was asked for where nobody looks at the values. */
	int n_rounds =
		pack_header(session->pack)->n_visits > 1 ? MAX_ROUNDS : 1;

	*ret_seconds = 0;
	session->fewer_visits = FIRST_ROUND_LESS;
	for (int round = 0; round < n_rounds && doubtful > 0; round++) {
		double start = timing_now();
		int ret = session_run(session, e);

		*ret_seconds += timing_now() - start;
		if (ret != ERR_OK ||
		    (round + 1 < n_rounds &&
		     count_doubtful(session, &c, &ignored, settled, n,
				    &doubtful, e) != ERR_OK))
			break;
		session->skip = settled;
		session->silence = (struct link_silence){
			.probe = c.baseline[0][0][PROBE_SIBLING],
			.reading = c.reading[0],
			.ignored = ignored,
		};
		if (session->fewer_visits == 0)
			session->extra_visits += VISITS_PER_ROUND;
		session->fewer_visits = 0;
	}
	session->skip = NULL;
	if (e->code == ERR_OK)
		(void)solve_run(session->store, session->run, ret_summary, e);
	arena_free(&a);
	return e->code;
}
