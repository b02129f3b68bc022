/* The default plan: for every measurable form the throughput of independent
 * instances, and a chain for each pair of a source and a destination that
 * share a register class. */
#include "host/plan/plan.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/branch.h"
#include "host/isa/decoding.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/isa/surround.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"
#include "host/plan/address.h"
#include "host/plan/begin.h"
#include "host/plan/cycle_parts.h"
#include "host/plan/forward.h"
#include "host/plan/graph.h"
#include "host/plan/links.h"
#include "host/plan/memory.h"
#include "host/plan/pairs.h"

struct planner {
	struct arena *a;
	const struct catalogue *c;
	unsigned what;
	const struct plan_request *request;
	struct experiment *list;
	size_t n, room;
	struct err *e;
};

static void plan_add(struct planner *p, const struct experiment *x)
{
	if (p->n == p->room) {
		p->room = p->room ? p->room * 2 : 1024;
		p->list = xrealloc(p->list, p->room, sizeof(*p->list));
	}
	p->list[p->n++] = *x;
}

static void add_to(void *context, const struct experiment *x)
{
	plan_add(context, x);
}

/* Plan an experiment whose dependencies helpers cut, with each kind of them:
 * the lowest value counts. */
static void plan_cut(struct planner *p, const struct experiment *x)
{
	struct experiment other;

	plan_add(p, x);
	if (pair_other_helpers(p->c, x, &other))
		plan_add(p, &other);
}

/* The other shapes of independent instances: a small loop, or a body of more
 * jumps than a small core has targets for. */
static void plan_shapes(struct planner *p, struct experiment *x)
{
	bool few = branch_few(p->c->isa, x->steps[0].form->name) > 0;

	x->kind = few ? EXPERIMENT_LONG : EXPERIMENT_LOOP;
	if (few || p->request->thorough)
		plan_add(p, x);
}

/* Plan independent instances.  If the form has a dependency on itself, plan
 * them also without the helpers that cut it: this is an upper bound that
 * does not depend on the cost of a helper, and the only bound if no helper
 * can cut the register. */
static void plan_throughput(struct planner *p, const struct form *f)
{
	struct experiment x = experiment_of(EXPERIMENT_THROUGHPUT, f, -1, -1);
	struct experiment alone = x;
	struct pair pair;
	bool cut = pair_independent(p->c, f, &pair) &&
		   pair_add_helpers(p->c, &pair, &x);

	if (cut)
		plan_cut(p, &x);
	if (decoding_is_long(f))
		return;
	if (cut)
		plan_shapes(p, &x);
	if (cut && pair.n_cuts == 0 && !memory_has_few_places(f) &&
	    !memory_keeps_place(p->c, f))
		return;
	alone.kind = EXPERIMENT_DEPENDENT;
	plan_add(p, &alone);
	/* The loop's own counter cuts flags once per iteration, so a core
	 * that sees several iterations executes them in parallel. */
	if (pair.n_cuts == 1 && pair.cuts[0] == BANK_FLAGS) {
		alone.kind = EXPERIMENT_LOOP;
		plan_add(p, &alone);
	}
}

static bool is_source(const struct operand *o)
{
	return o->kind == OPERAND_REG && o->read;
}

static bool is_result(const struct operand *o)
{
	return o->kind == OPERAND_REG && o->write && !o->unchained;
}

static void skip(const struct planner *p, const struct form *f, int src,
		 int dst, const char *why)
{
	if (p->request->skipped)
		p->request->skipped(p->request->context, f, src, dst, why);
}

static void skip_to(void *context, const struct form *f, int src, int dst,
		    const char *why)
{
	skip(context, f, src, dst, why);
}

/* Control and status registers are no part of a chain. */
static bool is_state(const struct planner *p, const struct operand *o)
{
	uint8_t bank = p->c->regs[o->fixed_reg].bank;

	return o->fixed_reg != REG_NONE &&
	       (bank == BANK_STATE || bank == BANK_NONE);
}

/* The same chain without the helper that cuts its flags.  It is no shorter than
 * the requested chain, but lacks the helper's cost, which exceeds the chain on
 * a core that starts one or two instructions at a time. */
static void plan_uncut(struct planner *p, const struct pair *pair,
		       const struct experiment *x)
{
	struct experiment uncut = *x;

	uncut.n_steps = experiment_measured(x);
	if (pair->n_cuts == 1 && pair->cuts[0] == BANK_FLAGS &&
	    uncut.n_steps < x->n_steps && !experiment_is_carried(p->c, x))
		plan_add(p, &uncut);
}

/* A pair whose ends cannot be one register: a latency cycle with the ISA's
 * bridges, or carriers followed by the broken control. */
