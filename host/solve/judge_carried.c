/* A chain hidden by its throughput, and the same chain made longer by carriers
 * until it is visible.  See judging.h. */
#include <math.h>
#include <string.h>

#include "host/isa/carrier.h"
#include "host/isa/catalogue.h"
#include "host/solve/judging.h"

/* Bounds this close are one value (graph.c). */
static const double known = 0.02;

struct range {
	double low, high;
};

static struct range range_of(const struct record *r)
{
	double u = r->estimate.uncertainty;

	return (struct range){ r->estimate.low * (1 - u),
			       r->estimate.high * (1 + u) };
}

static void learn_step(struct judge *j, const struct label_part *part)
{
	const struct record *r = judging_own(j, part);
	struct judge_step *step = &j->steps[j->n_steps++];
	struct claim c;
	double u;

	*step = (struct judge_step){ .part = part };
	if (!r)
		return;
	c = judging_latency(j, r, &u);
	step->ok = c.has_value && judging_is_ok(&c);
	step->has_value = c.has_value && judging_is_usable(r);
	step->low = c.low_cycles * (1 - u);
	step->high = c.high_cycles * (1 + u);
}

void judging_learn_steps(struct judge *j)
{
	const struct isa_carrier *k = j->sink->carriers;
	const struct label_part *parts;
	size_t most = 0;

	for (; k && k->bank != BANK_NONE; k++)
		most += label_parts(j->a, k->steps, &parts);
	j->steps = ARENA_ARRAY(j->a, struct judge_step, most + 1);
	for (k = j->sink->carriers; k && k->bank != BANK_NONE; k++) {
		size_t n = label_parts(j->a, k->steps, &parts);

		for (size_t i = 0; i < n; i++)
			learn_step(j, &parts[i]);
	}
}

/* The chain with this carrier, minus the carrier; false if it is hidden,
 * too. */
static bool take_off(const struct judge *j, const struct record *r,
		     const char *steps, struct range *ret)
{
	const struct record *longer = judging_form(
		j, EXPERIMENT_LATENCY,
		arena_printf(j->a, "%s@%s>%s+%s", r->label.form,
			     r->label.source, r->label.destination, steps));
	const struct record *twin =
		longer ? judging_twin(j, longer, EXPERIMENT_CONTROL) : NULL;
	struct range sum = { 0, 0 };

	if (!longer || !twin || !judging_is_usable(longer) ||
	    !judging_is_usable(twin) ||
	    !judging_steps(j, steps, &sum.low, &sum.high))
		return false;
	*ret = range_of(longer);
	if (ret->low <= range_of(twin).high * (1 + judging_shows))
		return false;
	ret->low -= sum.high;
	ret->high -= sum.low;
	return true;
}

void judging_carried(const struct judge *j, const struct record *r,
		     struct claim *c, double *uncertainty)
{
	const struct isa_carrier *k = j->sink->carriers;
	struct range left;

	if (!c->has_value || c->verdict != VERDICT_THROUGHPUT_BOUND)
		return;
	while (k && k->bank != BANK_NONE && !take_off(j, r, k->steps, &left))
		k++;
	if (!k || k->bank == BANK_NONE ||
	    left.low > c->high_cycles * (1 + *uncertainty))
		return;
	c->low_cycles = fmax(left.low, c->low_cycles * (1 - *uncertainty));
	c->high_cycles = fmin(left.high, c->high_cycles * (1 + *uncertainty));
	*uncertainty = 0;
	judging_say(j, c, "with %s it shows", k->steps);
	if (c->high_cycles - c->low_cycles <= known * c->high_cycles)
		c->verdict = VERDICT_OK;
}
