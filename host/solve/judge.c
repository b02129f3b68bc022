/* Claims; see judge.h.  docs/method.md lists the verdicts. */
#include "host/solve/judge.h"

#include <stdlib.h>
#include <string.h>

#include "host/solve/graph.h"
#include "host/solve/judging.h"
#include "host/solve/solve.h"

/* Measured values may be this far below a true bound: the distance of visits
 * that agree. */
static const double bound_slack = 0.02;

/* A slowed calibration makes a visit look this much faster at most (METHOD). */
static const double slowed = 0.04;

static const char *const state_verdicts[] = {
	[ESTIMATE_OK] = "ok",
	[ESTIMATE_TWO_STATES] = "two-states",
	[ESTIMATE_UNSTABLE] = "unstable",
	[ESTIMATE_NOISY] = "noisy",
	[ESTIMATE_NOT_LINEAR] = "not-linear",
	[ESTIMATE_IMPLAUSIBLE] = "implausible",
	[ESTIMATE_MISSING] = "missing",
	[ESTIMATE_BAD_DATA] = "bad-data",
	[ESTIMATE_INTERFERENCE] = "company",
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
	[ESTIMATE_INTERFERENCE] =
		"every sample retired other instructions than the kernel's",
	[ESTIMATE_NO_CALIBRATION] = "calibration chains missing or at odds",
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

static int judge_compare(const void *a, const void *b)
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
static const struct record *judge_find(const struct judge *j,
				       const struct record *key)
{
	size_t at = lower_bound(j, key);

	return at < j->n && compare_key(&j->records[at], key) == 0
		       ? &j->records[at]
		       : NULL;
}

/* No line: the slopes of the halves, or what whole iterations cost. */
static void bound_bent(const struct judge *j, const struct record *r,
		       struct claim *c)
{
	const struct estimate *m = &r->estimate;

	if (m->has_value) {
		c->detail = arena_printf(
			j->a,
			"%s, on the same side in every visit; low and high "
			"are the slopes of the two halves",
			c->detail);
		return;
	}
	if (m->bound <= 0)
		return;
	c->has_value = true;
	/* A form that is faster than the width disproves it. */
	c->low_cycles = m->bound < j->min_cycles ? 1.0 / j->sink->max_width
						 : j->min_cycles;
	/* A renamer may leave nothing to wait for. */
	if (experiment_kind_is(r->label.kind, EXPERIMENT_TIMES_CHAIN) &&
	    m->bound < 1)
		c->low_cycles = 0;
	c->high_cycles = m->bound;
	c->detail = arena_printf(j->a, "%s; whole iterations cost %.4g an op",
				 c->detail, m->bound);
}

struct claim judging_base(const struct judge *j, const struct record *r)
{
	const struct estimate *m = &r->estimate;
	double least = 1.0 / j->sink->max_width;
	struct claim c = {
		.form = r->label.form,
		.kind = experiment_claim_word(r->label.kind),
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
	if (m->state == ESTIMATE_TWO_STATES && m->low_share > 0)
		c.detail =
			arena_printf(j->a,
				     "%s; %.0f %% of the visits at one of the "
				     "two speeds are at %.4g cycles",
				     c.detail, 100 * m->low_share, m->low);
	if (m->close)
		c.detail = arena_printf(j->a,
					"the lengths lie too close together: "
					"off by up to %.2g %%",
					100 * m->uncertainty);
	if (m->state == ESTIMATE_NOT_LINEAR)
		bound_bent(j, r, &c);
	if (r->fault) {
		c.has_value = false;
		c.verdict = arena_printf(j->a, "fault:%s", r->fault);
		c.detail = "the kernel was stopped by a fault";
	} else if (m->has_value && m->low < least * (1 - bound_slack)) {
		c.has_value = false;
		c.verdict = state_verdicts[ESTIMATE_IMPLAUSIBLE];
		c.detail = arena_printf(j->a,
					"%.4g cycles, but no core issues an "
					"instruction in less than %.4g",
					m->low, least);
	}
	return c;
}

bool judging_is_ok(const struct claim *c)
{
	return strcmp(c->verdict, state_verdicts[ESTIMATE_OK]) == 0;
}

bool judging_is_usable(const struct record *r)
{
	return r && !r->fault && r->estimate.has_value;
}

double judging_most(const struct record *r)
{
	return r->fault ? 0 : r->estimate.bound * (1 + slowed);
}

const struct record *judging_form(const struct judge *j,
				  enum experiment_kind kind, const char *form)
{
	struct record key = { .label = { .kind = kind,
					 .form = form,
					 .source = "",
					 .destination = "" } };

	return judge_find(j, &key);
}

const struct record *judging_twin(const struct judge *j, const struct record *r,
				  enum experiment_kind kind)
{
	struct record key = *r;

	key.label.kind = kind;
	return judge_find(j, &key);
}

/* Is x the better record of the two?  The one that has a value; if both have one,
 * the lower one; if only one is settled, it is better unless the other is lower for
 * certain. */
static bool is_better(const struct record *x, const struct record *y)
{
	const struct estimate *a = &x->estimate, *b = &y->estimate;
	bool settled = a->state == ESTIMATE_OK;

	if (!judging_is_usable(x) || !judging_is_usable(y))
		return judging_is_usable(x) && !judging_is_usable(y);
	if (settled == (b->state == ESTIMATE_OK))
		return a->high < b->high;
	return settled ? a->low * (1 - bound_slack) <= b->high
		       : a->high < b->low * (1 - bound_slack);
}

/* The best of records with as many helpers, sorted; the first of several. */
static const struct record *judge_lowest(const struct record *r, size_t n)
{
	const struct record *best = r;

	for (size_t i = 1; i < n; i++)
		if (is_better(&r[i], best))
			best = &r[i];
	return best;
}

const struct record *judging_cut(const struct record *r, size_t n)
{
	size_t first = n - 1;

	while (first > 0 &&
	       r[first - 1].label.n_helpers == r[n - 1].label.n_helpers)
		first--;
	return judge_lowest(r + first, n - first);
}

bool judging_is_worse(const struct judge *j, const struct record *r)
{
	const struct record *first = r, *end = r + 1;

	while (first > j->records && compare_key(first - 1, r) == 0 &&
	       first[-1].label.n_helpers == r->label.n_helpers)
		first--;
	while (end < j->records + j->n && compare_key(r, end) == 0 &&
	       end->label.n_helpers == r->label.n_helpers)
		end++;
	return judge_lowest(first, (size_t)(end - first)) != r;
}

static bool has_same_helpers(const struct label *x, const struct label *y)
{
	if (x->n_helpers != y->n_helpers)
		return false;
	for (size_t i = 0; i < x->n_helpers; i++)
		if (strcmp(x->helpers[i].form, y->helpers[i].form) != 0)
			return false;
	return true;
}

const struct record *judging_alike(const struct judge *j,
				   const struct record *first,
				   const struct record *r)
{
	const struct record *end = j->records + j->n;

	for (const struct record *x = first; x && x < end; x++) {
		if (compare_key(x, first) != 0)
			break;
		if (has_same_helpers(&x->label, &r->label) &&
		    judging_is_usable(x))
			return x;
	}
	return first;
}

bool judging_is_uncut(const struct judge *j, const struct record *r)
{
	return r + 1 < j->records + j->n && compare_key(r, r + 1) == 0 &&
	       r[1].label.n_helpers > r->label.n_helpers;
}

size_t judging_all(const struct judge *j, const char *form,
		   const struct record **ret_first)
{
	/* Latencies sort first, and the absent operand sorts before all
	 * others. */
	struct record key = { .label = { .kind = EXPERIMENT_LATENCY,
					 .form = form,
					 .source = "",
					 .destination = "" } };
	size_t at = lower_bound(j, &key), end = at;

	while (end < j->n && strcmp(j->records[end].label.form, form) == 0)
		end++;
	*ret_first = j->records + at;
	return end - at;
}

size_t judging_headed(const struct judge *j, const char *form,
		      const struct record **ret_first)
{
	const char *head = arena_printf(j->a, "%s@", form);
	const size_t n = strlen(head);
	struct record key = { .label = { .kind = EXPERIMENT_LATENCY,
					 .form = head,
					 .source = "",
					 .destination = "" } };
	size_t at = lower_bound(j, &key), end = at;

	while (end < j->n && strncmp(j->records[end].label.form, head, n) == 0)
		end++;
	*ret_first = j->records + at;
	return end - at;
}

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

	judging_decoding(j, &c);
	if (give(j, &c, uncertainty) != 0)
		return j->e->code;
	if (judging_form(j, EXPERIMENT_THROUGHPUT, r->label.form))
		return 0;
	c = judging_throughput(j, r, n, &uncertainty);
	return give(j, &c, uncertainty);
}

/* Records of the same key, from the first of them on. */
static size_t count_alike(const struct judge *j, const struct record *r)
{
	size_t n = 1;

	while (r + n < j->records + j->n && compare_key(r, r + n) == 0)
		n++;
	return n;
}

/* A chain whose flags a helper cuts, and the same chain without: more
 * dependencies never take less time, so if the chain with the helper is hidden,
 * this is a tighter bound. */
struct claim judging_chain(const struct judge *j, const struct record *r,
			   double *uncertainty)
{
	const struct record *cut = judging_cut(r, count_alike(j, r));
	struct claim c = judging_latency(j, cut, uncertainty);
	double high = r->estimate.high;

	if (cut->label.n_helpers == r->label.n_helpers ||
	    !judging_is_usable(r) || !c.has_value ||
	    strcmp(c.verdict, "throughput-bound") != 0 ||
	    high >= c.high_cycles * (1 - bound_slack))
		return c;
	*uncertainty = r->estimate.uncertainty;
	c.high_cycles = high;
	c.detail = arena_printf(j->a, "%s; without its helper %.4g", c.detail,
				high);
	if (c.low_cycles >= high * (1 - bound_slack)) {
		c.low_cycles = high;
		c.verdict = state_verdicts[ESTIMATE_OK];
	}
	return c;
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
	struct claim c;

	if (judging_is_slots(j, r))
		return judging_slots(j, r);
	if (r->label.kind == EXPERIMENT_MIX ||
	    r->label.kind == EXPERIMENT_LONG) {
		c = judging_base(j, r);
		return give(j, &c, uncertainty);
	}
	if (r->label.kind == EXPERIMENT_DEPENDENT)
		return judge_dependent(j, r, n);
	if (r->label.kind == EXPERIMENT_FORWARD)
		return judging_forward(j, r);
	if (r->label.kind == EXPERIMENT_WRITTEN)
		return judging_written(j, r);
	if (r->label.kind == EXPERIMENT_QUEUE)
		return judging_queue(j, r);
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
		qsort(records, n, sizeof(*records), judge_compare);
	j.in_order = judging_in_order(&j);
	if (judging_width(&j) != 0 || judging_short_loops(&j) != 0 ||
	    judging_windows(&j) != 0 || judging_order(&j) != 0)
		return e->code;
	for (size_t i = 0; i < n;) {
		size_t end = i + 1;
		int ret;

		while (end < n && compare_key(&records[i], &records[end]) == 0)
			end++;
		ret = makes_claim(&j, &records[i])
			      ? judge_group(&j, &records[i], end - i)
			      : 0;
		if (ret != 0)
			return ret;
		i = end;
	}
	if (graph_solve(a, records, n, sink, e) != 0)
		return e->code;
	return ERR_OK;
}
