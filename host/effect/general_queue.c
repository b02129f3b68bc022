/* How many instructions the scheduler of general registers holds, and how long it
 * keeps each of them after its start.
 *
 * A chain is L instructions of a cycle, each of which waits for the one before.
 * Chains follow each other; the first instruction of a chain waits for none.  If a
 * chain begins T cycles after the one before, all earlier ones are dispatched and
 * the scheduler is full: of the last chain L - T instructions wait, of the one
 * before L - 2 T, and so on; and it still has those that started in the last R
 * cycles.  For one R this is the same number with all L. */
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

/* L of the chains, in EXPERIMENT_WINDOW_GROUPS. */
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

/* Kernels of chains that the scheduler alone limits: L, T. */
struct general_chains {
	const struct record *first;
	size_t n;
	double length[MOST_CHAINS], cycles[MOST_CHAINS];
};

/* If the scheduler keeps instructions for low to high cycles after their start: the
 * smallest and the largest number of entries that kernels show. */
struct general_fit {
	double low, high; /* releases */
	double least, most;
};

/* Add a kernel, if so few of its instructions start in a cycle that ports and the
 * front end do not limit it, and if its chains overlap. */
static void add_chain(struct general_chains *s, const struct record *r,
		      double apart)
{
	/* Chosen.  of_apart: at this share of their throughput instructions
	 * seldom wait for a port.  overlaps: noise alone is less. */
	static const double of_apart = 0.55, overlaps = 1.1;
	double length = EXPERIMENT_WINDOW_GROUPS * r->label.instances;
	double cycles = judging_middle(r);
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

/* Cycles: releases that differ by less cannot be distinguished. */
static const double step = 0.1;

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

/* The release for which the numbers of entries differ least. */
static struct general_fit best_fit(const struct general_chains *s)
{
	struct general_fit best = fit_of(s, 0), f;

	for (int i = 1; i * step <= MODEL_MOST_RELEASE; i++) {
		f = fit_of(s, i * step);
		if (f.most - f.least < best.most - best.least)
			best = f;
	}
	return best;
}

/* All releases for which they differ hardly more. */
static struct general_fit all_fits(const struct general_chains *s,
				   const struct general_fit *best)
{
	/* Chosen, in entries: a chain begins in a whole cycle, and of the few
	 * that run each has started an instruction more or less. */
	static const double alike = 2;
	struct general_fit ret = *best, f;

	for (int i = 0; i * step <= MODEL_MOST_RELEASE; i++) {
		f = fit_of(s, i * step);
		if (f.most - f.least > best->most - best->least + alike)
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

/* Is a chain of the kernel's form a cycle for each instruction? */
static bool is_of_a_cycle(const struct judge *j, const struct record *r)
{
	const struct record *chain = judging_twin(j, r, EXPERIMENT_LATENCY);
	/* Chosen: the error of a latency. */
	static const double of_a_cycle = 0.05;

	return judging_is_usable(chain) &&
	       fabs(judging_middle(chain) - 1) < of_a_cycle;
}

static void find_chains(const struct judge *j, struct general_chains *ret)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct record *r = &j->records[i], *alone;

		if (r->label.kind != effect_kind(&effect_general_queue) ||
		    !judging_is_usable(r) || r->estimate.state != VERDICT_OK ||
		    !is_of_a_cycle(j, r))
			continue;
		alone = judging_form(j, EXPERIMENT_THROUGHPUT, r->label.form);
		if (judging_is_usable(alone))
			add_chain(ret, r, judging_middle(alone));
	}
}

/* Claims are made of a core whose kernels agree; others have none. */
static int judge_core(const struct judge *j)
{
	/* Chosen.  differ: the largest difference of the numbers of entries, as
	 * a part of them.  widest: in cycles; a longer interval of releases
	 * fits kernels that no scheduler limits. */
	enum { FEWEST = 4 };
	static const double differ = 0.08, widest = 6;
	struct general_chains s = { .n = 0 };
	struct general_fit best, f;
	const char *detail;
	int code;

	find_chains(j, &s);
	if (j->in_order || s.n < FEWEST)
		return 0;
	best = best_fit(&s);
	f = all_fits(&s, &best);
	if (best.most - best.least > differ * best.most ||
	    f.high - f.low > widest || f.high + 1 > MODEL_MOST_RELEASE)
		return 0;
	detail = arena_printf(j->a,
			      "chains of %u lengths fill %.3g to %.3g entries, "
			      "each for %.3g to %.3g cycles after the start",
			      (unsigned)s.n, f.least, f.most, f.low, f.high);
	code = give(j, &s, ISA_GENERAL_QUEUE, f.least, f.most, detail);
	/* Perhaps it keeps none. */
	return code || f.low < 1 ? code
				 : give(j, &s, ISA_GENERAL_RELEASE, f.low,
					f.high, detail);
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
