/* How long the bodies of mixes are.
 *
 * There is no length that suits all cores.  A front end of eight that stops at
 * the end of an iteration, or takes whole groups, is off by a cycle in each,
 * which no line through short bodies shows; another one keeps loops of a
 * hundred instances decoded and takes 5 a cycle of them, and 4.76 of longer
 * ones.  So mixes that only the front end bounds are measured with both, and
 * what is faster most often is what the search uses.
 *
 * A long body is a short one's instances several times over: a mix like any
 * other, with a label of its own, so that a search that goes on, or is repeated
 * on old data, chooses the same. */
#include "host/cli/ports_hunt.h"
#include "host/gen/kernel.h"
#include "host/plan/begin.h"

enum { MAX_MIXES = 16 };

/* Rates this close are the same. */
static const double same = 0.01;

struct bodies {
	size_t n;
	struct experiment list[2 * MAX_MIXES]; /* short and long, in turn */
	struct ports_value values[2 * MAX_MIXES];
	uint32_t longest;
};

static void add(void *context, const struct experiment *x)
{
	struct bodies *b = context;
	uint32_t n = mix_instances(x);
	uint32_t times = (b->longest + n - 1) / n;
	struct experiment *last = &b->list[2 * b->n + 1];

	if (b->n == MAX_MIXES)
		return;
	b->list[2 * b->n++] = *x;
	*last = *x;
	for (size_t i = 0; i < x->n_steps; i++)
		last->steps[i].count = (uint16_t)(last->steps[i].count * times);
}

static double rate(const struct bodies *b, size_t i)
{
	return b->values[i].has_value
		       ? mix_instances(&b->list[i]) / b->values[i].cycles
		       : 0;
}

int hunt_choose_bodies(struct hunt *h, struct err *e)
{
	struct bodies b = { .longest = hunt_longest_bodies(h) };
	size_t n_short = 0, n_long = 0;

	h->bodies = 0;
	if (b.longest <= hunt_profile(h).mix_unroll)
		return ERR_OK;
	begin_width(h->c->catalogue, add, &b);
	if (b.n > 0 && hunt_ask(h, PORTS_SINGLES, "bodies", b.list, 2 * b.n,
				b.values, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < 2 * b.n; i += 2) {
		n_short += rate(&b, i) > rate(&b, i + 1) * (1 + same);
		n_long += rate(&b, i + 1) > rate(&b, i) * (1 + same);
	}
	if (n_long > n_short)
		h->bodies = b.longest;
	return ERR_OK;
}
