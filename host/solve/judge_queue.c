/* How many instances wait for their sources at once; see judging.h.
 *
 * Chains of K instances follow each other.  A core that holds W of them
 * starts the next chain when W are left of this one.  So W of each overlap
 * with the previous chain and K - W do not, one every l cycles of latency: a
 * chain takes l * (K - W), if K is at least 2 * W. */
#include <math.h>

#include "host/experiment/experiment.h"
#include "host/solve/judging.h"

/* The chain must take longer than independent instances by this factor.
 * Chosen: a fifth is far outside the error of two throughputs. */
static const double shows = 1.2;
/* Above this number three chains overlap, or nearly so. */
static const double most = EXPERIMENT_QUEUE_OPS / 3.0;

static double waiting(double cycles, double latency)
{
	return EXPERIMENT_QUEUE_OPS * (1 - cycles / latency);
}

int judging_queue(const struct judge *j, const struct record *r)
{
	struct claim c = judging_base(j, r);
	const struct record *chain = judging_twin(j, r, EXPERIMENT_LATENCY);
	const struct record *apart =
		judging_form(j, EXPERIMENT_THROUGHPUT, r->label.form);
	double u = r->estimate.uncertainty, low, high;

	if (!c.has_value)
		return j->sink->each(j->sink->context, &c, j->e);
	if (!judging_is_usable(chain) || !judging_is_usable(apart)) {
		c.has_value = false;
		c.verdict = "no-control";
		return j->sink->each(j->sink->context, &c, j->e);
	}
	low = waiting(c.high_cycles * (1 + u), round(chain->estimate.high));
	high = waiting(c.low_cycles * (1 - u), round(chain->estimate.high));
	judging_say(j, &c,
		    "%.4g cycles of %.4g in an endless chain "
		    "and %.4g apart",
		    c.high_cycles, chain->estimate.high, apart->estimate.high);
	if (c.low_cycles < shows * apart->estimate.high) {
		c.has_value = false;
		c.verdict = "throughput-bound";
	} else if (low < 1 || high > most) {
		c.has_value = false;
		c.verdict = "implausible";
	}
	c.low_cycles = low;
	c.high_cycles = high;
	return j->sink->each(j->sink->context, &c, j->e);
}
