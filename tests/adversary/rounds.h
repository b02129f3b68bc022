/* A run of a machine's kernels in rounds, as host/campaign/rounds.c and the
 * session make one. */
#ifndef ADVERSARY_ROUNDS_H
#define ADVERSARY_ROUNDS_H

#include "tests/adversary/solver.h"

/* Most visits of a kernel, as host/campaign/pace.h has it: two in the first
 * round, and three in each of fourteen others. */
enum { MAX_VISITS = 2 + 3 * 14 };

/* The result of a run, for each kernel. */
struct outcome {
	struct solver_answer answers[N_KERNELS];
	/* It had all visits, and at most one of them had undisturbed rows. */
	bool out_of_reach[N_KERNELS];
	double measured_ns; /* of simulated time in measure_kernel() */
	size_t n_visits;
	bool given_up;
};

/* Measure and solve.  Stops when measure_kernel() has used this much time. */
void rounds_run(const struct machine *m, const struct kernels *k,
		double limit_ns, struct outcome *ret);

#endif
