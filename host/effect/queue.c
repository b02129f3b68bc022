/* How many vector instances wait for their sources at once.
 * host/solve/waiting.h says how chains tell it. */
#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/model/claims_read.h"
#include "host/plan/forward.h"
#include "host/solve/judging.h"
#include "host/solve/waiting.h"

extern const struct effect effect_queue;

/* ---- experiments --------------------------------------------------------- */

/* A form for each class of registers: the first of the ISA's list. */
static void plan(const struct effect_plan *p)
{
	struct experiment list[FORWARD_MAX_FORMS];
	size_t n = forward_forms(p->catalogue, p->catalogue->isa->forwarding,
				 list, 0);

	for (size_t i = 0; p->thorough && p->latencies && i < n; i++) {
		size_t first = 0;

		while (!forward_same_registers(p->catalogue, &list[first],
					       &list[i]))
			first++;
		if (first < i ||
		    !p->is_chosen(p->choice, list[i].steps[0].form))
			continue;
		list[i].kind = effect_kind(&effect_queue);
		p->add(p->context, &list[i]);
	}
}

/* ---- claims -------------------------------------------------------------- */

static int judge(const struct judge *j, const struct record *r, size_t n)
{
	struct claim c = judging_base(j, r);
	const struct record *chain = judging_twin(j, r, EXPERIMENT_LATENCY);
	const struct record *apart =
		judging_form(j, EXPERIMENT_THROUGHPUT, r->label.form);
	struct waiting w = { .uncertainty = r->estimate.uncertainty };
	enum waiting_result result;

	(void)n;
	if (!c.has_value)
		return j->sink->each(j->sink->context, &c, j->e);
	if (!judging_is_usable(chain) || !judging_is_usable(apart)) {
		c.has_value = false;
		c.verdict = VERDICT_NO_CONTROL;
		return j->sink->each(j->sink->context, &c, j->e);
	}
	w.low = c.low_cycles;
	w.high = c.high_cycles;
	w.endless = chain->estimate.high;
	w.apart = apart->estimate.high;
	judging_say(j, &c,
		    "%.4g cycles of %.4g in an endless chain "
		    "and %.4g apart",
		    c.high_cycles, chain->estimate.high, apart->estimate.high);
	result = waiting_count(&w, &c.low_cycles, &c.high_cycles);
	c.has_value = result == WAITING_OK;
	if (result == WAITING_NOT_SHOWN)
		c.verdict = VERDICT_THROUGHPUT_BOUND;
	else if (result == WAITING_IMPLAUSIBLE)
		c.verdict = VERDICT_IMPLAUSIBLE;
	return j->sink->each(j->sink->context, &c, j->e);
}

/* ---- model --------------------------------------------------------------- */

/* Largest number of waiting instructions observed. Forms of other widths may
 * show fewer. */
static void read_claims(struct claim_reader *r)
{
	for (size_t i = 0; i < r->values.n; i++) {
		const struct claim *c = &r->values.list[i];
		uint32_t n = claim_is(c, "queue") && claim_taken(c)
				     ? claim_size(c)
				     : 0;
		const struct form *f = n > r->m->vector_queue
					       ? catalogue_form(r->c, c->form)
					       : NULL;

		if (f && f->vector_state)
			r->m->vector_queue = n;
	}
}

static const struct experiment_row kind = {
	"queue", "queue", 2,
	EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |
		EXPERIMENT_CLAIMED | EXPERIMENT_CUT
};

const struct effect effect_queue = {
	.name = "queue",
	.kind = &kind,
	.plan = plan,
	.judge = judge,
	.read_claims = read_claims,
};
