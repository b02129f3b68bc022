/* What a claim has by its record alone: value, bounds, verdict, detail. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/solve/judging.h"
#include "host/solve/solve.h"

const double judging_slack = 0.02;
const double judging_shows = 0.03;
const double judging_eliminated = 0.9;

/* A slowed calibration makes a visit look this much faster at most (METHOD). */
static const double slowed = 0.04;

static const char *const state_details[] = {
	[VERDICT_OK] = "visits agree",
	[VERDICT_TWO_STATES] = "the kernel runs at two speeds",
	[VERDICT_UNSTABLE] = "visits disagree without a pattern",
	[VERDICT_NOISY] = "too few undisturbed visits",
	[VERDICT_NOT_LINEAR] = "the middle length lies off the line",
	[VERDICT_IMPLAUSIBLE] = "longer kernels took no longer",
	[VERDICT_MISSING] = "no samples arrived",
	[VERDICT_BAD_DATA] = "samples or unroll lengths that cannot be",
	[VERDICT_INTERFERENCE] =
		"every sample retired other instructions than the kernel's",
	[VERDICT_NO_CALIBRATION] = "calibration chains missing or at odds",
};

/* No line: the slopes of the halves, or what whole iterations cost. */
static void bound_bent(const struct judge *j, const struct record *r,
		       struct claim *c)
{
	const struct estimate *m = &r->estimate;

	if (m->has_value) {
		c->detail = arena_printf(
			j->a,
			"%s, on the same side in every visit; low and high "
			"are the slopes of the two halves",
			c->detail);
		return;
	}
	if (m->bound <= 0)
		return;
	c->has_value = true;
	/* A form that is faster than the width disproves it. */
	c->low_cycles = m->bound < j->min_cycles ? 1.0 / j->sink->max_width
						 : j->min_cycles;
	/* A renamer may leave nothing to wait for. */
	if (experiment_kind_is(r->label.kind, EXPERIMENT_TIMES_CHAIN) &&
	    m->bound < 1)
		c->low_cycles = 0;
	c->high_cycles = m->bound;
	judging_say(j, c, "whole iterations cost %.4g an op", m->bound);
}

/* A host may let a core run for k of 16 parts of the time.  A slower speed in
 * that ratio to the faster one is named; about one in twelve is so by
 * chance. */
static void name_throttled(const struct judge *j, const struct estimate *m,
			   struct claim *c)
{
	enum { PARTS = 16, LEAST = 8 };
	const double off = 0.005;
	double parts = PARTS * m->low / m->high, k = round(parts);

	if (k >= LEAST && k < PARTS && fabs(parts - k) <= off * k)
		judging_say(
			j, c,
			"the slower speed is %.0f/16 of the faster one, as of "
			"a core that its host throttles",
			k);
}

struct claim judging_base(const struct judge *j, const struct record *r)
{
	const struct estimate *m = &r->estimate;
	double least = 1.0 / j->sink->max_width;
	struct claim c = {
		.form = r->label.form,
		.kind = experiment_claim_word(r->label.kind),
		.source = r->label.source,
		.destination = r->label.destination,
		.has_value = m->has_value,
		.low_cycles = m->low,
		.high_cycles = m->high,
		.residual = m->residual,
		.visits = m->visits,
		.verdict = m->state,
		.label = r->text,
		.kernel = r->index,
		.solver_version = SOLVER_VERSION,
	};

	c.detail =
		arena_printf(j->a, "%s; %u of %u visits clean",
			     state_details[m->state], m->visits, m->n_visits);
	if (m->state == VERDICT_TWO_STATES && m->low_share > 0)
		judging_say(j, &c,
			    "%.0f %% of the visits at one of the "
			    "two speeds are at %.4g cycles",
			    100 * m->low_share, m->low);
	if (m->state == VERDICT_TWO_STATES && m->has_value)
		name_throttled(j, m, &c);
	if (m->close)
		c.detail = arena_printf(j->a,
					"the lengths lie too close together: "
					"off by up to %.2g %%",
					100 * m->uncertainty);
	if (m->state == VERDICT_NOT_LINEAR)
		bound_bent(j, r, &c);
	if (r->fault) {
		c.has_value = false;
		claim_set_fault(&c, j->a, r->fault);
		c.detail = "the kernel was stopped by a fault";
	} else if (m->has_value && m->low < least * (1 - judging_slack)) {
		c.has_value = false;
		c.verdict = VERDICT_IMPLAUSIBLE;
		c.detail = arena_printf(j->a,
					"%.4g cycles, but no core issues an "
					"instruction in less than %.4g",
					m->low, least);
	}
	return c;
}

void judging_say(const struct judge *j, struct claim *c, const char *format,
		 ...)
{
	va_list args;

	va_start(args, format);
	c->detail = arena_printf(j->a, "%s; %s", c->detail,
				 arena_vprintf(j->a, format, args));
	va_end(args);
}

bool judging_is_ok(const struct claim *c)
{
	return c->verdict == VERDICT_OK;
}

bool judging_is_usable(const struct record *r)
{
	return r && !r->fault && r->estimate.has_value;
}

double judging_most(const struct record *r)
{
	return r->fault ? 0 : r->estimate.bound * (1 + slowed);
}

bool judging_limits(const struct judge *j, const struct record *r,
		    struct claim *c)
{
	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->limits && effects[i]->limits(j, r, c))
			return true;
	return false;
}
