/* Chains that alternate between two forms.  They measure the sum of both
 * directions; the chains of each form alone give the sum if nothing depends on
 * the reader.  See judging.h. */
#include <math.h>
#include <string.h>

#include "host/solve/judging.h"

/* No bypass network takes this many cycles: the chain's values became slow
 * ones, e.g. denormal. */
static const double most_extra = 10;
/* Sums this close to the cost of the forms alone are equal, as for visits that
 * agree. */
static const double same = 0.02;

struct end {
	const struct label_part *part;
	const char *pair; /* "2>0" */
	double alone;     /* its own chain; 0: not known */
	double throughput;
};

static double value_of(const struct record *r)
{
	return judging_is_usable(r) ? r->estimate.high : 0;
}

/* The ends of "A@2>0+B@2>0". */
static bool split_ends(const struct judge *j, const struct label *l,
		       struct end ends[2])
{
	if (l->n_parts != 2)
		return false;
	for (int i = 0; i < 2; i++) {
		const struct label_part *p = &l->parts[i];

		if (*p->source == '\0')
			return false;
		ends[i] = (struct end){
			.part = p,
			.pair = strchr(p->text, '@') + 1,
			.alone = value_of(judging_own(j, p)),
			.throughput = value_of(judging_form(
				j, EXPERIMENT_THROUGHPUT, p->form)),
		};
	}
	return true;
}

static void compare_alone(const struct judge *j, const struct end ends[2],
			  struct claim *c)
{
	double alone = ends[0].alone + ends[1].alone;
	double apart = ends[0].throughput + ends[1].throughput;

	if (apart > 0 && c->low_cycles <= apart * (1 + judging_shows)) {
		c->low_cycles = j->min_cycles;
		c->verdict = "throughput-bound";
		return;
	}
	if (ends[0].alone <= 0 || ends[1].alone <= 0) {
		c->verdict = "no-control";
		return;
	}
	judging_say(j, c, "chains of each alone %.4g and %.4g", ends[0].alone,
		    ends[1].alone);
	if (c->high_cycles > alone + most_extra) {
		c->has_value = false;
		c->verdict = "implausible";
	}
	if (fabs(c->high_cycles - alone) > same * alone)
		c->detail = arena_printf(j->a, "%s: together %+.3g", c->detail,
					 c->high_cycles - alone);
}

int judging_written(const struct judge *j, const struct record *r)
{
	double u;
	struct claim c = judging_latency(j, r, &u);
	struct end ends[2];

	if (!split_ends(j, &r->label, ends))
		return 0;
	if (c.has_value && ends[0].alone <= 0) {
		c.verdict = "no-control";
	} else if (c.has_value) {
		judging_say(j, &c, "its own chain %.4g", ends[0].alone);
		if (c.high_cycles > ends[0].alone + most_extra) {
			c.has_value = false;
			c.verdict = "implausible";
		}
	}
	c.low_cycles *= 1 - u;
	c.high_cycles *= 1 + u;
	c.form = ends[0].part->form;
	c.source = ends[0].pair;
	c.destination = ends[1].part->text;
	return j->sink->each(j->sink->context, &c, j->e);
}

int judging_forward(const struct judge *j, const struct record *r)
{
	double u;
	struct claim c = judging_latency(j, r, &u);
	struct end ends[2];
	int ret = 0;

	if (!split_ends(j, &r->label, ends))
		return 0;
	if (c.has_value)
		compare_alone(j, ends, &c);
	c.low_cycles *= 1 - u;
	c.high_cycles *= 1 + u;
	for (int i = 0; i < 2 && ret == 0; i++) {
		c.form = ends[i].part->form;
		c.source = ends[i].pair;
		c.destination = ends[1 - i].part->text;
		ret = j->sink->each(j->sink->context, &c, j->e);
	}
	return ret;
}
