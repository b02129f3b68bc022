/* The most instructions per cycle that the run saw; see judging.h.
 *
 * The plan begins with mixes that only use the front end, and mixes that keep
 * every kind of unit busy.  A form that runs faster than all of them shows a
 * larger width.  Small loops do not count: an iteration whose end the front end
 * waits for takes whole cycles, and over a few instances that is a part of the
 * slope.
 *
 * If the core takes two instructions as one (no-operations), the result is
 * larger than the front end, and the bound that follows is weaker, but not
 * wrong.  The result is as good as the mixes: a core that none of them keeps
 * busy looks narrower than it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/solve/judging.h"

/* A front end takes a whole number, and the rate that shows it is off by less
 * than this share: long bodies end in whole cycles, too.  Chosen: it tells ten
 * in a cycle from eleven. */
static const double off = 0.045;
/* And by less than this part of an instruction, where few are in a cycle: one
 * in ten pairs makes no core of two. */
static const double few = 0.1;

static bool shows_rate(const struct record *r)
{
	return (r->label.kind == EXPERIMENT_MIX ||
		r->label.kind == EXPERIMENT_THROUGHPUT) &&
	       judging_is_usable(r) &&
	       (r->estimate.state == VERDICT_OK ||
		r->estimate.state == VERDICT_NOT_LINEAR);
}

static double rate_of(const struct record *r)
{
	const struct estimate *m = &r->estimate;

	/* Of a line that is bent, the slower half: no more is certain. */
	return r->label.instances /
	       (m->state == VERDICT_NOT_LINEAR ? m->high : m->low);
}

/* The fastest record that the clock and no accident made so; NULL: the run did
 * not ask, or all that it asked were disturbed. */
static const struct record *fastest(const struct judge *j, bool *ret_asked)
{
	const struct record *best = NULL;
	bool shown = false;

	for (size_t i = 0; i < j->n; i++) {
		const struct record *r = &j->records[i];

		*ret_asked |= r->label.kind == EXPERIMENT_MIX;
		if (!shows_rate(r) || rate_of(r) > j->sink->max_width)
			continue;
		shown |= r->label.kind == EXPERIMENT_MIX;
		if (!best || rate_of(r) > rate_of(best))
			best = r;
	}
	return shown ? best : NULL;
}

int judging_width(struct judge *j)
{
	bool asked = false;
	const struct record *r = fastest(j, &asked);
	struct claim c;

	if (!r) {
		j->hidden_width = asked;
		return 0;
	}

	double u = r->estimate.uncertainty;
	double whole = ceil(rate_of(r) - fmax(few, rate_of(r) * off));

	c = judging_base(j, r);
	c.form = c.source = c.destination = "";
	c.kind = "issue-width";
	c.low_cycles = r->label.instances / r->estimate.high * (1 - u);
	c.high_cycles = rate_of(r) * (1 + u);
	judging_say(j, &c,
		    "instructions in a cycle, no kernel of "
		    "the run has more; a bound of %.0f",
		    whole);
	j->width = rate_of(r);
	j->min_cycles = 1 / whole;
	return j->sink->each(j->sink->context, &c, j->e);
}
