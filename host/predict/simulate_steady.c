/* When iterations begin, and when a simulation ends: the loop repeats, its mean
 * is known well enough, or it was simulated for long. */
#include <math.h>

#include "host/predict/sim.h"

int64_t sim_fetched(const struct sim *m, uint32_t iteration)
{
	/* Sums of fractions such as 1/3 are not exact. */
	return m->fetch > 0 ? (int64_t)ceil(iteration * m->fetch - 1e-6) : 0;
}

/* The simulation ends after so many iterations. */
uint32_t sim_most_iterations(const struct sim *m)
{
	size_t n = (SIM_MAX_STEPS + m->b->n - 1) / m->b->n;

	n = n < 3 ? 3 : n;
	return n < SIM_MAX_ITERATIONS ? (uint32_t)n : SIM_MAX_ITERATIONS;
}

/* Did the last iterations take the same cycles as those n earlier and leave the
 * same state, one by one?  Compares three periods of n, at least `least`
 * iterations. cycles_only: whatever state they leave. */
static bool steady_repeats(const struct sim *m, uint32_t n, uint32_t least,
			   bool cycles_only)
{
	enum { TIMES = 3 };
	uint32_t seen = TIMES * n > least ? TIMES * n : least;

	if (m->n_ends < seen + n + 1)
		return false;
	for (uint32_t i = 1; i <= seen - n; i++) {
		const struct sim_end *at = &m->ends[m->n_ends - i];
		const struct sim_end *past = at - n;

		if ((at->state != past->state && !cycles_only) ||
		    at[0].cycle - at[-1].cycle !=
			    past[0].cycle - past[-1].cycle)
			return false;
	}
	return true;
}

/* Mean cycles of the iterations [from, to). */
static double steady_mean(const struct sim *m, uint32_t from, uint32_t to)
{
	return (double)(m->ends[to].cycle - m->ends[from].cycle) / (to - from);
}

/* Is the mean known?  The first quarter is left out, because the queues fill.
 * The means of four parts of the rest must agree: within 0.15 % after 900
 * instructions, 0.9 % after 3,000, 2.5 % after 6,000, and so on with the power
 * 3/2 of the number.  What changes slowly shows in the parts of a long
 * simulation only, so a short one must be steadier.  The parts of a loop
 * without a period always differ a little. */
static bool steady_settled(const struct sim *m)
{
	/* A short period is seen within LEAST iterations. */
	enum { PARTS = 4, LEAST_STEPS = 900, LEAST = 56 };
	double steps = (double)m->n_ends * (double)m->b->n;
	double share = 0.009 * pow(steps / 3000, 1.5);
	uint32_t last = m->n_ends - 1, first = last / 4;
	double low = INFINITY, high = 0;

	if (steps < LEAST_STEPS || last - first < 4 * PARTS ||
	    (m->n_ends < LEAST && sim_most_iterations(m) >= LEAST))
		return false;
	for (uint32_t k = 0; k < PARTS; k++) {
		uint32_t n = last - first;
		double mean = steady_mean(m, first + n * k / PARTS,
					  first + n * (k + 1) / PARTS);

		low = fmin(low, mean);
		high = fmax(high, mean);
	}
	return high - low <= share * high;
}

/* The shortest period of the last iterations; 0: none.  LEAST: ports can be out
 * of balance for longer than 32 equal iterations.  For long loops half of the
 * limit of iterations must do. */
static uint32_t steady_period(const struct sim *m, bool cycles_only)
{
	enum { LEAST = 48 };
	uint32_t half = sim_most_iterations(m) / 2;
	uint32_t least = half < LEAST ? half : LEAST;

	for (uint32_t p = 1; p <= m->n_ends / 4; p++)
		if (steady_repeats(m, p, least, cycles_only))
			return p;
	return 0;
}

/* Take the mean of the last n iterations. */
static bool steady_end(struct sim *m, bool steady, uint32_t n)
{
	struct simulation *s = m->out;

	s->steady = steady;
	s->period = n;
	s->cycles = steady_mean(m, m->n_ends - 1 - n, m->n_ends - 1);
	return true;
}

bool sim_iteration(struct sim *m, int64_t end, uint64_t state)
{
	uint32_t n = m->n_ends, period;
	bool last = n + 1 >= sim_most_iterations(m), settled;

	m->ends[n++] = (struct sim_end){ end, state };
	m->n_ends = n;
	m->out->simulated = n;
	/* The check is as expensive as some iterations. */
	if (!last && (n % 8 != 0 || n < m->check_at || n <= m->least))
		return false;
	m->check_at = n + n / 16;
	period = steady_period(m, false);
	settled = period == 0 && steady_settled(m);
	/* Cycles can repeat although ports or slowly filling queues do not. */
	if (settled)
		period = steady_period(m, true);
	if (period > 0)
		return steady_end(m, true, period);
	if (settled)
		return steady_end(m, false, n - 1 - n / 4);
	return last && steady_end(m, false, n / 2);
}
