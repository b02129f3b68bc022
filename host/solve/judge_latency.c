/* Is the value of a chain a latency?  See judging.h. */
#include <math.h>
#include <string.h>

#include "host/solve/graph.h"
#include "host/solve/judging.h"

/* Error of a control without a straight line.  Chosen: such a slope is only
 * compared, never published. */
static const double rough_margin = 0.25;
/* One cycle, measured: the accuracy of a value (candidates.h). */
static const double one = 0.005;
/* A latency this close to a whole number is this number of cycles (chosen: ten
 * times the accuracy at one cycle), */
static const double whole = 0.05;
/* up to this many cycles: above, half a percent is a large part of one. */
static const double countable = 25;

void judging_hidden(const struct judge *j, const struct record *r,
		    double control, struct claim *c)
{
	double value = c->high_cycles;
	double off = fmax(one, value * r->estimate.uncertainty);

	c->detail = arena_printf(j->a,
				 "chain %.4g, broken chain %.4g: the chain "
				 "cycle does not show",
				 value, control);
	if (fabs(value - 1) <= off) {
		/* One instruction per cycle: between 1 and 1. */
		c->low_cycles = c->high_cycles = 1;
	} else if (value < judging_eliminated) {
		c->verdict = VERDICT_ELIMINATED;
	} else {
		c->verdict = VERDICT_THROUGHPUT_BOUND;
		c->low_cycles = fmin(1, value);
	}
}

/* The chain's instances without the chain: its own control, or the throughput's
 * kernel if it is the same. */
static const struct record *broken_chain(const struct judge *j,
					 const struct record *r)
{
	const struct record *twin = judging_twin(j, r, EXPERIMENT_CONTROL);

	if (!twin)
		twin = judging_form(j, EXPERIMENT_THROUGHPUT, r->label.form);
	twin = judging_alike(j, twin, r);
	if (!judging_is_usable(twin) &&
	    judging_is_usable(judging_form(j, EXPERIMENT_LOOP, r->label.form)))
		twin = judging_form(j, EXPERIMENT_LOOP, r->label.form);
	return judging_is_usable(twin) || (twin && !twin->fault &&
					   (twin->estimate.rough > 0 ||
					    judging_most(twin) > 0))
		       ? twin
		       : NULL;
}

/* What a broken chain without a value costs at most. */
static double rough_most(const struct record *twin)
{
	double rough = twin->estimate.rough;

	return rough > 0 ? rough * (1 + rough_margin) : judging_most(twin);
}

/* The chain's cost is only an upper bound. */
static void without_control(const struct judge *j, struct claim *c)
{
	if (!judging_is_ok(c))
		return;
	/* Instances that take less than a cycle do not wait, whatever they cost
	 * without the chain. */
	c->verdict = c->high_cycles < judging_eliminated ? VERDICT_ELIMINATED
							 : VERDICT_NO_CONTROL;
	judging_say(j, c, "no broken chain to compare with");
}

/* A wait that is hidden makes the time of a latency cycle an upper bound of the
 * sum of its latencies. */
static void check_links(const struct judge *j, const struct record *r,
			double least, struct claim *c)
{
	size_t hidden;

	if (graph_links_show(j, r, &hidden))
		return;
	c->verdict = VERDICT_THROUGHPUT_BOUND;
	c->low_cycles = fmin(least, c->low_cycles);
	judging_say(j, c,
		    "as long if part %zu does not wait for "
		    "the one before",
		    hidden + 1);
}

/* The sum of a visible latency cycle is used as measured; the sum of a hidden
 * one is an upper bound, and a cycle for each part the lower bound. */
static void check_cycle(const struct judge *j, const struct record *r,
			struct claim *c)
{
	double alone = graph_alone(j, r);
	double least = graph_least(j, &r->label);

