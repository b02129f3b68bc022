/* Intervals of the parts of latency cycles; see graph.h. */
#include "host/solve/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/solve/graph_bounds.h"
#include "host/solve/judging.h"
#include "host/solve/solve.h"

/* Bounds this close to a whole number are that: each is a sum of values 0.5 %
 * off. */
static const double settled = 0.05;
/* Bounds this close, as a part of the lower one, are one value: their middle is
 * known to a percent. */
static const double known = 0.02;

static int compare_text(const void *a, const void *b)
{
	const struct graph_part *x = a, *y = b;

	return strcmp(x->part->text, y->part->text);
}

static size_t find_part(const struct graph *g, const struct label_part *part)
{
	const struct graph_part key = { .part = part };
	const struct graph_part *found =
		bsearch(&key, g->parts, g->n_parts, sizeof(key), compare_text);

	return (size_t)(found - g->parts);
}

/* All parts, sorted, each once. */
static void list_parts(struct graph *g)
{
	size_t n = 0, kept = 0;

	g->parts = ARENA_ARRAY(g->j->a, struct graph_part,
			       g->n_cycles * GRAPH_MAX_PARTS + 1);
	for (size_t i = 0; i < g->n_cycles; i++) {
		const struct label *l = &g->cycles[i].record->label;

		for (size_t p = 0; p < l->n_parts; p++)
			g->parts[n++] =
				(struct graph_part){ .part = &l->parts[p],
						     .high = INFINITY };
	}
	qsort(g->parts, n, sizeof(*g->parts), compare_text);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 ||
		    compare_text(&g->parts[kept - 1], &g->parts[i]) != 0)
			g->parts[kept++] = g->parts[i];
	g->n_parts = kept;
	for (size_t i = 0; i < kept; i++)
		g->parts[i].low =
			graph_least_part(g->j, g->parts[i].part->form);
}

/* Does the sum cost more than its parts would if they were independent, and
 * more than a chain of one part through an operand outside the latency cycle?
 * If not, the parts may not form a cycle.  False if a throughput that this
 * needs is not known. */
static bool cycle_shows(const struct graph *g, const struct latency_cycle *c)
{
	size_t hidden;

	return (c->low > graph_alone(g->j, c->record) * (1 + judging_shows) ||
		graph_is_apart(g->j, c->record)) &&
	       graph_links_show(g->j, c->record, &hidden);
}

/* A sum that does not show is only an upper bound, whole or not. */
static void set_shape(const struct graph *g, struct latency_cycle *c)
{
	const struct estimate *e = &c->record->estimate;

	c->shown = !judging_is_uncut(g->j, c->record) && cycle_shows(g, c);
	c->mixed = c->shown && e->has_value &&
		   judging_is_fraction(e->high, e->uncertainty * e->high);
}

/* Of several latency cycles of a head, one that shows says most about it. */
static void prefer_shown(struct graph *g)
{
	for (size_t i = 0; i < g->n_cycles; i++) {
		const struct latency_cycle *c = &g->cycles[i];
		struct graph_part *p = &g->parts[c->parts[0]];

		if (!c->shown || !c->closed || g->cycles[p->cycle].shown)
			continue;
		p->head = c->record;
		p->cycle = i;
	}
}

/* The part of a sum that has a chain of its own is what that costs. */
static void bound_by_itself(const struct judge *j, struct graph_part *p)
{
	const struct record *r = judging_own(j, p->part);
	bool eliminated;
	struct claim c;
	double u;

	if (!r)
		return;
	p->chained = true;
	c = judging_chain(j, r, &u);
	eliminated = c.verdict == VERDICT_ELIMINATED;
	p->low = 0; /* a renamer may take it away */
	if (!c.has_value || (!eliminated && !judging_is_ok(&c) &&
			     c.verdict != VERDICT_THROUGHPUT_BOUND))
		return;
	if (!eliminated)
		p->low = c.low_cycles * (1 - u);
	p->high = c.high_cycles * (1 + u);
}

/* Lower bound of a closed latency cycle's sum: for each part the value from its
 * own chain, or one cycle. */
