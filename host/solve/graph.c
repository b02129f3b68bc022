/* Intervals of the parts of latency cycles; see graph.h. */
#include "host/solve/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/solve/graph_bounds.h"
#include "host/solve/judging.h"
#include "host/solve/solve.h"

/* A latency cycle shows if it costs this much more than its parts:
 * judge_latency.c */
static const double shows = 0.03;
/* Bounds this close to a whole number are that: each is a sum of values 0.5 %
 * off. */
static const double settled = 0.05;
/* Bounds this close, as a part of the lower one, are one value: their middle is
 * known to a percent. */
static const double known = 0.02;

static double least_of(const struct graph *g, const char *parts)
{
	const struct judge j = { .records = g->records, .n = g->n_records };

	return graph_least(g->a, &j, parts);
}

static int compare_text(const void *a, const void *b)
{
	const struct graph_part *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static struct graph_part *find_part(const struct graph *g, const char *text)
{
	struct graph_part key = { .text = text };

	return bsearch(&key, g->parts, g->n_parts, sizeof(key), compare_text);
}

/* All parts, sorted, each once. */
static void list_parts(struct graph *g)
{
	size_t n = 0, kept = 0;

	g->parts = ARENA_ARRAY(g->a, struct graph_part,
			       g->n_cycles * GRAPH_MAX_PARTS + 1);
	for (size_t i = 0; i < g->n_cycles; i++) {
		const char *texts[GRAPH_MAX_PARTS];
		size_t k = graph_split(g->a, g->cycles[i].record->label.form,
				       texts);

		for (size_t p = 0; p < k; p++)
			g->parts[n++] = (struct graph_part){ .text = texts[p],
							     .high = INFINITY };
	}
	qsort(g->parts, n, sizeof(*g->parts), compare_text);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 ||
		    strcmp(g->parts[kept - 1].text, g->parts[i].text) != 0)
			g->parts[kept++] = g->parts[i];
	g->n_parts = kept;
	for (size_t i = 0; i < kept; i++)
		g->parts[i].low = least_of(g, g->parts[i].text);
}

/* Does the sum cost more than its parts would if they were independent, and
 * more than a chain of one part through an operand outside the latency cycle?
 * If not, the parts may not form a cycle.  False if a throughput that this
 * needs is not known. */
static bool cycle_shows(const struct graph *g, const struct latency_cycle *c)
{
	const struct judge j = { .a = g->a,
				 .records = g->records,
				 .n = g->n_records,
				 .sink = g->sink };
	size_t n;

	return (c->low > graph_alone(g->a, &j, c->record, &n) * (1 + shows) ||
		graph_is_apart(&j, c->record)) &&
	       graph_links_show(&j, c->record, &n);
}

/* Does it leave another dependency in? */
static bool is_uncut(const struct graph *g, const struct record *r)
{
	const struct judge j = { .records = g->records, .n = g->n_records };

	return judging_is_uncut(&j, r);
}

