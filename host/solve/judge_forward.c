/* Chains that alternate between two forms.  They measure the sum of both
 * directions; the chains of each form alone give the sum if nothing depends on
 * the reader.  See judging.h. */
#include <math.h>
#include <string.h>

#include "host/solve/judging.h"

/* The sum must exceed the cost of both without the chain by this factor (as in
 * judge_latency.c). */
static const double shows = 0.03;
/* No bypass network takes this many cycles: the chain's values became slow
 * ones, e.g. denormal. */
static const double most_extra = 10;
/* Sums this close to the cost of the forms alone are equal, as for visits that
 * agree. */
static const double same = 0.02;

struct end {
	struct label label; /* as if of the form's own chain */
	const char *pair;   /* "2>0" */
	const char *text;   /* "FORM@2>0" */
	double alone;       /* 0: not known */
	double throughput;
};

static double value_of(const struct record *r)
{
	return judging_is_usable(r) ? r->estimate.high : 0;
}

static bool read_end(const struct judge *j, const char *text, struct end *ret)
{
	struct record key = { .index = 0 };

	if (!label_split(j->a, arena_printf(j->a, "latency:%s", text),
			 &ret->label) ||
	    *ret->label.source == '\0')
		return false;
	key.label = ret->label;
	ret->text = text;
	ret->pair = strchr(text, '@') + 1;
	ret->alone = value_of(judging_twin(j, &key, EXPERIMENT_LATENCY));
	ret->throughput = value_of(
		judging_form(j, EXPERIMENT_THROUGHPUT, ret->label.form));
	return true;
}

/* "A@2>0+B@2>0" */
static bool split_ends(const struct judge *j, const char *form,
		       struct end ends[2])
{
	char *first = arena_strdup(j->a, form);
	char *plus = strchr(first, '+');

	if (!plus || strchr(plus + 1, '+'))
		return false;
	*plus = '\0';
	return read_end(j, first, &ends[0]) && read_end(j, plus + 1, &ends[1]);
}

static void compare_alone(const struct judge *j, const struct end ends[2],
			  struct claim *c)
{
	double alone = ends[0].alone + ends[1].alone;
	double apart = ends[0].throughput + ends[1].throughput;

	if (apart > 0 && c->low_cycles <= apart * (1 + shows)) {
		c->low_cycles = j->min_cycles;
		c->verdict = "throughput-bound";
		return;
	}
	if (ends[0].alone <= 0 || ends[1].alone <= 0) {
		c->verdict = "no-control";
		return;
	}
	c->detail = arena_printf(j->a, "%s; chains of each alone %.4g and %.4g",
				 c->detail, ends[0].alone, ends[1].alone);
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

	if (!split_ends(j, r->label.form, ends))
		return 0;
	if (c.has_value && ends[0].alone <= 0) {
		c.verdict = "no-control";
	} else if (c.has_value) {
		c.detail = arena_printf(j->a, "%s; its own chain %.4g",
					c.detail, ends[0].alone);
		if (c.high_cycles > ends[0].alone + most_extra) {
			c.has_value = false;
			c.verdict = "implausible";
		}
	}
	c.low_cycles *= 1 - u;
	c.high_cycles *= 1 + u;
	c.form = ends[0].label.form;
	c.source = ends[0].pair;
	c.destination = ends[1].text;
	return j->sink->each(j->sink->context, &c, j->e);
}

int judging_forward(const struct judge *j, const struct record *r)
{
	double u;
	struct claim c = judging_latency(j, r, &u);
	struct end ends[2];
	int ret = 0;

	if (!split_ends(j, r->label.form, ends))
		return 0;
	if (c.has_value)
		compare_alone(j, ends, &c);
	c.low_cycles *= 1 - u;
	c.high_cycles *= 1 + u;
	for (int i = 0; i < 2 && ret == 0; i++) {
		c.form = ends[i].label.form;
		c.source = ends[i].pair;
		c.destination = ends[1 - i].text;
		ret = j->sink->each(j->sink->context, &c, j->e);
	}
	return ret;
}