static double least_sum(const struct graph *g, const struct latency_cycle *c)
{
	double sum = 0;

	for (size_t p = 0; p < c->n; p++)
		sum += g->parts[c->parts[p]].low;
	return fmax(sum, graph_least(g->j, &c->record->label));
}

static void list_cycles(struct graph *g)
{
	const struct judge *j = g->j;

	g->cycles = ARENA_ARRAY(j->a, struct latency_cycle, j->n + 1);
	for (size_t i = 0; i < j->n; i++) {
		const struct record *r = &j->records[i];
		double u = r->estimate.uncertainty;

		if (!label_is_cycle(&r->label) || judging_is_worse(j, r) ||
		    r->label.n_parts > GRAPH_MAX_PARTS)
			continue;
		g->cycles[g->n_cycles++] = (struct latency_cycle){
			.record = r,
			.low = r->estimate.low * (1 - u),
			.high = r->estimate.high * (1 + u),
		};
	}
	list_parts(g);
	for (size_t i = 0; i < g->n_parts; i++)
		bound_by_itself(j, &g->parts[i]);
	for (size_t i = 0; i < g->n_cycles; i++) {
		struct latency_cycle *c = &g->cycles[i];

		c->n = c->record->label.n_parts;
		for (size_t p = 0; p < c->n; p++)
			c->parts[p] = find_part(g, &c->record->label.parts[p]);
		c->closed = graph_closes(c->high, least_sum(g, c));
		if (!c->closed && c->record->estimate.has_value &&
		    c->n > g->parts[c->parts[0]].n_open) {
			g->parts[c->parts[0]].open = c->record;
			g->parts[c->parts[0]].n_open = c->n;
		}
		/* A closed latency cycle bounds its head more closely. */
		if (!g->parts[c->parts[0]].head || c->closed) {
			g->parts[c->parts[0]].head = c->record;
			g->parts[c->parts[0]].cycle = i;
			g->parts[c->parts[0]].closed = c->closed;
		}
	}
}

/* The head's sum may be left out, and another of its sums not. */
static void prefer_believed(struct graph *g)
{
	for (size_t i = 0; i < g->n_cycles; i++) {
		const struct latency_cycle *c = &g->cycles[i];
		struct graph_part *p = &g->parts[c->parts[0]];

		if (!c->closed || c->left_out ||
		    (!g->cycles[p->cycle].left_out &&
		     (!c->shown || g->cycles[p->cycle].shown)))
			continue;
		p->head = c->record;
		p->cycle = i;
	}
}

/* Bounds of the head of a latency cycle whose sum is a mean: its value if no
 * other latency cycle bounds the head; if the others' bound is too low to
 * explain this sum, the upper end.  The bounds of no other part change. */
static bool take_mean(const struct graph *g, struct graph_part *p)
{
	const struct latency_cycle *c = &g->cycles[p->cycle];
	double low, high;

	if (!c->mixed || !c->closed || p->contradicted)
		return false;
	graph_leave(g, c, 0, &low, &high);
	high = fmax(high, p->low);
	if (isfinite(p->high) && low <= p->high * (1 + contradiction))
		return false;
	if (!isfinite(p->high))
		p->low = fmin(fmax(low, p->low), high);
	p->high = high;
	return true;
}

/* The verdict from the bounds.  A sum does not show which part of a mixture
 * changes from round to round. */
static void set_bounds(struct graph *g, const struct graph_part *p, bool mean,
		       struct claim *c)
{
	const struct record *r = p->head;
	double half = (p->high - p->low) / 2;

	c->detail = arena_printf(
		g->j->a, "part of %s = %.4g%s", r->label.form, r->estimate.high,
		mean ? ", a mean: no whole number of cycles" : "");
	if (p->high - p->low > known * p->low)
		c->verdict = VERDICT_CIRCLE;
	else if (mean || judging_is_fraction(p->low + half, half))
		c->verdict = VERDICT_MIXTURE;
	else
		c->verdict = p->high < judging_eliminated ? VERDICT_ELIMINATED
							  : VERDICT_OK;
	/* A result in a register that the chain needs a carrier for may not
	 * depend on the source at all; the bound of one cycle holds only if it
	 * does.  Two operands of one form are exempt. */
	if (graph_is_carried(g->j->sink->carriers, &r->label) &&
	    !g->cycles[p->cycle].shown &&
	    !(p->high <= graph_least_part(g->j, p->part->form) &&
	      label_is_operand(c->source) &&
	      label_is_operand(c->destination))) {
		c->verdict = VERDICT_THROUGHPUT_BOUND;
		c->detail = arena_printf(g->j->a, "%s; the chain does not show",
					 c->detail);
	}
}

