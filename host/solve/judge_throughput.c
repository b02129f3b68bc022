/* What independent instances cost.  See judging.h. */
#include <math.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/decoding.h"
#include "host/solve/graph.h"
#include "host/solve/judging.h"
#include "host/solve/states.h"

/* Bounds this close are one value: the accuracy of a value (candidates.h). */
static const double same = 0.005;
/* Of what the front end bounds, by how much a slope may be low: loops of 8, 32
 * and 56 at five in a cycle read 0.196 for 0.2. */
static const double rounded = 0.02;
/* Chains through so few registers would make no other throughput.  Chosen: a
 * latency and a throughput that are 2 % off each, and a little. */
static const double register_bound = 0.05;

/* Throughput of a helper by its own claim in this run; 0 if unknown. */
static double helper_cost(const struct judge *j, const char *form)
{
	const struct record *r = judging_form(j, EXPERIMENT_THROUGHPUT, form);

	if (!r || r->label.n_helpers > 0)
		return 0;

	struct claim c = judging_base(j, r);

	return c.has_value ? c.high_cycles * (1 + r->estimate.uncertainty) : 0;
}

/* The mix costs at least the form alone, and at most form and helpers one
 * after the other.  Helpers of unknown cost bound nothing from below, nor do
 * those of a core that may start nothing while the form waits for them. */
static void subtract_helpers(const struct judge *j, const struct record *r,
			     struct claim *c)
{
	const struct label *l = &r->label;
	double cost = 0;
	double off = r->estimate.uncertainty;
	bool known = true;

	for (size_t i = 0; i < l->n_helpers; i++) {
		double one_helper = helper_cost(j, l->helpers[i].form);

		known = known && one_helper > 0;
		/* A body has ops_per_body ops and each helper once per op. */
		cost += l->helpers[i].count * one_helper;
	}
	/* The error is the mix's, which is more than the form. */
	c->low_cycles = known && !j->in_order
				? fmax(c->low_cycles - cost / (1 - off), 0)
				: 0;
	c->low_cycles = fmax(c->low_cycles, j->min_cycles);
	c->low_cycles = fmin(c->low_cycles, c->high_cycles);
	c->detail =
		known ? arena_printf(j->a, "%s; helpers cost up to %.4g",
				     c->detail, cost)
		      : arena_printf(j->a, "%s; what helpers cost is not known",
				     c->detail);
	if (judging_is_ok(c))
		c->verdict = VERDICT_HELPER;
}

/* The longest latency cycle that begins with a form bounds its results from
 * above. */
static double longest_cycle(const struct judge *j, const char *form)
{
	const struct record *r;
	size_t n = judging_headed(j, form, &r);
	double longest = 0;

	for (size_t i = 0; i < n; i++)
		if (r[i].label.kind == EXPERIMENT_LATENCY &&
		    judging_is_usable(&r[i]) && label_is_cycle(&r[i].label))
			longest = fmax(longest, r[i].estimate.high);
	return longest;
}

/* Instances that all wait for the one before, which may be through memory. */
static double dependent_of(const struct judge *j, const char *form)
{
	const struct record *r = judging_form(j, EXPERIMENT_DEPENDENT, form);

	return judging_is_usable(r) ? r->estimate.high : 0;
}

/* The largest latency the run has of a form, over which independent instances
 * may come to wait for their registers or places; 0 if none is known.  A chain
 * with a control of its own runs through what independent instances leave
 * alone, such as an address. */
static double longest_latency(const struct judge *j, const char *form)
{
	const struct record *r;
	size_t n = judging_all(j, form, &r);
	double longest = 0;

	for (size_t i = 0; i < n; i++)
		if (r[i].label.kind == EXPERIMENT_LATENCY &&
		    judging_is_usable(&r[i]) &&
		    !judging_twin(j, &r[i], EXPERIMENT_CONTROL))
			longest = fmax(longest, r[i].estimate.high);
	return longest > 0 ? longest : longest_cycle(j, form);
}

