/* See graph_bounds.h. */
#include "host/solve/graph_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/base/random.h"

enum {
	/* Bounds propagate by one latency cycle a pass; they need few. */
	MAX_PASSES = 32,
	/* Orders in which sums are accepted, before the best is improved. */
	ORDERS = 16,
	/* Sums that are tried as the first of all; each takes a few
	 * milliseconds. */
	MOST_TRIED = 512,
};

bool graph_closes(double sum, double least)
{
	return sum >= least * (1 - contradiction);
}

void graph_leave(const struct graph *g, const struct latency_cycle *c, size_t i,
		 double *ret_low, double *ret_high)
{
	double times = 0;

	*ret_low = c->low;
	*ret_high = c->high;
	for (size_t k = 0; k < c->n; k++) {
		if (c->parts[k] == c->parts[i]) {
			times++;
			continue;
		}
		*ret_low -= g->parts[c->parts[k]].high;
		*ret_high -= g->parts[c->parts[k]].low;
	}
	*ret_low /= times;
	*ret_high /= times;
}

/* If the sum could also be throughput, it bounds only its head, from above. */
static size_t n_bounded(const struct latency_cycle *c)
{
	return c->shown ? c->n : 1;
}

/* Do the bounds that the sum leaves part i cross those that it has? */
static bool crosses(const struct latency_cycle *c, const struct graph_part *p,
		    double low, double high)
{
	return p->low - high > contradiction * c->high ||
	       (c->shown && low - p->high > contradiction * c->high);
}

static bool contradicts(const struct graph *g, const struct latency_cycle *c)
{
	for (size_t i = 0; i < n_bounded(c); i++) {
		double low, high;

		graph_leave(g, c, i, &low, &high);
		if (crosses(c, &g->parts[c->parts[i]], low, high))
			return true;
	}
	return false;
}

/* Narrow the bounds of each part by those of the others.  Returns whether a
 * bound moved. */
static bool carry(struct graph *g, const struct latency_cycle *c)
{
	bool moved = false;

	for (size_t i = 0; i < n_bounded(c); i++) {
		struct graph_part *p = &g->parts[c->parts[i]];
		double low, high;

		graph_leave(g, c, i, &low, &high);
		/* Bounds that cross are not moved further: two contradicting
		 * sums would move them without end. */
		p->contradicted |= crosses(c, p, low, high);
		high = fmax(high, p->low);
		low = fmin(low, p->high);
		if (high < p->high) {
			p->high = high;
			moved = true;
		}
		if (c->shown && low > p->low) {
			p->low = low;
			moved = true;
		}
	}
	return moved;
}

static bool counts(const struct latency_cycle *c)
{
	const struct record *r = c->record;

	return !r->fault && r->estimate.has_value && c->closed && !c->mixed;
}

/* An order of the sums that bound something, and what it comes to. */
struct trial {
	size_t *order, n;
	size_t n_first; /* these are carried until nothing moves, then the rest */
	bool *aside;    /* of each cycle: contradicted those before it */
	size_t n_aside;
};

/* Accept the first n sums of the order, and set aside those that contradict
 * what those before them left. */
static void accept(struct graph *g, struct trial *t, size_t n)
{
	bool moved = true;

	for (int pass = 0; pass < MAX_PASSES && moved; pass++) {
		moved = false;
		for (size_t k = 0; k < n; k++) {
			size_t i = t->order[k];

			if (t->aside[i])
				continue;
			if (contradicts(g, &g->cycles[i])) {
				t->aside[i] = true;
				t->n_aside++;
			} else {
				moved |= carry(g, &g->cycles[i]);
			}
		}
	}
}

static void try_order(struct graph *g, struct trial *t)
{
	memset(t->aside, 0, g->n_cycles * sizeof(*t->aside));
	t->n_aside = 0;
	accept(g, t, t->n_first);
	accept(g, t, t->n);
}

static void shuffle(struct trial *t, uint64_t *seed)
{
	for (size_t i = t->n; i > 1; i--) {
		size_t k = (size_t)(random_next(seed) % i);
		size_t swap = t->order[i - 1];

		t->order[i - 1] = t->order[k];
		t->order[k] = swap;
	}
}

static void try_anew(struct graph *g, struct trial *t,
		     const struct graph_part *parts)
{
	memcpy(g->parts, parts, g->n_parts * sizeof(*parts));
	try_order(g, t);
}

static void keep(const struct graph *g, const struct trial *from,
		 struct trial *to)
{
	memcpy(to->order, from->order, from->n * sizeof(*to->order));
	memcpy(to->aside, from->aside, g->n_cycles * sizeof(*to->aside));
	to->n_aside = from->n_aside;
	to->n_first = from->n_first;
}

