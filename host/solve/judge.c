/* Claims; see judge.h.  docs/method.md lists the verdicts. */
#include "host/solve/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/solve/graph.h"
#include "host/solve/solve.h"

/* What a broken chain without a straight line may be off by. */
static const double rough_margin = 0.25;
/* A chain must cost this much more than its broken twin to show. */
static const double shows = 0.03;
/* One cycle, measured. */
static const double one = 0.005;
/* Faster than any execution: the renamer has done the work. */
static const double eliminated = 0.9;
/* Chains through so few registers would make no other throughput. */
static const double register_bound = 0.05;
/* Measured values may lie this far below a true bound. */
static const double bound_slack = 0.02;

static const char *const state_verdicts[] = {
	[ESTIMATE_OK] = "ok",
	[ESTIMATE_TWO_STATES] = "two-states",
	[ESTIMATE_UNSTABLE] = "unstable",
	[ESTIMATE_NOISY] = "noisy",
	[ESTIMATE_NOT_LINEAR] = "not-linear",
	[ESTIMATE_IMPLAUSIBLE] = "implausible",
	[ESTIMATE_MISSING] = "missing",
	[ESTIMATE_BAD_DATA] = "bad-data",
	[ESTIMATE_COMPANY] = "company",
	[ESTIMATE_NO_CALIBRATION] = "no-calibration",
};

static const char *const state_details[] = {
	[ESTIMATE_OK] = "visits agree",
	[ESTIMATE_TWO_STATES] = "the kernel runs at two speeds",
	[ESTIMATE_UNSTABLE] = "visits disagree without a pattern",
	[ESTIMATE_NOISY] = "too few undisturbed visits",
	[ESTIMATE_NOT_LINEAR] = "the middle length lies off the line",
	[ESTIMATE_IMPLAUSIBLE] = "longer kernels took no longer",
	[ESTIMATE_MISSING] = "no samples arrived",
	[ESTIMATE_BAD_DATA] = "samples or unroll lengths that cannot be",
	[ESTIMATE_COMPANY] = "every sample retired other instructions than "
			     "the kernel's",
	[ESTIMATE_NO_CALIBRATION] = "calibration chains missing or at odds",
};

struct judge {
	struct arena *a;
	const struct record *records;
	size_t n;
	double min_cycles;
	const struct judge_sink *sink;
	struct err *e;
};

/* Order of store_claims(): form, kind, source, destination.  The words
 * "latency" and "throughput" sort as their kinds do; helpers come last, so
 * that the first of a group is the plain experiment. */