	if (judging_is_ok(c) && !graph_closes(c->high_cycles, least)) {
		c->verdict = VERDICT_NO_CHAIN;
		c->has_value = false;
		c->detail =
			arena_printf(j->a,
				     "%.4g cycles for %zu parts that take "
				     "%.4g at least: not every instance "
				     "waits for the one before",
				     c->high_cycles, r->label.n_parts, least);
	}
	if (!judging_is_ok(c) || c->high_cycles <= least * (1 + judging_shows))
		return;
	if (c->low_cycles > alone * (1 + judging_shows) ||
	    graph_is_apart(j, r)) {
		check_links(j, r, least, c);
		return;
	}
	if (!isfinite(alone)) {
		without_control(j, c);
		return;
	}
	c->verdict = VERDICT_THROUGHPUT_BOUND;
	c->low_cycles = fmin(least, c->low_cycles);
	judging_say(j, c,
		    "its parts alone cost %.4g: the latency "
		    "cycle does not show",
		    alone);
}

static void check_control(const struct judge *j, const struct record *r,
			  struct claim *c)
{
	const struct record *twin = broken_chain(j, r);

	if (label_is_cycle(&r->label)) {
		check_cycle(j, r, c);
		return;
	}
	if (judging_limits(j, r, c))
		return;
	if (!twin) {
		without_control(j, c);
		return;
	}

	bool straight = judging_is_usable(twin);
	double control = straight ? twin->estimate.high : rough_most(twin);

	if (c->low_cycles > control * (1 + judging_shows)) {
		judging_say(j, c, "broken chain %s%.4g",
			    straight ? "" : "below ", control);
		/* Every few instances another chain through the same registers
		 * is visible. */
		if (judging_is_ok(c) && c->high_cycles < judging_eliminated)
			c->verdict = VERDICT_ELIMINATED;
		if (judging_is_ok(c))
			check_links(j, r, graph_least(j, &r->label), c);
	} else if (!straight) {
		without_control(j, c);
	} else if (judging_is_ok(c)) {
		judging_hidden(j, r, control, c);
	}
}

/* The mean of a chain whose instances take different times: alternating units,
 * occasional forwarding, or results that are sometimes renamed away.  The means
 * of long chains are not known to a fraction. */
bool judging_is_fraction(double value, double off)
{
	return value > judging_eliminated && value < countable &&
	       fabs(value - round(value)) > fmax(whole, 2 * off);
}

/* Instances of a form that writes some flags and keeps others.  If they run
 * faster than any chain, none waits for the old flags; if they take longer than
 * with a helper in between that writes all flags, all do. */
static void judge_merge(const struct judge *j, const struct record *r,
			struct claim *c)
{
	const struct record *cut =
		judging_alike(j, judging_twin(j, r, EXPERIMENT_CONTROL), r);
	double value = c->high_cycles;

	if (value < judging_eliminated) {
		c->low_cycles = c->high_cycles = 0;
		judging_say(j, c,
			    "%.4g cycles: no instance waits "
			    "for the flags before",
			    value);
	} else if (judging_is_usable(cut) &&
		   c->low_cycles > cut->estimate.high * (1 + judging_shows)) {
		judging_say(j, c, "flags written again %.4g",
			    cut->estimate.high);
	} else if (judging_is_ok(c)) {
		c->verdict = VERDICT_THROUGHPUT_BOUND;
		c->low_cycles = 0;
		judging_say(j, c, "no faster with flags written again");
	}
}

/* Instances until a register of a chain is written again, and read as another
 * source: four where there are enough registers.  One less if it holds the
 * other result. */
static double turn_of(const struct record *r)
{
	const double usual = 4;

	return r->chains > 1 ? r->chains : usual;
}

/* Upper bound per instance of another chain through the same instances, from
 * measurements of the form's other pairs: through the source that a result is
 * tied to, and back and forth between two results. */
