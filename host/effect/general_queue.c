/* How many instructions the scheduler of general registers holds, and how long
 * after its start one leaves it.
 *
 * Chains of one cycle follow each other.  If one takes T cycles, the next begins T
 * cycles later.  At that time the scheduler is full: of L instructions L - T of the
 * last chain wait, L - 2 T of the one before, and so on; and it still has those
 * that started in the last R cycles.  Several L have one R for which it is equally
 * full with all of them. */
#include <math.h>
#include <stdio.h>

#include "host/effect/effect.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"
#include "host/isa/windows.h"
#include "host/model/model.h"
#include "host/solve/judging.h"

extern const struct effect effect_general_queue;

/* ---- experiments --------------------------------------------------------- */

/* Of so many groups are the chains. */
static const uint16_t groups[] = { 2, 3, 4, 5, 6, 8, 10 };

static void plan(const struct effect_plan *p)
{
	const struct isa_windows *w = p->catalogue->isa->windows;
	struct err unknown = { .code = ERR_OK };
	char label[PACK_MAX_LABEL];
	struct experiment x;

	if (!w || !w->general || !p->thorough || !p->latencies)
		return;
	(void)snprintf(label, sizeof(label), "chains:%s", w->general);
	if (experiment_parse(p->catalogue, label, &x, &unknown) != ERR_OK ||
	    x.steps[0].form->status != FORM_MEASURABLE ||
	    !p->is_chosen(p->choice, x.steps[0].form))
		return;
	for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
		x.steps[0].count = groups[i];
		p->add(p->context, &x);
	}
}

/* ---- claims -------------------------------------------------------------- */

enum {
	MOST_CHAINS = 16,
	MOST_STARTING = 32, /* in a cycle, on any core */
};

/* Chains that wait for nothing but each other. */
struct general_chains {
	const struct record *first;
	size_t n;
	double length[MOST_CHAINS], cycles[MOST_CHAINS];
};

/* Entries of the scheduler, by each of them, if it keeps an instruction for so
 * many cycles after its start. */
struct general_fit {
	double low, high; /* releases */
	double least, most;
};

static double middle(const struct record *r)
{
	return (r->estimate.low + r->estimate.high) / 2;
}

/* So few start in a cycle that ports and the front end are free. */
static void add_chain(struct general_chains *s, const struct record *r,
		      double apart)
{
	/* Chosen.  of_apart: conflicts for ports are rare.  overlaps: what a
	 * busy core adds to a chain that nothing follows is less. */
	static const double of_apart = 0.55, overlaps = 1.1;
	double length = EXPERIMENT_WINDOW_GROUPS * r->label.instances;
	double cycles = middle(r);
	double least = fmax(apart / of_apart, 1.0 / MOST_STARTING);

	if (s->n == MOST_CHAINS || cycles < length * least ||
	    cycles * overlaps > length)
		return;
	s->first = s->first ? s->first : r;
	s->length[s->n] = length;
	s->cycles[s->n++] = cycles;
}

/* What the scheduler holds when the next chain begins. */
static double held(double length, double cycles, double release)
{
	double n = 0, ago = cycles; /* since a chain began */

	while (ago < length + release) {
		n += length - fmin(length, fmax(0, ago - release));
		ago += cycles;
	}
	return n;
}

static struct general_fit fit_of(const struct general_chains *s, double release)
{
	struct general_fit f = { release, release, INFINITY, 0 };

	for (size_t i = 0; i < s->n; i++) {
		double n = held(s->length[i], s->cycles[i], release);

		f.least = fmin(f.least, n);
		f.most = fmax(f.most, n);
	}
	return f;
}

/* The releases whose entries differ least, and those entries. */
static struct general_fit fit(const struct general_chains *s)
{
	/* Chosen.  alike: a chain begins in a whole cycle, and of the few that
	 * run each has started an instruction more or less. */
	static const double step = 0.1, alike = 2;
	struct general_fit best = fit_of(s, 0),
			   ret = { INFINITY, 0, INFINITY, 0 }, f;

	for (int i = 1; i * step <= MODEL_MOST_RELEASE; i++) {
		f = fit_of(s, i * step);
		if (f.most - f.least < best.most - best.least)
			best = f;
	}
	for (int i = 0; i * step <= MODEL_MOST_RELEASE; i++) {
		f = fit_of(s, i * step);
		if (f.most - f.least > best.most - best.least + alike)
			continue;
		ret.low = fmin(ret.low, f.low);
		ret.high = fmax(ret.high, f.high);
		ret.least = fmin(ret.least, f.least);
		ret.most = fmax(ret.most, f.most);
	}
	return ret;
}

static int give(const struct judge *j, const struct general_chains *s,
		const char *kind, double low, double high, const char *detail)
{
	struct claim c = judging_base(j, s->first);

	c.kind = kind;
	c.form = c.source = c.destination = "";
	c.has_value = true;
	c.low_cycles = low;
	c.high_cycles = high;
	c.verdict = VERDICT_OK;
	c.detail = detail;
	return j->sink->each(j->sink->context, &c, j->e);
}

static int judge_core(const struct judge *j)
{
	/* Chosen: fewer chains, or entries that differ more, say nothing. */
	enum { FEWEST = 4 };
	static const double differ = 0.2;
	const struct record *alone = NULL;
	struct general_chains s = { .n = 0 };
	struct general_fit f;
	const char *detail;
	int code;

	for (size_t i = 0; i < j->n; i++) {
		const struct record *r = &j->records[i];

		if (r->label.kind != effect_kind(&effect_general_queue) ||
		    !judging_is_usable(r))
			continue;
		alone = alone ? alone
			      : judging_form(j, EXPERIMENT_THROUGHPUT,
					     r->label.form);
		if (judging_is_usable(alone))
			add_chain(&s, r, middle(alone));
	}
	if (s.n < FEWEST)
		return 0;
	f = fit(&s);
	if (f.most - f.least > differ * f.most)
		return 0;
	detail = arena_printf(j->a,
			      "chains of %u lengths fill %.3g to %.3g entries, "
			      "each for %.3g to %.3g cycles after the start",
			      (unsigned)s.n, f.least, f.most, f.low, f.high);
	code = give(j, &s, ISA_GENERAL_QUEUE, f.least, f.most, detail);
	return code ? code
		    : give(j, &s, ISA_GENERAL_RELEASE, f.low, f.high, detail);
}

static const struct experiment_row kind = { "chains", "chains", 2,
					    EXPERIMENT_WAITS |
						    EXPERIMENT_JUDGED |
						    EXPERIMENT_CUT_GROUPS };

const struct effect effect_general_queue = {
	.name = "general_queue",
	.kind = &kind,
	.plan = plan,
	.judge_core = judge_core,
};