static bool shares_part(const struct graph *g, const struct latency_cycle *x,
			const struct latency_cycle *y)
{
	for (size_t i = 0; i < x->n; i++)
		for (size_t k = 0; k < y->n; k++)
			if (x->parts[i] == y->parts[k] &&
			    !g->parts[x->parts[i]].chained)
				return true;
	return false;
}

/* Accept the sum before all that begin with the same part, but after all others
 * that `best` accepts: these say what its other parts take. */
static void prefer(const struct graph *g, const struct trial *best,
		   size_t cycle, struct trial *t)
{
	const struct latency_cycle *x = &g->cycles[cycle];
	size_t n = 0;

	for (int later = 0; later < 2; later++) {
		for (size_t k = 0; k < best->n; k++) {
			size_t i = best->order[k];
			bool first = !best->aside[i] &&
				     x->parts[0] != g->cycles[i].parts[0];

			if (i != cycle && first == !later)
				t->order[n++] = i;
		}
		if (!later) {
			t->n_first = n;
			t->order[n++] = cycle;
		}
	}
}

/* Prefer each sum that `best` sets aside, until no trial sets fewer aside: what
 * an order got wrong in one place is mended there. */
static void improve(struct graph *g, struct trial *t, struct trial *best,
		    const struct graph_part *parts)
{
	size_t n_tried = 0, before = SIZE_MAX;

	while (best->n_aside < before && n_tried < MOST_TRIED) {
		before = best->n_aside;
		for (size_t i = 0; i < g->n_cycles && n_tried < MOST_TRIED;
		     i++) {
			if (!best->aside[i])
				continue;
			n_tried++;
			prefer(g, best, i, t);
			try_anew(g, t, parts);
			if (t->n_aside < best->n_aside)
				keep(g, t, best);
		}
	}
}

/* A sum that does as well as those that contradict it when it is accepted
 * first: which is right is not known, and all of them are left out; so is what
 * shares a part with a sum for which there were too many trials. */
static void leave_out_ties(struct graph *g, struct trial *t,
			   const struct trial *best,
			   const struct graph_part *parts)
{
	size_t n_tried = 0;

	for (size_t i = 0; i < g->n_cycles; i++) {
		if (!best->aside[i])
			continue;
		if (n_tried++ < MOST_TRIED) {
			prefer(g, best, i, t);
			try_anew(g, t, parts);
		}
		for (size_t c = 0; c < g->n_cycles; c++)
			g->cycles[c].left_out |=
				n_tried > MOST_TRIED
					? shares_part(g, &g->cycles[i],
						      &g->cycles[c])
					: t->n_aside <= best->n_aside &&
						  t->aside[c];
	}
}

/* Leave out the fewest sums without which the others can be true. */
static void leave_out(struct graph *g, struct trial *t,
		      const struct graph_part *parts)
{
	uint64_t seed = 1;
	struct trial best = {
		.order = xrealloc(NULL, t->n + 1, sizeof(*best.order)),
		.n = t->n,
		.aside = xrealloc(NULL, g->n_cycles + 1, sizeof(*best.aside)),
		.n_aside = SIZE_MAX,
	};

	for (int i = 0; i < ORDERS; i++) {
		shuffle(t, &seed);
		try_anew(g, t, parts);
		if (t->n_aside < best.n_aside)
			keep(g, t, &best);
	}
	improve(g, t, &best, parts);
	for (size_t c = 0; c < g->n_cycles; c++)
		g->cycles[c].left_out = best.aside[c];
	leave_out_ties(g, t, &best, parts);
	memcpy(g->parts, parts, g->n_parts * sizeof(*parts));
	free(best.aside);
	free(best.order);
}

static void carry_all(struct graph *g)
{
	bool moved = true;

	for (int pass = 0; pass < MAX_PASSES && moved; pass++) {
		moved = false;
		for (size_t i = 0; i < g->n_cycles; i++)
			if (counts(&g->cycles[i]) && !g->cycles[i].left_out)
				moved |= carry(g, &g->cycles[i]);
	}
}

void graph_bound(struct graph *g)
{
	struct graph_part *parts =
		xrealloc(NULL, g->n_parts + 1, sizeof(*parts));
	struct trial t = {
		.order = xrealloc(NULL, g->n_cycles + 1, sizeof(*t.order)),
		.aside = xrealloc(NULL, g->n_cycles + 1, sizeof(*t.aside)),
	};

	memcpy(parts, g->parts, g->n_parts * sizeof(*parts));
	for (size_t i = 0; i < g->n_cycles; i++)
		if (counts(&g->cycles[i]))
			t.order[t.n++] = i;
	try_order(g, &t);
	memcpy(g->parts, parts, g->n_parts * sizeof(*parts));
	if (t.n_aside > 0)
		leave_out(g, &t, parts);
	carry_all(g);
	free(t.aside);
	free(t.order);
	free(parts);
}
