/* The solver as host/solve/solve.c uses it: a calibration from all visits, the
 * reliability of values from all kernels, then each kernel. */
#include "tests/adversary/solver.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/solve/evidence.h"

static struct shape shape_of(const struct solver_kernel *k)
{
	static const uint8_t classes[N_WIDTHS] = {
		[WIDTH_GENERAL] = KERNEL_GENERAL,
		[WIDTH_128] = KERNEL_VECTOR,
		[WIDTH_256] = KERNEL_BITS_256,
		[WIDTH_512] = KERNEL_BITS_512,
	};
	struct shape s = { .ops_per_body = 1, .instructions = 1 };

	memcpy(s.unroll, k->pack->unroll, sizeof(s.unroll));
	if (k->width < N_WIDTHS)
		s.class = (uint8_t)(classes[k->width] + k->kind);
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
	for (size_t i = 0; i < n; i++) {
		struct shape shape = shape_of(&list[i]);

		for (size_t v = 0; v < list[i].n; v++)
			n_facts += estimate_visit_facts(&c, &shape,
							&list[i].samples[v],
							&facts[n_facts]);
	}
	estimate_calibrate(&c, facts, n_facts);
	free(facts);
	return c;
}

/* Visits of all kernels, one after the other. */
static struct visit *read_all(const struct solver_kernel *list, size_t n,
			      const struct calibration *c,
			      struct kernel_visits *ret)
{
	struct visit *visits;
	size_t n_visits = 0;

	for (size_t i = KERNEL_FIRST; i < n; i++)
		n_visits += list[i].n;
	visits = xrealloc(NULL, n_visits + 1, sizeof(*visits));
	n_visits = 0;
	for (size_t i = KERNEL_FIRST; i < n; i++) {
		struct shape shape = shape_of(&list[i]);

		ret[i - KERNEL_FIRST] = (struct kernel_visits){
			.class = shape.class,
			.combine =
				list[i].chain ? COMBINE_MEDIAN : COMBINE_LOWEST,
			.visits = visits + n_visits,
			.unroll = list[i].pack->unroll,
		};
		if (!c->usable)
			continue;
		ret[i - KERNEL_FIRST].n =
			(uint32_t)visits_read(&shape, c, list[i].samples,
					      list[i].n, visits + n_visits);
		n_visits += ret[i - KERNEL_FIRST].n;
	}
	return visits;
}

void solver_solve(const struct solver_kernel *list, size_t n, unsigned round,
		  struct solver_answer *ret, struct solver_silence *ret_silence)
{
	struct calibration c = calibrate(list, n);
	struct kernel_visits *all = xrealloc(NULL, n, sizeof(*all));
	struct visit *visits = read_all(list, n, &c, all);
	struct evidence *evidence = xrealloc(NULL, 1, sizeof(*evidence));

	evidence_learn(evidence, all, n - KERNEL_FIRST);
	for (size_t i = KERNEL_FIRST; i < n; i++) {
		struct estimate e =
			evidence_judge(evidence, &all[i - KERNEL_FIRST]);

		ret[i] = (struct solver_answer){
			.valued = e.state == VERDICT_OK ||
				  e.state == VERDICT_TWO_STATES,
			.ok = e.state == VERDICT_OK,
			.doubtful = e.doubtful,
			.unproved = e.unproved,
			.cycles = e.low,
			.verdict = e.state,
			.values = e.visits,
			.visits = e.n_visits,
		};
	}
	ret_silence->ignored = evidence_ignored(evidence);
	free(evidence);
	free(visits);
	free(all);
	/* Later rounds keep the figures of the first. */
	if (round == 0)
		ret_silence->probe = c.baseline[0][0][PROBE_SIBLING];
	if (round == 0)
		ret_silence->reading = c.reading[0];
}