static void plan_cycle(struct planner *p, const struct form *f, int src,
		       int dst)
{
	struct experiment x, longer;
	struct pair cuts;
	const char *why = graph_chain(p->c, f, src, dst, &x, &cuts);

	if (!why && !pair_add_helpers(p->c, &cuts, &x))
		why = "no helper cuts another dependency";
	if (!why) {
		plan_cut(p, &x);
		plan_uncut(p, &cuts, &x);
		if (graph_lengthen(p->c, &x, &longer))
			plan_add(p, &longer);
		x.kind = EXPERIMENT_CONTROL;
		if (experiment_is_carried(p->c, &x))
			plan_cut(p, &x);
	} else if (!is_state(p, &f->operands[src]) &&
		   !is_state(p, &f->operands[dst])) {
		skip(p, f, src, dst, why);
	}
}

/* A form that passes flags on may take as long without the chain, as rotations
 * through the carry do.  With carriers the chain is longer, and visible. */
static void plan_longer(struct planner *p, const struct form *f, int src,
			int dst)
{
	struct experiment x;
	struct pair cuts;

	if (graph_chain(p->c, f, src, dst, &x, &cuts) ||
	    !pair_add_helpers(p->c, &cuts, &x))
		return;
	plan_add(p, &x);
	x.kind = EXPERIMENT_CONTROL;
	plan_add(p, &x);
}

static void plan_pair(struct planner *p, const struct form *f, int src, int dst)
{
	struct experiment x = experiment_of(EXPERIMENT_LATENCY, f, src, dst);
	const char *never = f->variant ? f->variant->unchained : NULL;
	struct pair pair;
	uint64_t ignored = 0;

	if (!never)
		never = values_forgets(f, src);
	if (never) {
		skip(p, f, src, dst, never);
		return;
	}
	/* The result would replace the operand, or would be constant. */
	if (p->c->isa->vary && p->c->isa->vary(f, src, 0, &ignored)) {
		plan_cycle(p, f, src, dst);
		return;
	}
	if (!memory_allows(f, dst)) {
		skip(p, f, src, dst, "the result comes from memory");
		return;
	}

	enum pair_verdict verdict = pair_check(p->c, f, src, dst, &pair);

	if (verdict != PAIR_OK) {
		plan_cycle(p, f, src, dst);
		return;
	}
	if (!pair_add_helpers(p->c, &pair, &x)) {
		skip(p, f, src, dst, "no helper cuts another dependency");
		return;
	}
	plan_cut(p, &x);
	plan_uncut(p, &pair, &x);
	if (pair.n_cuts == 1 && pair.cuts[0] == BANK_FLAGS)
		plan_longer(p, f, src, dst);
	if (p->request->thorough && form_joins(p->c, f, src, dst)) {
		x.kind = EXPERIMENT_JOINT;
		plan_add(p, &x);
	}

	/* The control: the same instances, independent.  If the throughput
	 * is measured, it is the control. */
	if (p->what & PLAN_THROUGHPUT)
		return;
	x.kind = EXPERIMENT_CONTROL;
	x.n_steps = 1;
	if (pair_independent(p->c, f, &pair) &&
	    pair_add_helpers(p->c, &pair, &x))
		plan_add(p, &x);
}

static bool counts_loops(const struct planner *p, const struct operand *o)
{
	const struct reg *r = &p->c->regs[o->fixed_reg];

	return r->bank == BANK_GPR && r->index == p->c->isa->counter_flagless;
}

/* Plan whether a form that keeps flags and reads none waits for them.  One
 * flag that has chains represents all. */
static void plan_merge(struct planner *p, const struct form *f)
{
	struct experiment x = { .kind = EXPERIMENT_MERGE, .n_steps = 1 };
	struct pair pair;
	int kept = -1;

	for (int i = f->n_explicit; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		int flag = o->flag ? catalogue_flag(p->c, o->fixed_reg) : -1;

		if (counts_loops(p, o) || (o->flag && o->read))
			return;
		if (kept < 0 && o->keeps && flag >= 0 &&
		    (p->c->isa->flags->chained >> flag & 1))
			kept = i;
	}
	if (kept < 0 || f->access || form_family(f) != FAMILY_PLAIN)
		return;
	x.steps[0] = (struct experiment_step){ .form = f,
					       .src = (int16_t)kept,
					       .dst = (int16_t)kept,
					       .count = 1 };
	if (pair_check(p->c, f, kept, kept, &pair) != PAIR_OK ||
	    !pair_add_helpers(p->c, &pair, &x))
		return;
	plan_add(p, &x);
	x.kind = EXPERIMENT_CONTROL;
	pair.n_cuts = 1;
	pair.cuts[0] = BANK_FLAGS;
	if (pair_add_helpers(p->c, &pair, &x))
		plan_add(p, &x);
}