static int compare_key(const struct record *x, const struct record *y)
{
	const int orders[] = {
		strcmp(x->label.form, y->label.form),
		(int)x->label.kind - (int)y->label.kind,
		strcmp(x->label.source, y->label.source),
		strcmp(x->label.destination, y->label.destination),
	};

	for (size_t i = 0; i < ARRAY_LEN(orders); i++)
		if (orders[i] != 0)
			return orders[i];
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int key = compare_key(x, y);

	if (key != 0)
		return key;
	if (x->label.n_helpers != y->label.n_helpers)
		return x->label.n_helpers < y->label.n_helpers ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Index of the first record that is not below a key. */
static size_t lower_bound(const struct judge *j, const struct record *key)
{
	size_t low = 0, high = j->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_key(&j->records[mid], key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* First record of a key, NULL if there is none. */
static const struct record *find(const struct judge *j,
				 const struct record *key)
{
	size_t at = lower_bound(j, key);

	return at < j->n && compare_key(&j->records[at], key) == 0
		       ? &j->records[at]
		       : NULL;
}

const struct record *judge_find(const struct record *records, size_t n,
				const struct label *label)
{
	struct judge j = { .records = records, .n = n };
	struct record key = { .label = *label };

	if (!key.label.source)
		key.label.source = "";
	if (!key.label.destination)
		key.label.destination = "";
	return find(&j, &key);
}

/* What the record says by itself. */
static struct claim base_claim(const struct judge *j, const struct record *r)
{
	const struct estimate *m = &r->estimate;
	struct claim c = {
		.form = r->label.form,
		.kind = r->label.kind == LABEL_LATENCY ? "latency"
						       : "throughput",
		.source = r->label.source,
		.destination = r->label.destination,
		.has_value = m->has_value,
		.low_cycles = m->low,
		.high_cycles = m->high,
		.residual = m->residual,
		.visits = m->visits,
		.verdict = state_verdicts[m->state],
		.label = r->text,
		.kernel = r->index,
		.solver_version = SOLVER_VERSION,
	};

	c.detail =
		arena_printf(j->a, "%s; %u of %u visits clean",
			     state_details[m->state], m->visits, m->n_visits);
	if (r->fault) {
		c.has_value = false;
		c.verdict = arena_printf(j->a, "fault:%s", r->fault);
		c.detail = "the kernel was stopped by a fault";
	} else if (m->has_value && m->low < j->min_cycles * (1 - bound_slack)) {
		c.has_value = false;
		c.verdict = state_verdicts[ESTIMATE_IMPLAUSIBLE];
		c.detail = arena_printf(j->a,
					"%.4g cycles, but no core issues an "
					"instruction in less than %.4g",
					m->low, j->min_cycles);
	}
	return c;
}

static bool is_ok(const struct claim *c)
{
	return strcmp(c->verdict, state_verdicts[ESTIMATE_OK]) == 0;
}

/* The chain costs no more than its instances without it: what was measured is
 * the throughput, and the latency lies anywhere below. */
static void hidden_chain(const struct judge *j, double control, struct claim *c)
{
	double value = c->high_cycles;

	c->detail = arena_printf(j->a,
				 "chain %.4g, broken chain %.4g: the chain "
				 "does not show",
				 value, control);
	if (fabs(value - 1) <= one) {
		/* One instruction per cycle: between 1 and 1. */
		c->low_cycles = c->high_cycles = 1;
	} else if (value < eliminated) {
		c->verdict = "eliminated";
	} else {
		c->verdict = "throughput-bound";
		c->low_cycles = fmin(1, value);
	}
}

/* A record of the form as a whole: its throughput, say. */
static const struct record *find_form(const struct judge *j,
				      enum label_kind kind, const char *form)
{
	struct record key = { .label = { .kind = kind,
					 .form = form,
					 .source = "",
					 .destination = "" } };

	return find(j, &key);
}

static bool is_usable(const struct record *r)
{
	return r && !r->fault && r->estimate.has_value;
}

/* The chain's instances without the chain: its own twin, or else what the
 * throughput was measured with, which is the same kernel. */
static const struct record *broken_chain(const struct judge *j,
					 const struct record *r)
{
	struct record key = *r;
	const struct record *twin;

	key.label.kind = LABEL_CONTROL;
	twin = find(j, &key);
	if (!twin)
		twin = find_form(j, LABEL_THROUGHPUT, r->label.form);
	return is_usable(twin) || (twin && !twin->fault &&
				   twin->estimate.rough > 0)
		       ? twin
		       : NULL;
}

/* No more can be said of the chain than what it cost. */
static void without_control(const struct judge *j, struct claim *c)
{
	if (!is_ok(c))
		return;
	c->verdict = "no-control";
	c->detail = arena_printf(j->a, "%s; no broken chain to compare with",
				 c->detail);
}

static void check_control(const struct judge *j, const struct record *r,
			  struct claim *c)
{
	const struct record *twin = broken_chain(j, r);

	/* A circle's sum stands as measured; its parts are judged apart. */
	if (graph_is_circle(&r->label))
		return;
	if (!twin) {
		without_control(j, c);
		return;
	}

	bool straight = is_usable(twin);
	double control = straight ? twin->estimate.high
				  : twin->estimate.rough * (1 + rough_margin);

	if (c->low_cycles > control * (1 + shows))
		c->detail =
			arena_printf(j->a, "%s; broken chain %s%.4g", c->detail,
				     straight ? "" : "below ", control);
	else if (!straight)
		without_control(j, c);
	else if (is_ok(c))
		hidden_chain(j, control, c);
}

/* Throughput of a helper by its own claim in this run; 0 if unknown. */
static double helper_cost(const struct judge *j, const char *form)
{
	const struct record *r = find_form(j, LABEL_THROUGHPUT, form);

	if (!r || r->label.n_helpers > 0)
		return 0;

	struct claim c = base_claim(j, r);

	return c.has_value ? c.high_cycles : 0;
}

/* The mix costs at least the form alone, and at most form and helpers one
 * after the other.  Helpers of unknown cost bound nothing from below. */
static void subtract_helpers(const struct judge *j, const struct record *r,
			     struct claim *c)
{
	const struct label *l = &r->label;
	double cost = 0;
	bool known = true;

	for (size_t i = 0; i < l->n_helpers; i++) {
		double one_helper = helper_cost(j, l->helpers[i].form);

		known = known && one_helper > 0;
		/* A body has ops_per_body ops and each helper once per op. */
		cost += l->helpers[i].count * one_helper;
	}
	c->low_cycles = known ? fmax(c->low_cycles - cost, 0) : 0;
	c->low_cycles = fmax(c->low_cycles, j->min_cycles);
	c->low_cycles = fmin(c->low_cycles, c->high_cycles);
	c->detail = arena_printf(j->a, "%s; helpers cost up to %.4g%s",
				 c->detail, cost, known ? "" : " and more");
	if (is_ok(c))
		c->verdict = "helper";
}

/* A chain with a control of its own runs through what independent instances
 * leave alone, such as an address. */
static bool has_own_control(const struct judge *j, const struct record *r)
{
	struct record key = *r;

	key.label.kind = LABEL_CONTROL;
	return find(j, &key) != NULL;
}

/* The largest latency the run has of a form, over which independent instances
 * may come to wait for their registers; 0 if none is known. */
static double longest_latency(const struct judge *j, const char *form)
{
	/* Latencies sort first, and nothing sorts below no operand. */
	struct record key = { .label = { .kind = LABEL_LATENCY,
					 .form = form,
					 .source = "",
					 .destination = "" } };
	double longest = 0;

	for (size_t i = lower_bound(j, &key);
	     i < j->n && strcmp(j->records[i].label.form, form) == 0; i++) {
		const struct record *r = &j->records[i];

		if (r->label.kind == LABEL_LATENCY && is_usable(r) &&
		    !has_own_control(j, r))
			longest = fmax(longest, r->estimate.high);
	}
	return longest;
}

/* With too few registers to rotate through, instances wait for their own
 * results, and latency over registers is what was measured. */
static void check_registers(const struct judge *j, const struct record *r,
			    struct claim *c)
{
	double latency = longest_latency(j, c->form);

	if (r->chains == 0 ||
	    c->high_cycles * r->chains > latency * (1 + register_bound))
		return;
	c->low_cycles = j->min_cycles;
	c->verdict = "register-bound";
	c->detail = arena_printf(j->a,
				 "%s; latency %.4g over %u registers is as "
				 "much",
				 c->detail, latency, r->chains);
}

/* Instances that wait for each other take at least as long as independent
 * ones: an upper bound without any helper in it. */
static void bound_by_dependent(const struct judge *j, struct claim *c)
{
	const struct record *r = find_form(j, LABEL_DEPENDENT, c->form);

	if (!is_usable(r) || !c->has_value ||
	    r->estimate.high >= c->high_cycles)
		return;
	c->high_cycles = r->estimate.high;
	c->low_cycles = fmin(c->low_cycles, c->high_cycles);
	c->detail = arena_printf(j->a, "%s; without helpers %.4g", c->detail,
				 c->high_cycles);
	if (c->high_cycles - c->low_cycles <= one * c->high_cycles) {
		c->low_cycles = c->high_cycles;
		c->verdict = state_verdicts[ESTIMATE_OK];
	}
}

/* A dependency that nothing cuts: the value is an upper bound. */
static void only_dependent(const struct judge *j, struct claim *c)
{
	c->low_cycles = j->min_cycles;
	c->detail = arena_printf(j->a, "%s; no helper cuts the dependency",
				 c->detail);
	if (is_ok(c))
		c->verdict = "dependent";
}

static struct claim judge_one(const struct judge *j, const struct record *r)
{
	struct claim c = base_claim(j, r);

	if (!c.has_value)
		return c;
	if (r->label.kind == LABEL_LATENCY) {
		check_control(j, r, &c);
		return c;
	}
	if (r->label.kind == LABEL_DEPENDENT)
		only_dependent(j, &c);
	else if (r->label.n_helpers > 0)
		subtract_helpers(j, r, &c);
	check_registers(j, r, &c);
	return c;
}

/* Of several experiments on one thing: a value over none, then a settled one
 * over an unsettled, then the lowest upper bound. */
static bool is_better(const struct claim *x, const struct claim *y)
{
	static const char *const settled[] = { "ok", "helper" };
	bool sx = false, sy = false;

	if (x->has_value != y->has_value)
		return x->has_value;
	if (!x->has_value)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(settled); i++) {
		sx |= strcmp(x->verdict, settled[i]) == 0;
		sy |= strcmp(y->verdict, settled[i]) == 0;
	}
	return sx != sy ? sx : x->high_cycles < y->high_cycles;
}

static int judge_group(const struct judge *j, size_t first, size_t end)
{
	struct claim best = judge_one(j, &j->records[first]);
	double uncertainty = j->records[first].estimate.uncertainty;

	for (size_t i = first + 1; i < end; i++) {
		struct claim c = judge_one(j, &j->records[i]);

		if (!is_better(&c, &best))
			continue;
		best = c;
		uncertainty = j->records[i].estimate.uncertainty;
	}
	if (j->records[first].label.kind == LABEL_THROUGHPUT)
		bound_by_dependent(j, &best);
	best.low_cycles *= 1 - uncertainty;
	best.high_cycles *= 1 + uncertainty;
	return j->sink->each(j->sink->context, &best, j->e);
}

/* Does a claim follow from a group of this kind? */
static bool makes_claim(const struct judge *j, const struct record *r)
{
	if (r->label.kind == LABEL_DEPENDENT)
		return !find_form(j, LABEL_THROUGHPUT, r->label.form);
	return r->label.kind == LABEL_LATENCY ||
	       r->label.kind == LABEL_THROUGHPUT;
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
		qsort(records, n, sizeof(*records), compare);
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;
		int ret;

		while (end < n && compare_key(&records[i], &records[end]) == 0)
			end++;
		ret = makes_claim(&j, &records[i]) ? judge_group(&j, i, end)
						   : 0;
		if (ret != 0)
			return ret;
		i = end;
	}
	if (graph_solve(a, records, n, sink, e) != 0)
		return e->code;
	return ERR_OK;
}