/* A part has no value for the reason that its latency cycle has none. */
static void set_reason(const struct graph *g, const struct record *r,
		       struct claim *c)
{
	struct claim whole = judging_base(g->j, r);

	c->has_value = false;
	c->verdict = whole.verdict;
	c->verdict_text = whole.verdict_text;
	c->detail = arena_printf(g->j->a, "part of %s, without a value: %s",
				 r->label.form, whole.detail);
}

/* The latency cycle that shows that the part is not in a chain: its head's, or
 * a longer one if the head's could be throughput.  NULL: none. */
static const struct record *open_cycle(const struct graph *g,
				       const struct graph_part *p)
{
	const struct latency_cycle *c = &g->cycles[p->cycle];

	if (!p->head->estimate.has_value)
		return NULL;
	if (!p->closed)
		return p->open;
	return !c->shown && p->n_open > c->n ? p->open : NULL;
}

static void set_value(struct graph *g, struct graph_part *p, struct claim *c)
{
	const struct record *open = open_cycle(g, p);
	bool mean = take_mean(g, p);
	const struct record *r = p->head;
	double least = graph_least_part(g->j, p->part->form);

	c->has_value = isfinite(p->high);
	/* A whole number of cycles, one at least: no more than that either. */
	if (!mean && p->high - p->low <= settled && p->low <= least &&
	    p->high >= least && least > 0)
		p->low = p->high = least;
	c->low_cycles = p->low;
	c->high_cycles = p->high;
	if (r->fault) {
		c->has_value = false;
		claim_set_fault(c, g->j->a, r->fault);
		c->detail = "the latency cycle was stopped by a fault";
	} else if (open) {
		c->has_value = false;
		c->verdict = VERDICT_NO_CHAIN;
		c->detail = arena_printf(g->j->a,
					 "%s = %.4g, less than its parts can "
					 "be: not every instance waits",
					 open->label.form, open->estimate.high);
	} else if (g->cycles[p->cycle].left_out) {
		c->has_value = false;
		c->verdict = VERDICT_CONTRADICTION;
		c->detail = arena_printf(g->j->a,
					 "%s = %.4g contradicts sums of "
					 "other latency cycles",
					 r->label.form, r->estimate.high);
	} else if (!c->has_value || !r->estimate.has_value) {
		set_reason(g, r, c);
	} else if (p->contradicted) {
		c->has_value = false;
		c->verdict = VERDICT_CONTRADICTION;
		c->detail = arena_printf(
			g->j->a, "latency cycles disagree beyond %.4g..%.4g",
			p->low, p->high);
	} else {
		set_bounds(g, p, mean, c);
	}
}

static int claim_part(struct graph *g, const struct graph_part *shared)
{
	struct graph_part copy = *shared, *p = &copy;
	struct claim c = {
		.kind = "latency",
		.form = p->part->form,
		.source = p->part->source,
		.destination = p->part->destination,
		.residual = p->head->estimate.residual,
		.visits = p->head->estimate.visits,
		.label = p->head->text,
		.kernel = p->head->index,
		.solver_version = SOLVER_VERSION,
	};

	set_value(g, p, &c);
	return g->j->sink->each(g->j->sink->context, &c, g->j->e);
}

int graph_solve(const struct judge *j)
{
	struct graph g = { .j = j };
	int ret = 0;

	list_cycles(&g);
	for (size_t i = 0; i < g.n_cycles; i++)
		set_shape(&g, &g.cycles[i]);
	prefer_shown(&g);
	graph_bound(&g);
	prefer_believed(&g);
	for (size_t i = 0; i < g.n_parts && ret == 0; i++)
		if (g.parts[i].head && !g.parts[i].chained)
			ret = claim_part(&g, &g.parts[i]);
	return ret;
}