/* With too few registers to rotate through, instances wait for their own
 * results, and latency over registers is what was measured.  A run that asks
 * for no latencies cannot tell; one that does and has none of the form cannot
 * rule it out. */
static void check_registers(const struct judge *j, const struct record *r,
			    struct claim *c)
{
	char plain[DECODING_ROOM];
	double latency = longest_latency(
		j, decoding_short(c->form, plain) ? plain : c->form);

	/* Helpers cut what dependent instances wait for. */
	if (r->label.n_helpers == 0)
		latency = fmax(latency, dependent_of(j, c->form));

	if (r->chains == 0 ||
	    (latency <= 0 && !(j->sink->latencies && judging_is_ok(c))) ||
	    (latency > 0 &&
	     c->high_cycles * r->chains > latency * (1 + register_bound)))
		return;
	c->low_cycles = j->min_cycles;
	c->verdict = VERDICT_REGISTER_BOUND;
	if (latency <= 0) {
		judging_say(j, c,
			    "waits through %u registers or "
			    "places, for how long is not known",
			    r->chains);
		return;
	}
	judging_say(j, c,
		    "latency %.4g over %u registers or places "
		    "is as much",
		    latency, r->chains);
}

/* Instances that wait for each other, altogether or within an iteration, take
 * at least as long as independent ones: an upper bound without any helper in
 * it. */
static void bound_from_above(const struct judge *j, const struct record *r,
			     struct claim *c)
{
	struct claim bound = judging_base(j, r);

	bound.high_cycles *= 1 + r->estimate.uncertainty;
	if (!bound.has_value || !c->has_value ||
	    bound.high_cycles >= c->high_cycles)
		return;
	c->high_cycles = bound.high_cycles;
	c->low_cycles = fmin(c->low_cycles, c->high_cycles);
	/* A form that is faster than the width disproves it. */
	if (c->high_cycles < j->min_cycles * (1 - rounded)) {
		c->low_cycles = 1.0 / j->sink->max_width;
		c->verdict = judging_is_ok(c) ? VERDICT_HELPER : c->verdict;
	}
	judging_say(j, c, "without helpers %.4g", c->high_cycles);
	if (c->high_cycles - c->low_cycles <= same * c->high_cycles)
		c->verdict = VERDICT_OK;
}

/* Of forms that carry a dependency on, an experiment that does not cut it. Such
 * a form may have no dependent instances, where the loop's counter is a
 * register it reads; but all else that is known of its throughput has helpers.
 * Without helpers the dependent instances are others, of one place in
 * memory. */
static bool is_uncut(const struct judge *j, const struct record *r)
{
	const struct record *first =
		judging_form(j, EXPERIMENT_THROUGHPUT, r->label.form);

	if (r->label.kind != EXPERIMENT_LOOP || r->label.n_helpers > 0)
		return r->label.kind == EXPERIMENT_DEPENDENT;
	return first ? first->label.n_helpers > 0
		     : judging_form(j, EXPERIMENT_DEPENDENT, r->label.form) !=
			       NULL;
}

/* A dependency that nothing cuts: the value is an upper bound. */
static void only_dependent(const struct judge *j, struct claim *c)
{
	c->low_cycles = j->min_cycles;
	judging_say(j, c, "no helper cuts the dependency");
	if (judging_is_ok(c))
		c->verdict = VERDICT_DEPENDENT;
}

static bool is_settled(const struct claim *c)
{
	return c->verdict == VERDICT_OK || c->verdict == VERDICT_HELPER;
}

static bool is_two(const struct claim *c)
{
	return c->verdict == VERDICT_TWO_STATES;
}

/* Does x show that what y says is too slow?  By an upper bound below it, or by
 * two real speeds of which the faster one is.  Kernels of an unsteady class
 * often are too slow. */