static void plan_latency(struct planner *p, const struct form *f)
{
	struct experiment brief;

	if (p->request->thorough && forward_short(p->c, f, &brief))
		plan_add(p, &brief);
	for (int src = 0; src < f->n_operands; src++) {
		if (!is_source(&f->operands[src]))
			continue;
		for (int dst = 0; dst < f->n_operands; dst++)
			if (is_result(&f->operands[dst]))
				plan_pair(p, f, src, dst);
	}

	if (!f->variant || !f->variant->unchained)
		plan_merge(p, f);
	address_experiments(
		&(struct address_request){ .catalogue = p->c,
					   .measured =
						   p->what & PLAN_THROUGHPUT,
					   .add = add_to,
					   .skip = skip_to,
					   .context = p },
		f);
}

int plan_calibrate(struct arena *a, const struct catalogue *c,
		   struct experiment **ret, size_t *ret_n, struct err *e)
{
	struct planner p = { .a = a, .c = c, .e = e };
	int code = begin_calibration(c, add_to, &p, e);

	if (code == ERR_OK) {
		*ret = arena_copy(a, p.list, p.n * sizeof(*p.list));
		*ret_n = p.n;
	}
	free(p.list);
	return code;
}

struct choice {
	const regex_t *expression;
	uint64_t families;
};

static bool is_chosen(const struct choice *q, const struct form *f)
{
	return f->status == FORM_MEASURABLE && form_chosen(f, q->families) &&
	       regexec(q->expression, f->name, 0, NULL, 0) == 0;
}

static bool is_chosen_of(const void *choice, const struct form *f)
{
	return is_chosen(choice, f);
}

/* The list so far, which may move while it grows. */
static struct experiment *copy_list(const struct planner *p)
{
	return arena_copy(p->a, p->list, p->n * sizeof(*p->list));
}

/* Plan the controls and chains that the latency cycles of the list need. */
static void plan_cycle_parts(struct planner *p)
{
	size_t n = p->n;

	links_loops(p->c, copy_list(p), n, add_to, p);
	n = p->n;
	cycle_parts(p->c, copy_list(p), n, add_to, p);
	n = p->n;
	links_controls(p->c, copy_list(p), n, add_to, p);
}

static void plan_effects(struct planner *p, const struct choice *choice,
			 enum effect_plan_time when)
{
	const struct effect_plan plan = {
		.catalogue = p->c,
		.latencies = (p->what & PLAN_LATENCY) != 0,
		.throughputs = (p->what & PLAN_THROUGHPUT) != 0,
		.thorough = p->request->thorough,
		.core_clock = p->request->core_clock,
		.is_chosen = is_chosen_of,
		.choice = choice,
		.add = add_to,
		.context = p,
	};

	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->plan && effects[i]->plan_when == when)
			effects[i]->plan(&plan);
}

static int plan_forms(struct planner *p, const struct plan_request *q)
{
	uint64_t families = q->families ? q->families : families_default();
	regex_t expression;
	size_t before;

	if (plan_expression(q->forms, &expression, p->e) != ERR_OK)
		return p->e->code;

	struct choice choice = { .expression = &expression,
				 .families = families };

	plan_effects(p, &choice, PLAN_FIRST);
	before = p->n;
	for (size_t i = 0; i < p->c->n_forms; i++) {
		const struct form *f = &p->c->forms[i];

		if (!is_chosen(&choice, f))
			continue;
		if (q->what & PLAN_THROUGHPUT)
			plan_throughput(p, f);
		if (q->what & PLAN_LATENCY)
			plan_latency(p, f);
	}
	plan_effects(p, &choice, PLAN_CONTROLS);
	if (q->what & PLAN_LATENCY)
		plan_cycle_parts(p);
	links_order(p->c, copy_list(p), p->n, add_to, p);
	plan_effects(p, &choice, PLAN_LAST);
	regfree(&expression);
	if (p->n == before)
		return plan_no_match(p->c, q->forms, p->e);
	return ERR_OK;
}

int plan_make(struct arena *a, const struct plan_request *q,
	      struct experiment **ret_experiments, size_t *ret_n, struct err *e)
{
	struct planner p = {
		.a = a, .c = q->catalogue, .what = q->what, .request = q, .e = e
	};
	int ret = begin_calibration(p.c, add_to, &p, e);

	if (ret == ERR_OK && (q->what & PLAN_THROUGHPUT))
		begin_width(p.c, add_to, &p);
	if (ret == ERR_OK)
		ret = plan_forms(&p, q);
	if (ret == ERR_OK) {
		*ret_experiments = arena_copy(a, p.list, p.n * sizeof(*p.list));
		*ret_n = p.n;
	}
	free(p.list);
	return ret;
}