/* A sum that does not show is only an upper bound, whole or not. */
static void set_shape(const struct graph *g, struct latency_cycle *c)
{
	const struct estimate *e = &c->record->estimate;

	c->shown = !is_uncut(g, c->record) && cycle_shows(g, c);
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
static void bound_by_itself(const struct graph *g, const struct judge *j,
			    struct graph_part *p)
{
	char *text = arena_strdup(g->a, p->text);
	char *source = strchr(text, '@');
	char *destination = strchr(text, '>');
	struct record key = { .label = { .kind = EXPERIMENT_LATENCY } };
	const struct record *r;
	bool eliminated;
	struct claim c;
	double u;

	*source++ = *destination++ = '\0';
	key.label.form = text;
	key.label.source = source;
	key.label.destination = destination;
	r = judging_twin(j, &key, EXPERIMENT_LATENCY);
	if (!r)
		return;
	p->chained = true;
	c = judging_chain(j, r, &u);
	eliminated = strcmp(c.verdict, "eliminated") == 0;
	p->low = 0; /* a renamer may take it away */
	if (!c.has_value || (!eliminated && !judging_is_ok(&c) &&
			     strcmp(c.verdict, "throughput-bound") != 0))
		return;
	if (!eliminated)
		p->low = c.low_cycles * (1 - u);
	p->high = c.high_cycles * (1 + u);
}

static void bound_by_chains(struct graph *g)
{
	const struct judge j = { .a = g->a,
				 .records = g->records,
				 .n = g->n_records,
				 .sink = g->sink };

	for (size_t i = 0; i < g->n_parts; i++)
		bound_by_itself(g, &j, &g->parts[i]);
}

/* Lower bound of a closed latency cycle's sum: for each part the value from its
 * own chain, or one cycle. */
static double least_sum(const struct graph *g, const struct latency_cycle *c)
{
	double sum = 0;

	for (size_t p = 0; p < c->n; p++)
		sum += g->parts[c->parts[p]].low;
	return fmax(sum, least_of(g, c->record->label.form));
}

static void list_cycles(struct graph *g)
{
	const struct judge j = { .records = g->records, .n = g->n_records };

	g->cycles = ARENA_ARRAY(g->a, struct latency_cycle, g->n_records + 1);
	for (size_t i = 0; i < g->n_records; i++) {
		const struct record *r = &g->records[i];
		const char *texts[GRAPH_MAX_PARTS];
		double u = r->estimate.uncertainty;

		if (!label_is_cycle(&r->label) || judging_is_worse(&j, r) ||
		    graph_split(g->a, r->label.form, texts) > GRAPH_MAX_PARTS)
			continue;
		g->cycles[g->n_cycles++] = (struct latency_cycle){
			.record = r,
			.low = r->estimate.low * (1 - u),
			.high = r->estimate.high * (1 + u),
		};
	}
	list_parts(g);
	bound_by_chains(g);
	for (size_t i = 0; i < g->n_cycles; i++) {
		struct latency_cycle *c = &g->cycles[i];
		const char *texts[GRAPH_MAX_PARTS];

		c->n = graph_split(g->a, c->record->label.form, texts);
		for (size_t p = 0; p < c->n; p++)
			c->parts[p] =
				(size_t)(find_part(g, texts[p]) - g->parts);
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
		g->a, "part of %s = %.4g%s", r->label.form, r->estimate.high,
		mean ? ", a mean: no whole number of cycles" : "");
	if (p->high - p->low > known * p->low)
		c->verdict = "circle";
	else if (mean || judging_is_fraction(p->low + half, half))
		c->verdict = "mixture";
	else
		c->verdict =
			judging_is_eliminated(p->high) ? "eliminated" : "ok";
	/* A result in a register that the chain needs a carrier for may not
	 * depend on the source at all; the bound of one cycle holds only if it
	 * does.  Two operands of one form are exempt. */
	if (graph_is_carried(g->sink->carriers, &r->label) &&
	    !g->cycles[p->cycle].shown &&
	    !(p->high <= least_of(g, p->text) && label_is_operand(c->source) &&
	      label_is_operand(c->destination))) {
		c->verdict = "throughput-bound";
		c->detail = arena_printf(g->a, "%s; the chain does not show",
					 c->detail);
	}
}

/* A part has no value for the reason that its latency cycle has none. */
static void set_reason(const struct graph *g, const struct record *r,
		       struct claim *c)
{
	const struct judge j = { .a = g->a, .sink = g->sink };
	struct claim whole = judging_base(&j, r);

	c->has_value = false;
	c->verdict = whole.verdict;
	c->detail = arena_printf(g->a, "part of %s, without a value: %s",
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
	double least = least_of(g, p->text);

	c->has_value = isfinite(p->high);
	/* A whole number of cycles, one at least: no more than that either. */
	if (!mean && p->high - p->low <= settled && p->low <= least &&
	    p->high >= least && least > 0)
		p->low = p->high = least;
	c->low_cycles = p->low;
	c->high_cycles = p->high;
	if (r->fault) {
		c->has_value = false;
		c->verdict = arena_printf(g->a, "fault:%s", r->fault);
		c->detail = "the latency cycle was stopped by a fault";
	} else if (open) {
		c->has_value = false;
		c->verdict = "no-chain";
		c->detail = arena_printf(g->a,
					 "%s = %.4g, less than its parts can "
					 "be: not every instance waits",
					 open->label.form, open->estimate.high);
	} else if (g->cycles[p->cycle].left_out) {
		c->has_value = false;
		c->verdict = "contradiction";
		c->detail = arena_printf(g->a,
					 "%s = %.4g contradicts sums of "
					 "other latency cycles",
					 r->label.form, r->estimate.high);
	} else if (!c->has_value || !r->estimate.has_value) {
		set_reason(g, r, c);
	} else if (p->contradicted) {
		c->has_value = false;
		c->verdict = "contradiction";
		c->detail = arena_printf(
			g->a, "latency cycles disagree beyond %.4g..%.4g",
			p->low, p->high);
	} else {
		set_bounds(g, p, mean, c);
	}
}

static int claim_part(struct graph *g, const struct graph_part *shared)
{
	struct graph_part copy = *shared, *p = &copy;
	char *form = arena_strdup(g->a, p->text);
	char *source = strchr(form, '@');
	char *destination = strchr(form, '>');
	struct claim c = {
		.kind = "latency",
		.form = form,
		.residual = p->head->estimate.residual,
		.visits = p->head->estimate.visits,
		.label = p->head->text,
		.kernel = p->head->index,
		.solver_version = SOLVER_VERSION,
	};

	if (!source || !destination)
		return 0;
	*source = *destination = '\0';
	c.source = source + 1;
	c.destination = destination + 1;
	set_value(g, p, &c);
	return g->sink->each(g->sink->context, &c, g->e);
}

int graph_solve(struct arena *a, const struct record *records, size_t n,
		const struct judge_sink *sink, struct err *e)
{
	struct graph g = {
		.a = a, .records = records, .n_records = n, .sink = sink, .e = e
	};
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