static bool disproves(const struct claim *x, const struct claim *y,
		      bool unsteady)
{
	double shown = is_two(x) ? x->low_cycles : x->high_cycles;
	double margin = is_two(x) || unsteady ? states_apart : below_is_real;

	return shown < y->low_cycles * (1 - margin);
}

/* How much a claim with a value says. */
static int rank_of(const struct claim *c)
{
	return is_settled(c) ? 2 : is_two(c);
}

/* Of several experiments on one thing: a value over none, then a settled one
 * over two speeds over bounds, unless the lesser disproves it, then the lowest
 * upper bound. */
static bool is_better(const struct claim *x, const struct claim *y,
		      bool unsteady)
{
	if (x->has_value != y->has_value)
		return x->has_value;
	if (!x->has_value)
		return false;
	if (rank_of(x) == rank_of(y))
		return x->high_cycles < y->high_cycles;
	return rank_of(x) > rank_of(y) ? !disproves(y, x, unsteady)
				       : disproves(x, y, unsteady);
}

/* Up to so many in a cycle the lengths of small loops take whole cycles or err
 * alike: 8, 32 and 56 are multiples of 1, 2 and 4, and leave 2 divided by 3. */
static const double even = 4;

/* What a small loop may be slow by for the same reason: 9 in two cycles and 57
 * in 12 are not 48 in 9.6. */
static const double rounded_up = 0.06;

/* A small loop that seems faster than the core is wide: where iterations take
 * whole cycles, of five in a cycle 17 take four and 65 take 13, which is not
 * 48 in 9.6.  A little faster is as fast as the core is wide. */
static void check_loop(const struct judge *j, const struct record *r,
		       struct claim *c)
{
	double least =
		j->hidden_width ? fmax(j->min_cycles, 1 / even) : j->min_cycles;

	if (r->label.kind != EXPERIMENT_LOOP || c->high_cycles >= least)
		return;
	if (c->high_cycles >= least * (1 - rounded)) {
		c->low_cycles = fmax(c->low_cycles, least);
		c->high_cycles = least;
		return;
	}
	c->has_value = false;
	c->verdict = VERDICT_IMPLAUSIBLE;
	judging_say(j, c, "less than %s %.4g",
		    j->hidden_width
			    ? "what small loops show of an unknown width,"
			    : "the core's width leaves,",
		    least);
}

/* Whole iterations, loop and all, that cost less than the slope says: shorter
 * lengths cost less than their share, and the line shows no instruction. */
static void check_bound(const struct judge *j, const struct record *r,
			struct claim *c)
{
	double bound = r->estimate.bound;

	if (bound <= 0 || !c->has_value || !judging_is_ok(c) ||
	    c->low_cycles <= bound * (1 + below_is_real))
		return;
	c->verdict = VERDICT_NOT_LINEAR;
	c->low_cycles = j->min_cycles;
	c->high_cycles = bound;
	judging_say(j, c, "whole iterations cost %.4g an op", bound);
}

static struct claim judge_one(const struct judge *j, const struct record *r)
{
	struct claim c = judging_base(j, r);

	if (!c.has_value)
		return c;
	if (is_uncut(j, r))
		only_dependent(j, &c);
	else if (r->label.n_helpers > 0)
		subtract_helpers(j, r, &c);
	check_registers(j, r, &c);
	check_loop(j, r, &c);
	check_bound(j, r, &c);
	return c;
}

/* The best of the candidates and what the others say. */
struct choice {
	struct claim claim;
	const struct record *record; /* NULL: there is none yet */
};

/* Lower only by less than it is in doubt, of a thing that is known better? */
static bool is_doubtful(const struct choice *best, const struct claim *c,
			const struct record *r)
{
	double known = best->record->estimate.uncertainty;
	double doubt = r->estimate.uncertainty;

	return doubt > known && is_settled(c) && is_settled(&best->claim) &&
	       c->high_cycles * (1 + doubt) >=
		       best->claim.low_cycles * (1 - known);
}

