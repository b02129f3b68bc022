/* Was code decoded, or did it come from a cache of decoded instructions?  See
 * judging.h.
 *
 * Where a prefix stops the decoder, a kernel has two speeds, and every visit
 * of a run may see the slower one.  Bodies that no cache holds show that
 * speed; a form with this speed may be faster from a cache. */
#include <math.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/decoding.h"
#include "host/solve/judging.h"
#include "host/solve/states.h"

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

double judging_decoded(const struct judge *j, const char *form)
{
	const struct record *r = decoded(j, form);

	if (!r)
		return 0;
	if (judging_is_usable(r))
		return r->estimate.high;
	return !r->fault && r->estimate.bound > 0 ? r->estimate.bound
						  : INFINITY;
}

bool judging_is_decoded(const struct judge *j, const char *form, double cycles)
{
	double slow = judging_decoded(j, form);

	if (slow <= 0 || cycles < stall || is_usual(j, form, false, cycles))
		return false;
	return (cycles >= slow * (1 - states_apart) ||
		!judging_is_usable(decoded(j, form))) &&
	       cycles <= slow * (1 + states_apart);
}

double judging_decoded_sum(const struct estimate *e, double slowest, double sum)
{
	bool may = !isfinite(slowest) ||
		   (e->high >= slowest * (1 - states_apart) &&
		    e->low <= sum * (1 + states_apart));

	return may ? sum : 0;
}

void judging_decoding(const struct judge *j, struct claim *c)
{
	bool dependent = strcmp(c->kind, "dependent") == 0;
	double slow = judging_decoded(j, c->form);

	if (slow <= 0 || !c->has_value || c->verdict == VERDICT_TWO_STATES)
		return;
	if (isfinite(slow))
		judging_say(j, c, "decoded %.4g", slow);
	if (c->high_cycles < stall ||
	    is_usual(j, c->form, dependent, c->high_cycles))
		return;
	if (judging_is_ok(c) || c->verdict == VERDICT_HELPER)
		c->verdict = VERDICT_DECODE_BOUND;
	c->low_cycles = fmin(c->low_cycles, j->min_cycles);
	judging_say(j, c,
		    "from a cache of decoded instructions it "
		    "may take less");
}
