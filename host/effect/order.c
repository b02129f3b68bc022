/* Does the core start instructions in program order?
 *
 * Two instructions in turn, of which each reads the result of the one before,
 * make a latency cycle.  In each of its two controls one of the two waits is
 * missing.  A core that starts instructions in program order starts nothing
 * during the other wait, so the controls together take at least as long as the
 * cycle.  A core that starts instructions as soon as their sources are there
 * needs for a control only what its instructions cost without any wait. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/model/claims_read.h"
#include "host/solve/graph.h"
#include "host/solve/judging.h"

/* ---- claims -------------------------------------------------------------- */

/* Controls of a core in program order take this part of their cycle at least:
 * one by the argument above, less what two measurements are off. */
static const double in_turn = 0.8;

/* A core that starts instructions as soon as it can needs at most this part of
 * a cycle for a control, if its two instructions cost no more alone.  So
 * controls that take in_turn prove program order. */
static const double quick = 0.5;

enum order_vote { ORDER_NONE, ORDER_UNPROVED, ORDER_IN, ORDER_OUT };

struct order_votes {
	size_t n[ORDER_OUT + 1];
	const struct record *last; /* that votes for ORDER_IN or ORDER_OUT */
};

/* Cycles of an independent instance of a part's form; INFINITY: not known. */
static double alone(const struct judge *j, const struct label_part *part)
{
	const struct record *r =
		judging_form(j, EXPERIMENT_THROUGHPUT, part->form);

	return r && judging_is_usable(r) ? r->estimate.high : INFINITY;
}

/* What a cycle and its controls prove. */
static enum order_vote vote(const struct judge *j, const struct record *r)
{
	const struct label_part *parts = r->label.parts;
	const struct record *first, *second;

	if (!label_is_cycle(&r->label) || r->label.n_helpers > 0 ||
	    !judging_is_usable(r) || r->label.n_parts != 2)
		return ORDER_NONE;
	first = graph_broken(j, r, 0);
	second = graph_broken(j, r, 1);
	if (!judging_is_usable(first) || !judging_is_usable(second))
		return ORDER_NONE;
	if (first->estimate.high + second->estimate.high <
	    in_turn * r->estimate.low)
		return ORDER_OUT;
	return first->estimate.low + second->estimate.low >=
				       in_turn * r->estimate.high &&
			       alone(j, &parts[0]) + alone(j, &parts[1]) <=
				       quick * r->estimate.low
		       ? ORDER_IN
		       : ORDER_UNPROVED;
}

static struct order_votes count_votes(const struct judge *j)
{
	struct order_votes v = { .last = NULL };

	for (size_t i = 0; i < j->n; i++) {
		enum order_vote one = vote(j, &j->records[i]);

		v.n[one]++;
		if (one >= ORDER_IN)
			v.last = &j->records[i];
	}
	return v;
}

/* May it?  Only cores of some ISAs do, and controls of latency cycles show that
 * a core does not. */
static void learn(struct judge *j)
{
	struct order_votes v;

	if (!j->sink->in_order)
		return;
	v = count_votes(j);
	j->in_order = v.n[ORDER_OUT] <= v.n[ORDER_IN] + v.n[ORDER_UNPROVED];
}

/* In program order (1) or not (0), if cycles prove the one and none the
 * other. */
static int judge_core(const struct judge *j)
{
	struct order_votes v;
	struct claim c;
	bool in;

	if (!j->sink->in_order)
		return 0;
	v = count_votes(j);
	in = v.n[ORDER_IN] > 0;
	if (!v.last || in == (v.n[ORDER_OUT] > 0))
		return 0;
	c = judging_base(j, v.last);
	c.kind = "program-order";
	c.form = c.source = c.destination = "";
	c.has_value = true;
	c.low_cycles = c.high_cycles = in;
	c.verdict = VERDICT_OK;
	c.detail = arena_printf(
		j->a,
		in ? "instructions start in program order: of %s, each waits "
		     "for what is before it, with or without a dependency"
		   : "instructions start when their sources are ready: of %s, "
		     "each waits only for its own sources",
		v.last->label.form);
	return j->sink->each(j->sink->context, &c, j->e);
}

/* ---- model --------------------------------------------------------------- */

static void read_claims(struct claim_reader *r)
{
	for (size_t i = 0; i < r->values.n; i++) {
		const struct claim *c = &r->values.list[i];

		/* Claims on the core come first. */
		if (*c->form != '\0')
			break;
		if (!c->has_value || !claim_is(c, "program-order"))
			continue;
		r->m->order_known = true;
		r->m->in_order = c->low_cycles > 0;
	}
}

const struct effect effect_order = {
	.name = "order",
	.learn = learn,
	.judge_core = judge_core,
	.read_claims = read_claims,
};
