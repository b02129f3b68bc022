/* Measuring in rounds: solve what came, and give the kernels whose visits were
 * disturbed some more. */
#ifndef CLI_ROUNDS_H
#define CLI_ROUNDS_H

#include "host/link/link.h"
#include "host/solve/solve.h"

/* Run the session, then repeat what the solver is in doubt of, a few rounds at
 * most; then solve the run into *ret_summary.
 * session->skip, extra_visits and fewer_visits are the rounds' own.
 * *ret_seconds: wall time of measuring alone, without the solver's. */
int rounds_run(struct session *session, struct solve_summary *ret_summary,
	       double *ret_seconds, struct err *e);

#endif
