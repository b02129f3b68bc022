/* The parts of a latency cycle: their time without it, and the least; see
 * graph.h. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/carrier.h"
#include "host/isa/catalogue.h"
#include "host/solve/graph.h"
#include "host/solve/judging.h"
#include "host/solve/states.h"

/* A value leaves one bank and enters another. */
static const double a_cycle = 1;
/* A chain that is longer than its control is so by a cycle. */
static const double half_cycle = 0.5;

static const struct record *alone_of(const struct judge *j, const char *form)
{
	const struct record *r = judging_form(j, EXPERIMENT_THROUGHPUT, form);

	return r ? r : judging_form(j, EXPERIMENT_CONTROL, form);
}

/* Reciprocal throughput of a form in this run, 0 if unknown. */
static double throughput_of(const struct judge *j, const char *form)
{
	const struct record *r = alone_of(j, form);

	return judging_is_usable(r) ? r->estimate.high : 0;
}

/* The most that it can be, 0 if unknown. */
static double most_throughput_of(const struct judge *j, const char *form)
{
	const struct record *r = alone_of(j, form);

	return r && !judging_is_usable(r) ? judging_most(r)
					  : throughput_of(j, form);
}

/* The longest chain that the run has of a form alone. */
static double longest_of(const struct judge *j, const char *form)
{
	const struct record *r;
	size_t n = judging_all(j, form, &r);
	double longest = 0;

	for (size_t i = 0; i < n; i++)
		if (r[i].label.kind == EXPERIMENT_LATENCY && !r[i].fault &&
		    r[i].estimate.has_value)
			longest = fmax(longest, r[i].estimate.high);
	return longest;
}

bool graph_is_carried(const struct isa_carrier *k, const struct label *l)
{
	const char *plus = strchr(l->form, '+');

	for (; plus && k && k->bank != BANK_NONE; k++)
		if (strcmp(plus + 1, k->steps) == 0)
			return true;
	return false;
}

/* What the same instructions cost when one of them reads a constant: only
 * the latency cycle is missing. */
static double broken_twin(const struct judge *j, const struct record *r)
{
	const struct record *twin =
		judging_alike(j, judging_twin(j, r, EXPERIMENT_CONTROL), r);

	if (!judging_is_usable(twin))
		return INFINITY;
	return twin->estimate.high * (1 + twin->estimate.uncertainty);
}

bool graph_is_apart(const struct judge *j, const struct record *r)
{
	const struct record *twin =
		judging_alike(j, judging_twin(j, r, EXPERIMENT_CONTROL), r);
	const struct estimate *e = &r->estimate;

	return graph_is_carried(j->sink->carriers, &r->label) &&
	       judging_is_usable(r) && e->bounded && judging_is_usable(twin) &&
	       twin->estimate.bounded &&
	       e->low * (1 - e->uncertainty) > broken_twin(j, r) + half_cycle;
}

const struct record *graph_broken(const struct judge *j, const struct record *r,
				  size_t i)
{
	struct record key = *r;
	const struct record *twin;
	const char *form = "";

	for (size_t k = 0; k < r->label.n_parts; k++)
		form = arena_printf(j->a, "%s%s%s%s", form, k ? "+" : "",
				    k == i ? "!" : "", r->label.parts[k].text);
	key.label.form = form;
	twin = judging_twin(j, &key, EXPERIMENT_CONTROL);
	/* A helper is a wait of its own. */
	while (twin && twin->label.n_helpers < r->label.n_helpers &&
	       judging_is_uncut(j, twin))
		twin++;
	return twin;
}

/* Is the cycle longer than its control?  On a core clock by half a cycle. */
static bool exceeds(const struct record *r, const struct record *control)
{
	const struct estimate *e = &r->estimate, *o = &control->estimate;
	double low = e->low * (1 - e->uncertainty);
	double high = o->high * (1 + o->uncertainty);

	return judging_is_usable(r) && judging_is_usable(control) &&
	       (low > high * (1 + judging_shows) ||
		(e->bounded && o->bounded && low > high + half_cycle));
}

/* The steps of the carrier that leads back. */
static const char *carrier_of(const struct record *r)
{
	return strchr(r->label.form, '+') + 1;
}

/* Does the core begin nothing behind the head for as long as the next instance
 * of it waits?  Then its result is there when the first carrier's turn comes,
 * and no instruction could have it earlier. */
