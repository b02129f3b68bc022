/* Forms that depend on themselves through a register they cannot choose.
 *
 * The oracle puts a breaker (an instruction that cuts the dependency) before
 * every instance, and the search treats the two as one form of several uops.
 * The breaker is also measured as a form of its own, so its uops are subtracted
 * at the end. */
#include <math.h>

#include "host/ports/infer.h"

/* Numbers of uops this close are equal. */
static const double equal_uops = 0.05;

void breakers_set_aside(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (in->q->forms[i].n_breakers == 0 || !f->alone.has_value)
			continue;
		f->alone.has_value = false;
		f->wide = false;
		f->verdict = PORTS_NO_VALUE;
		f->how = "it waits for itself, and a breaker is no pair's";
	}
}

/* Subtract one use of the breaker; false when the form does not have it. */
static bool take_use(struct model_use *uses, size_t *n,
		     const struct model_use *off)
{
	for (size_t i = 0; i < *n; i++) {
		double left = uses[i].n_uops - off->n_uops;

		if (uses[i].ports != off->ports ||
		    uses[i].cycles != off->cycles || left < -equal_uops)
			continue;
		uses[i].n_uops = left;
		if (left < equal_uops) {
			uses[i] = uses[--*n];
		}
		return true;
	}
	return false;
}

/* Subtract the breaker from the form; false when the result is not known. */
static bool breakers_take_form(struct infer *in, struct ports_answer_form *f,
			       const struct ports_answer_form *breaker)
{
	struct model_use *uses =
		ARENA_ARRAY(in->a, struct model_use, PORTS_MAX_USES);
	size_t n = f->n_uses;

	if (breaker->verdict != PORTS_OK || !breaker->slots.has_value ||
	    breaker->slots.low != breaker->slots.high)
		return false;
	for (size_t i = 0; i < n; i++)
		uses[i] = f->uses[i];
	for (size_t i = 0; i < breaker->n_uses; i++)
		if (!take_use(uses, &n, &breaker->uses[i]))
			return false;
	f->uses = uses;
	f->n_uses = n;
	if (f->slots.has_value) {
		f->slots.low = fmax(1, f->slots.low - breaker->slots.low);
		f->slots.high =
			fmax(f->slots.low, f->slots.high - breaker->slots.low);
	}
	/* With its breaker it takes no less time than alone. */
	f->throughput.low =
		fmin(model_port_bound(uses, n, NULL), f->throughput.high);
	f->how = arena_printf(in->a, "%s, %s", f->how,
			      "less what its breaker takes");
	return true;
}

static void breakers_give_up(struct ports_answer_form *f)
{
	f->verdict = PORTS_NO_VALUE;
	f->n_uses = 0;
	f->slots.has_value = false;
	f->how = "its uops cannot be separated from its breaker's";
}

void breakers_take_off(struct infer *in)
{
	for (size_t i = 0; i < in->q->n_forms; i++) {
		const struct ports_form *form = &in->q->forms[i];
		struct ports_answer_form *f = &in->answers[i];
		bool known = f->verdict != PORTS_NO_VALUE &&
			     f->verdict != PORTS_UNFINISHED;

		for (size_t k = 0; known && k < form->n_breakers; k++)
			if (!breakers_take_form(
				    in, f, &in->answers[form->breakers[k]])) {
				breakers_give_up(f);
				break;
			}
	}
}
