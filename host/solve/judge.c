/* Claims; see judge.h.  docs/verdicts.md lists the verdicts. */
#include "host/solve/judge.h"

#include <stdlib.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/solve/graph.h"
#include "host/solve/judging.h"
#include "host/solve/solve.h"

static int give(const struct judge *j, struct claim *c, double uncertainty)
{
	c->low_cycles *= 1 - uncertainty;
	c->high_cycles *= 1 + uncertainty;
	return j->sink->each(j->sink->context, c, j->e);
}

/* The throughput of instances that depend on each other is used only if there
 * is no other, and then as a bound. */
static int judge_dependent(const struct judge *j, const struct record *r,
			   size_t n)
{
	double uncertainty = r->estimate.uncertainty;
	struct claim c = judging_base(j, r);

	(void)judging_limits(j, r, &c);
	if (give(j, &c, uncertainty) != 0)
		return j->e->code;
	if (judging_form(j, EXPERIMENT_THROUGHPUT, r->label.form))
		return 0;
	c = judging_throughput(j, r, n, &uncertainty);
	return give(j, &c, uncertainty);
}

/* The tightest bounds from chains of the pair. */
static struct claim judge_pair(const struct judge *j, const struct record *r,
			       double *uncertainty)
{
	struct claim c = judging_chain(j, r, uncertainty);

	if (r->label.kind == EXPERIMENT_LATENCY)
		judging_carried(j, r, &c, uncertainty);
	return c;
}

static int judge_group(const struct judge *j, const struct record *r, size_t n)
{
	double uncertainty = r->estimate.uncertainty;
	const struct effect *x = effect_of_kind(r->label.kind);
	struct claim c;

	if (x)
		return x->judge(j, r, n);
	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->judges && effects[i]->judges(j, r))
			return effects[i]->judge(j, r, n);
	if (r->label.kind == EXPERIMENT_MIX ||
	    r->label.kind == EXPERIMENT_CODE ||
	    r->label.kind == EXPERIMENT_LONG) {
		c = judging_base(j, r);
		return give(j, &c, uncertainty);
	}
	if (r->label.kind == EXPERIMENT_DEPENDENT)
		return judge_dependent(j, r, n);
	c = r->label.kind == EXPERIMENT_THROUGHPUT
		    ? judging_throughput(j, r, n, &uncertainty)
		    : judge_pair(j, r, &uncertainty);
	return give(j, &c, uncertainty);
}

/* The first mixes of a run, before any throughput, only show the width of the
 * core. */
static bool shows_width(const struct judge *j, const struct record *r)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->records[i].label.kind == EXPERIMENT_THROUGHPUT &&
		    j->records[i].index < r->index)
			return false;
	return true;
}

/* Does a claim follow from a group of this kind? */
static bool makes_claim(const struct judge *j, const struct record *r)
{
	if (r->label.kind == EXPERIMENT_MIX)
		return !shows_width(j, r);
	return experiment_kind_is(r->label.kind, EXPERIMENT_CLAIMED);
}

/* Claims of effects on the core. */
static int judge_effects(const struct judge *j)
{
	int ret = 0;

	for (size_t i = 0; effects[i] && ret == 0; i++)
		if (effects[i]->judge_core)
			ret = effects[i]->judge_core(j);
	return ret;
}

int judge_records(struct arena *a, struct record *records, size_t n,
		  const struct judge_sink *sink, struct err *e)
{
	struct judge j = { .a = a,
			   .records = records,
			   .n = n,
			   .min_cycles = 1.0 / sink->max_width,
			   .sink = sink,
			   .e = e };

	if (n > 0)
		qsort(records, n, sizeof(*records), judging_compare);
	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->learn)
			effects[i]->learn(&j);
	if (judging_width(&j) != 0 || judge_effects(&j) != 0)
		return e->code;
	judging_learn_steps(&j);
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;
		int ret;

		while (end < n &&
		       judging_compare_key(&records[i], &records[end]) == 0)
			end++;
		ret = makes_claim(&j, &records[i])
			      ? judge_group(&j, &records[i], end - i)
			      : 0;
		if (ret != 0)
			return ret;
		i = end;
	}
	return graph_solve(&j);
}