static bool head_blocks(const struct judge *j, const struct record *r,
			const struct record *control)
{
	const struct estimate *o = &control->estimate;
	double alone = throughput_of(j, r->label.parts[0].form);
	double low, high;

	if (!judging_is_usable(control) || alone <= 1 ||
	    !judging_steps(j, carrier_of(r), &low, &high))
		return false;
	return o->low * (1 - o->uncertainty) - high <=
		       alone * (1 + judging_shows) &&
	       o->high * (1 + o->uncertainty) - low >=
		       alone * (1 - judging_shows);
}

/* Do carriers take as long in turn as their own chains say?  If not, one of
 * them waits for something else than the one before. */
static bool carriers_show(const struct judge *j)
{
	const struct isa_carrier *k = j->sink->carriers;

	for (; k && k->bank != BANK_NONE; k++) {
		struct record key = { .label = { .kind = EXPERIMENT_LATENCY,
						 .form = k->steps,
						 .source = "",
						 .destination = "" } };
		const struct record *loop =
			judging_twin(j, &key, EXPERIMENT_LATENCY);

		if (judging_is_usable(loop) &&
		    loop->estimate.low * (1 - loop->estimate.uncertainty) >
			    judging_steps_most(j, k->steps) *
				    (1 + judging_shows))
			return false;
	}
	return true;
}

/* Is it the steps of a carrier and nothing else? */
static bool is_loop(const struct judge *j, const struct record *r)
{
	const struct isa_carrier *k = j->sink->carriers;

	while (k && k->bank != BANK_NONE &&
	       strcmp(k->steps, r->label.form) != 0)
		k++;
	return k && k->bank != BANK_NONE;
}

bool graph_links_show(const struct judge *j, const struct record *r,
		      size_t *ret_hidden)
{
	bool carried = graph_is_carried(j->sink->carriers, &r->label);
	double low, high;

	for (size_t i = 0; i < r->label.n_parts; i++) {
		const struct record *control = graph_broken(j, r, i);

		*ret_hidden = i;
		if (control && !exceeds(r, control) &&
		    !(carried && i == 1 && head_blocks(j, r, control)))
			return false;
	}
	if (is_loop(j, r) && !judging_steps(j, r->label.form, &low, &high))
		return false;
	return !(carried || is_loop(j, r)) || carriers_show(j);
}

/* Cycles of an instance that an effect may hold up; 0: none does. */
static double held_of(const struct judge *j, const char *form)
{
	double most = 0;

	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->held_cycles)
			most = fmax(most, effects[i]->held_cycles(j, form));
	return most;
}

/* Is it between the slowest of such parts and the sum of all? */
static bool may_be_held(const struct estimate *e, double slowest, double sum)
{
	return !isfinite(slowest) || (e->high >= slowest * (1 - states_apart) &&
				      e->low <= sum * (1 + states_apart));
}

double graph_alone(const struct judge *j, const struct record *r)
{
	double sum = 0, held = 0, slowest = 0;
	double longest = 0;
	bool known = true;

	if (graph_is_carried(j->sink->carriers, &r->label))
		return broken_twin(j, r);
	for (size_t i = 0; i < r->label.n_parts; i++) {
		const char *form = r->label.parts[i].form;
		double t = most_throughput_of(j, form);
		double h = held_of(j, form);

		known = known && t > 0;
		sum += t;
		held += fmax(t, h);
		slowest = fmax(slowest, h);
		longest = fmax(longest, longest_of(j, form));
	}
	if (slowest > 0 && may_be_held(&r->estimate, slowest, held))
		longest = fmax(longest, held);
	if (r->label.n_parts > GRAPH_MAX_PARTS)
		return INFINITY;
	/* The sum is a bound from above; independent instances of all of them
	 * in turn, where a run has such, tell what it is. */
	return fmax(fmin(known ? sum : INFINITY, broken_twin(j, r)), longest);
}

/* Does the renamer do the form's work, as chains of it alone show? */
static bool is_renamed(const struct judge *j, const char *form)
{
	const struct record *r;
	size_t n = judging_all(j, form, &r);

	for (size_t i = 0; i < n; i++)
		if (r[i].label.kind == EXPERIMENT_LATENCY &&
		    judging_is_usable(&r[i]) &&
		    r[i].estimate.high < judging_eliminated)
			return true;
	return false;
}

double graph_least_part(const struct judge *j, const char *form)
{
	return is_renamed(j, form) ? 0 : a_cycle;
}

double graph_least(const struct judge *j, const struct label *l)
{
	double least = 0;

	if (l->n_parts == 0)
		return graph_least_part(j, l->form);
	for (size_t i = 0; i < l->n_parts; i++)
		least += graph_least_part(j, l->parts[i].form);
	return least;
}