static void add_candidates(const struct judge *j, const struct record *r,
			   size_t n, struct choice *best)
{
	for (size_t i = 0; i < n; i++) {
		struct claim c = judge_one(j, &r[i]);

		if (best->record &&
		    (!is_better(&c, &best->claim, r[i].estimate.unsteady) ||
		     is_doubtful(best, &c, &r[i])))
			continue;
		best->claim = c;
		best->record = &r[i];
	}
}

/* A settled value, but some visits of the other shape were faster, too few for
 * a value of it: it may be the slower state. */
static bool is_doubted(const struct claim *best, const struct claim *other)
{
	return judging_is_ok(best) && other->has_value &&
	       other->verdict == VERDICT_UNSTABLE &&
	       other->low_cycles < best->low_cycles * (1 - below_is_real);
}

/* Long bodies and small loops should cost the same; where they do not, the
 * claim says so.  In an unsteady class they are two states. */
static void compare_shapes(const struct judge *j, const struct record *r,
			   struct choice *best)
{
	bool loop = best->record->label.kind == EXPERIMENT_LOOP;
	const char *shape = loop ? "long body" : "small loop";
	const struct record *other =
		loop ? r : judging_form(j, EXPERIMENT_LOOP, r->label.form);
	struct claim c;

	if (!other || is_uncut(j, other) || !best->claim.has_value)
		return;
	c = judging_base(j, other);
	if (is_doubted(&best->claim, &c)) {
		best->claim.verdict = c.verdict;
		best->claim.low_cycles = c.low_cycles;
		judging_say(j, &best->claim, "in a %s from %.4g", shape,
			    c.low_cycles);
		return;
	}
	if (!c.has_value ||
	    c.high_cycles <= best->claim.high_cycles * (1 + states_apart))
		return;
	judging_say(j, &best->claim, "in a %s up to %.4g", shape,
		    c.high_cycles);
	if (best->record->estimate.unsteady && judging_is_ok(&best->claim)) {
		best->claim.verdict = VERDICT_TWO_STATES;
		best->claim.high_cycles = c.high_cycles;
	}
}

/* A small loop as fast as the core is wide, of a form whose long bodies show
 * nothing: its line is one of whole cycles. */
static void bound_rounded(const struct judge *j, const struct record *r,
			  struct choice *best)
{
	struct claim *c = &best->claim;

	if (!c->has_value || best->record->label.kind != EXPERIMENT_LOOP ||
	    j->min_cycles >= 1 / even ||
	    c->high_cycles >= j->min_cycles * (1 + rounded_up) ||
	    !judging_is_ok(c))
		return;

	struct claim body = judge_one(j, r);

	if (body.has_value && is_settled(&body))
		return;
	c->low_cycles = j->min_cycles;
	c->verdict = VERDICT_NOT_LINEAR;
	judging_say(j, c, "whole cycles of small loops only");
}

struct claim judging_throughput(const struct judge *j, const struct record *r,
				size_t n, double *ret_uncertainty)
{
	struct choice best = { .record = NULL };
	const struct record *all;
	size_t n_all = judging_all(j, r->label.form, &all);

	add_candidates(j, r, n, &best);
	for (size_t i = 0; i < n_all; i++)
		if (all[i].label.kind == EXPERIMENT_LOOP &&
		    !is_uncut(j, &all[i]))
			add_candidates(j, &all[i], 1, &best);
	compare_shapes(j, r, &best);
	bound_rounded(j, r, &best);
	for (size_t i = 0; i < n_all; i++)
		if (is_uncut(j, &all[i]) && &all[i] != best.record)
			bound_from_above(j, &all[i], &best.claim);
	(void)judging_limits(j, best.record, &best.claim);
	best.claim.kind = "throughput";
	*ret_uncertainty = best.record->estimate.uncertainty;
	return best.claim;
}
