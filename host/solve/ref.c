/* The estimate of a single kernel on a reference clock, without the other
 * kernels of its run. */
#include <stdlib.h>

#include "host/base/arena.h"
#include "host/solve/evidence.h"
#include "host/solve/fit.h"

struct estimate estimate_ref(const struct shape *k, const struct calibration *c,
			     const struct sample *m, size_t n,
			     enum estimate_combine combine)
{
	struct estimate e = { .state = VERDICT_MISSING,
			      .n_visits = (uint32_t)n };
	struct kernel_visits t = { .class = k->class,
				   .combine = (uint8_t)combine,
				   .n = (uint32_t)n,
				   .unroll = k->unroll };
	struct evidence *prior;
	struct visit *visits;

	if (n == 0)
		return e;
	e.state = c->usable ? VERDICT_BAD_DATA : VERDICT_NO_CALIBRATION;
	if (!c->usable || !fit_possible(k->unroll) || k->ops_per_body == 0)
		return e;
	visits = xrealloc(NULL, n, sizeof(*visits));
	prior = xrealloc(NULL, 1, sizeof(*prior));
	t.n = (uint32_t)visits_read(k, c, m, n, visits);
	t.visits = visits;
	evidence_prior(prior);
	e = evidence_judge(prior, &t);
	free(prior);
	free(visits);
	return e;
}
