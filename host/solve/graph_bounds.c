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
	/* Orders in which sums are believed.  A wrong sum that comes first makes the
	 * right ones look wrong.  Where one in three of those with a part is wrong,
	 * none of sixteen orders begins with a right one in a case of 40
	 * million. */
	ORDERS = 16,
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

/* Narrow the bounds of each part by those of the others.  Returns whether a bound
 * moved. */
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
	bool *aside; /* of each cycle: contradicted those before it */
	size_t n_aside;
};

/* Believe the sums in this order, and set aside those that contradict what those
 * before them left. */
static void try_order(struct graph *g, struct trial *t)
{
	bool moved = true;

	memset(t->aside, 0, g->n_cycles * sizeof(*t->aside));
	t->n_aside = 0;
	for (int pass = 0; pass < MAX_PASSES && moved; pass++) {
		moved = false;
		for (size_t k = 0; k < t->n; k++) {
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

static void shuffle(struct trial *t, uint64_t *seed)
{
	for (size_t i = t->n; i > 1; i--) {
		size_t k = (size_t)(random_next(seed) % i);
		size_t swap = t->order[i - 1];

		t->order[i - 1] = t->order[k];
		t->order[k] = swap;
	}
}

/* Leave out what the best orders set aside; of two sums that contradict each other
 * and no third, both. */
static void leave_out(struct graph *g, struct trial *t,
		      const struct graph_part *parts)
{
	uint64_t seed = 1;
	size_t least = SIZE_MAX;

	for (int i = 0; i < ORDERS; i++) {
		shuffle(t, &seed);
		memcpy(g->parts, parts, g->n_parts * sizeof(*parts));
		try_order(g, t);
		for (size_t c = 0; t->n_aside < least && c < g->n_cycles; c++)
			g->cycles[c].left_out = false;
		if (t->n_aside <= least)
			for (size_t c = 0; c < g->n_cycles; c++)
				g->cycles[c].left_out |= t->aside[c];
		least = t->n_aside < least ? t->n_aside : least;
	}
	memcpy(g->parts, parts, g->n_parts * sizeof(*parts));
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
