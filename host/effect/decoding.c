/* Instructions that are slow to decode: was code decoded, or did it come from a
 * cache of decoded instructions?
 *
 * Where a prefix stops the decoder, a kernel has two speeds, and every visit
 * of a run may see the slower one.  Bodies that no cache holds show that
 * speed; a form with this speed may be faster from a cache. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/experiment/experiment.h"
#include "host/isa/decoding.h"
#include "host/isa/isa.h"
#include "host/plan/pairs.h"
#include "host/solve/judging.h"
#include "host/solve/states.h"

/* ---- experiments --------------------------------------------------------- */

/* Independent instances of a form that is not requested itself. */
static bool add_control(const struct effect_plan *p, const char *name)
{
	const struct catalogue *c = p->catalogue;
	const struct form *f = catalogue_form(c, name);
	struct experiment x;
	struct pair pair;

	if (!f || f->status != FORM_MEASURABLE)
		return false;
	x = experiment_of(EXPERIMENT_CONTROL, f, -1, -1);
	if (!pair_independent(c, f, &pair) || !pair_add_helpers(c, &pair, &x))
		return false;
	if (!p->is_chosen(p->choice, f))
		p->add(p->context, &x);
	return true;
}

/* Each form in bodies that no cache holds, and the same form without the
 * prefix. */
static void plan(const struct effect_plan *p)
{
	const struct catalogue *c = p->catalogue;
	char name[DECODING_ROOM];

	for (size_t i = 0; c->isa->decoding && i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];

		if (p->is_chosen(p->choice, f) && !f->variant &&
		    decoding_long(f->name, name) && add_control(p, name) &&
		    decoding_like(c->isa->decoding, f->name, name))
			(void)add_control(p, name);
	}
}

/* ---- claims -------------------------------------------------------------- */

/* A stall of the decoder lasts whole cycles. */
static const double stall = 1;

static const struct record *instances(const struct judge *j, const char *form)
{
	const struct record *r = judging_form(j, EXPERIMENT_THROUGHPUT, form);

	return r ? r : judging_form(j, EXPERIMENT_CONTROL, form);
}

/* The form in bodies that no cache holds; NULL if it is not slow to decode. */
static const struct record *decoded(const struct judge *j, const char *form)
{
	char name[DECODING_ROOM];

	return j->sink->decoding && decoding_long(form, name)
		       ? instances(j, name)
		       : NULL;
}

/* The same operation without the prefix takes as long, in a kernel of the same
 * kind. */
static bool is_usual(const struct judge *j, const char *form, bool dependent,
		     double cycles)
{
	char name[DECODING_ROOM];
	const struct record *r = NULL;

	if (decoding_like(j->sink->decoding, form, name))
		r = dependent ? judging_form(j, EXPERIMENT_DEPENDENT, name)
			      : instances(j, name);
	return judging_is_usable(r) &&
	       cycles <= r->estimate.high * (1 + states_apart);
}

static double held_cycles(const struct judge *j, const char *form)
{
	const struct record *r = decoded(j, form);

	if (!r)
		return 0;
	if (judging_is_usable(r))
		return r->estimate.high;
	return !r->fault && r->estimate.bound > 0 ? r->estimate.bound
						  : INFINITY;
}

/* Are so many cycles of a chain, one at least, the time of decoding? */
static bool is_decoded(const struct judge *j, const char *form, double slow,
		       double cycles)
{
	if (slow <= 0 || cycles < stall || is_usual(j, form, false, cycles))
		return false;
	return (cycles >= slow * (1 - states_apart) ||
		!judging_is_usable(decoded(j, form))) &&
	       cycles <= slow * (1 + states_apart);
}

/* A chain as slow as the decoder of its code. */
static bool limits_chain(const struct judge *j, const struct record *r,
			 double slow, struct claim *c)
{
	if (!judging_is_ok(c) ||
	    !is_decoded(j, r->label.form, slow, c->high_cycles))
		return false;
	if (isfinite(slow)) {
		judging_hidden(j, r, slow, c);
		return true;
	}
	c->verdict = VERDICT_THROUGHPUT_BOUND;
	c->low_cycles = fmin(1, c->high_cycles);
	judging_say(j, c,
		    "its decoding may take as long, for how "
		    "long is not known");
	return true;
}

/* Make a throughput that may be that of a decoder a bound. */
static bool limits(const struct judge *j, const struct record *r,
		   struct claim *c)
{
	double slow = held_cycles(j, r->label.form);

	if (experiment_kind_is(r->label.kind, EXPERIMENT_TIMES_CHAIN))
		return limits_chain(j, r, slow, c);
	if (slow <= 0 || !c->has_value || c->verdict == VERDICT_TWO_STATES)
		return false;
	if (isfinite(slow))
		judging_say(j, c, "decoded %.4g", slow);
	if (c->high_cycles < stall ||
	    is_usual(j, r->label.form, r->label.kind == EXPERIMENT_DEPENDENT,
		     c->high_cycles))
		return false;
	if (judging_is_ok(c) || c->verdict == VERDICT_HELPER)
		c->verdict = VERDICT_DECODE_BOUND;
	c->low_cycles = fmin(c->low_cycles, j->min_cycles);
	judging_say(j, c,
		    "from a cache of decoded instructions it "
		    "may take less");
	return true;
}

const struct effect effect_decoding = {
	.name = "decoding",
	.plan = plan,
	.plan_when = PLAN_CONTROLS,
	.held_cycles = held_cycles,
	.limits = limits,
};