static double side_chain(const struct judge *j, const struct record *r)
{
	const struct label *l = &r->label;
	const struct record *all;
	size_t n = judging_all(j, l->form, &all);
	double across = 0, back = 0, longest = 0, turn = turn_of(r);

	for (size_t i = 0; i < n; i++) {
		bool source = strcmp(all[i].label.source, l->source) == 0;
		bool result =
			strcmp(all[i].label.destination, l->destination) == 0;
		double cycles = all[i].estimate.high;

		if (all[i].label.kind != EXPERIMENT_LATENCY ||
		    !judging_is_usable(&all[i]))
			continue;
		if (source && !result)
			across = fmax(across, cycles);
		else if (!source && result)
			back = fmax(back, cycles);
		else if (!source)
			longest = fmax(longest, cycles / (turn - 1));
	}
	longest = fmax(longest, back / turn);
	if (across > 0 && back > 0)
		longest = fmax(longest, (across + back) / turn);
	return longest;
}

/* As long as another chain of the form: this chain is no longer. */
static void check_side_chain(const struct judge *j, const struct record *r,
			     struct claim *c)
{
	double side = side_chain(j, r);

	if (c->high_cycles > side * (1 + judging_shows))
		return;
	c->low_cycles = fmin(1, c->high_cycles);
	c->verdict = VERDICT_THROUGHPUT_BOUND;
	judging_say(j, c, "another chain of the form may take %.4g", side);
}

/* Disturbances only add time (a slowed calibration hides 4 % of it at most).
 * So of a chain through memory that is noisy or implausible, what whole
 * iterations cost is still an upper bound.  Below 0.9 cycles the chain is
 * renamed away.  If an operation behind the load is executed, the store and the
 * load are renamed away below 0.9 cycles more. */
static bool judge_disturbed(const struct judge *j, const struct record *r,
			    struct claim *c)
{
	enum { ENOUGH_VISITS = 3 }; /* measured */
	const struct estimate *m = &r->estimate;
	bool executes = strchr(r->label.form, '@') && m->bound >= 1;
	double executed = executes ? 1 : 0;

	if (r->fault || r->label.kind != EXPERIMENT_LATENCY ||
	    !strchr(r->label.form, '+') || label_is_cycle(&r->label) ||
	    m->n_visits < ENOUGH_VISITS ||
	    (m->state != VERDICT_NOISY && m->state != VERDICT_IMPLAUSIBLE) ||
	    m->bound <= 0 || m->bound >= executed + judging_eliminated)
		return false;
	c->has_value = true;
	c->low_cycles = executed;
	c->high_cycles = m->bound;
	c->verdict = executes ? VERDICT_THROUGHPUT_BOUND : VERDICT_ELIMINATED;
	judging_say(j, c, "whole iterations cost %.4g an op", m->bound);
	return true;
}

/* What the chain's controls say of its value. */
static void check_controls(const struct judge *j, const struct record *r,
			   struct claim *c)
{
	if (r->label.kind == EXPERIMENT_MERGE)
		judge_merge(j, r, c);
	else if (!experiment_kind_is(r->label.kind, EXPERIMENT_PAIRED))
		check_control(j, r, c);
	if (r->label.kind == EXPERIMENT_LATENCY && judging_is_ok(c) &&
	    !label_is_cycle(&r->label))
		check_side_chain(j, r, c);
}

static struct claim judge_chain(const struct judge *j, const struct record *r)
{
	struct claim c = judging_base(j, r);
	enum verdict verdict = c.verdict;
	bool bent =
		judging_is_usable(r) && r->estimate.state == VERDICT_NOT_LINEAR;

	if (judge_disturbed(j, r, &c) || !c.has_value)
		return c;
	/* The slopes of the halves are bounds; controls say of what. */
	if (bent)
		c.verdict = VERDICT_OK;
	check_controls(j, r, &c);
	if (bent && judging_is_ok(&c)) {
		c.verdict = verdict;
	} else if (judging_is_ok(&c) &&
		   judging_is_fraction(c.high_cycles, r->estimate.uncertainty *
							      c.high_cycles)) {
		c.verdict = VERDICT_MIXTURE;
		judging_say(j, &c, "no whole number of cycles");
	}
	return c;
}

