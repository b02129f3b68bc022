/* The solver as host/solve/solve.c and host/cli/rounds.c use it: a calibration
 * from all visits, then kernel by kernel; what is settled after a round is not
 * looked at again before the end. */
#include "tests/adversary/solver.h"

#include <stdlib.h>
#include <string.h>

#include "host/solve/estimate.h"

static const char *const verdicts[] = {
	[ESTIMATE_OK] = "ok",
	[ESTIMATE_TWO_STATES] = "two-states",
	[ESTIMATE_UNSTABLE] = "unstable",
	[ESTIMATE_NOISY] = "noisy",
	[ESTIMATE_NOT_LINEAR] = "not-linear",
	[ESTIMATE_IMPLAUSIBLE] = "implausible",
	[ESTIMATE_MISSING] = "missing",
	[ESTIMATE_BAD_DATA] = "bad-data",
	[ESTIMATE_COMPANY] = "company",
	[ESTIMATE_NO_CALIBRATION] = "no-calibration",
};

static struct shape shape_of(const struct solver_kernel *k)
{
	struct shape s = { .ops_per_body = 1, .instructions = 1 };

	memcpy(s.unroll, k->pack->unroll, sizeof(s.unroll));
	return s;
}

static struct calibration calibrate(const struct solver_kernel *list, size_t n)
{
	struct calibration c = { .usable = false };
	struct visit_facts *facts;
	size_t n_facts = 0, most = 0;

	for (int i = 0; i < PACK_N_CALIB; i++)
		c.kernels[i] = shape_of(&list[KERNEL_CHAIN_A + i]);
	for (size_t i = 0; i < n; i++)
		most += list[i].n;
	facts = xrealloc(NULL, most + 1, sizeof(*facts));
	for (size_t i = 0; i < n; i++)
		for (size_t v = 0; v < list[i].n; v++)
			n_facts += estimate_visit_facts(&c, &list[i].samples[v],
							&facts[n_facts]);
	estimate_calibrate(&c, facts, n_facts);
	free(facts);
	return c;
}

void solver_solve(const struct solver_kernel *list, size_t n, unsigned round,
		  bool last, struct solver_answer *ret,
		  struct solver_silence *ret_silence)
{
	struct calibration c = calibrate(list, n);

	for (size_t i = KERNEL_FIRST; i < n; i++) {
		struct shape shape = shape_of(&list[i]);
		struct estimate e;

		if (round > 0 && !ret[i].doubtful && !last)
			continue;
		e = estimate_ref(&shape, &c, list[i].samples, list[i].n,
				 list[i].chain ? COMBINE_MEDIAN
					       : COMBINE_LOWEST);
		ret[i] = (struct solver_answer){
			.valued = e.state == ESTIMATE_OK ||
				  e.state == ESTIMATE_TWO_STATES,
			.ok = e.state == ESTIMATE_OK,
			.doubtful = e.doubtful,
			.cycles = e.low,
			.verdict = verdicts[e.state],
			.votes = e.visits,
			.visits = e.n_visits,
		};
	}
	/* Later rounds use what the first one showed. */
	if (round == 0)
		*ret_silence = (struct solver_silence){
			.probe = c.probe_baseline,
			.reading = c.reading,
		};
}