/* Whether the chain takes longer for two late values than for one is not known:
 * the chain through one register has no value, or is not settled and may be
 * faster. */
static void without_joint(const struct judge *j, const struct claim *both,
			  struct claim *c)
{
	double low =
		both->has_value ? both->low_cycles : fmin(1, c->low_cycles);

	if (!judging_is_ok(c) || low >= c->high_cycles * (1 - judging_shows))
		return;
	c->verdict = VERDICT_NO_CONTROL;
	c->low_cycles = low;
	judging_say(j, c,
		    "the chain through one register, which "
		    "may be faster, is %s",
		    claim_verdict(both));
}

/* A form that also waits for the destination's old value: in endless chains
 * some schedulers take longer for two late values than for one.  A chain
 * through one register has one late value, and its time is an upper bound of
 * the latency from either operand.  It is used only if it is below the time of
 * the source's own chain. */
struct claim judging_latency(const struct judge *j, const struct record *r,
			     double *ret_uncertainty)
{
	struct claim c = judge_chain(j, r);
	const struct record *joint = judging_twin(j, r, EXPERIMENT_JOINT);

	*ret_uncertainty = r->estimate.uncertainty;
	if (!joint || r->label.kind != EXPERIMENT_LATENCY ||
	    !judging_is_usable(r))
		return c;

	struct claim both = judge_chain(j, joint);

	if (!judging_is_ok(&both)) {
		without_joint(j, &both, &c);
		return c;
	}
	if (both.high_cycles >= c.high_cycles * (1 - judging_shows))
		return c;
	judging_say(j, &both,
		    "with the chain of the destination "
		    "up to %.4g",
		    c.high_cycles);
	*ret_uncertainty = joint->estimate.uncertainty;
	return both;
}

/* Name the helpers with which the chain that `cut` stands for takes longer for
 * certain; r: the first record of the chain. */
static void name_disturbing(const struct judge *j, const struct record *r,
			    const struct record *cut, struct claim *c)
{
	size_t n = judging_count_alike(j, r);

	for (size_t i = 0; i < n; i++)
		if (r[i].label.n_helpers == cut->label.n_helpers &&
		    r[i].label.n_helpers > 0 &&
		    r[i].estimate.state == VERDICT_OK &&
		    cut->estimate.state == VERDICT_OK &&
		    r[i].estimate.low * (1 - judging_slack) >
			    cut->estimate.high)
			judging_say(j, c, "%s as a helper disturbs: %.4g",
				    r[i].label.helpers[0].form,
				    r[i].estimate.low);
}

/* A chain whose flags a helper cuts, and the same chain without: more
 * dependencies never take less time, so if the chain with the helper is hidden,
 * this is a tighter bound. */
struct claim judging_chain(const struct judge *j, const struct record *r,
			   double *uncertainty)
{
	const struct record *cut = judging_cut(r, judging_count_alike(j, r));
	struct claim c = judging_latency(j, cut, uncertainty);
	double high = r->estimate.high;

	name_disturbing(j, r, cut, &c);
	if (cut->label.n_helpers == r->label.n_helpers ||
	    !judging_is_usable(r) || !c.has_value ||
	    c.verdict != VERDICT_THROUGHPUT_BOUND ||
	    high >= c.high_cycles * (1 - judging_slack))
		return c;
	*uncertainty = r->estimate.uncertainty;
	c.high_cycles = high;
	judging_say(j, &c, "without its helper %.4g", high);
	if (c.low_cycles >= high * (1 - judging_slack)) {
		c.low_cycles = high;
		c.verdict = VERDICT_OK;
	}
	return c;
}
