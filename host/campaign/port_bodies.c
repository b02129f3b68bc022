/* How long the bodies of mixes are; see port_searching.h.
 *
 * No length suits all cores.  A front end that is eight wide and stops at the
 * end of an iteration, or takes whole groups, loses a cycle in each iteration;
 * a line through short bodies does not show that.  Another front end keeps
 * loops of a hundred instances decoded and takes 5 of them a cycle, but 4.76 of
 * longer loops.  So mixes that only the front end bounds are measured with both
 * lengths.  The search uses the length that is faster more often.
 *
 * A long body repeats the instances of a short one.  It is a mix with a label
 * of its own, so that a search that is resumed, or repeated on stored results,
 * makes the same choice. */
#include "host/campaign/port_searching.h"

#include "host/gen/kernel.h"
#include "host/plan/begin.h"

enum { MAX_MIXES = 16 };

/* Rates that differ by less, relative, are equal. */
static const double same = 0.01;

struct bodies {
	size_t n;
	struct experiment list[2 * MAX_MIXES]; /* short and long, in turn */
	struct ports_value values[2 * MAX_MIXES];
	uint32_t longest;
};

static void add_mix(void *context, const struct experiment *x)
{
	struct bodies *b = context;
	uint32_t n = mix_instances(x);
	uint32_t times = (b->longest + n - 1) / n;
	struct experiment *last;

	if (b->n == MAX_MIXES)
		return;
	last = &b->list[2 * b->n + 1];
	b->list[2 * b->n++] = *x;
	*last = *x;
	for (size_t i = 0; i < x->n_steps; i++)
		last->steps[i].count = (uint16_t)(last->steps[i].count * times);
}

static double mix_rate(const struct bodies *b, size_t i)
{
	return b->values[i].has_value
		       ? mix_instances(&b->list[i]) / b->values[i].cycles
		       : 0;
}

int port_search_choose_bodies(struct port_search *h, struct err *e)
{
	struct bodies b = { .longest = port_search_longest_bodies(h) };
	size_t n_short = 0, n_long = 0;

	h->bodies = 0;
	if (b.longest <= port_search_profile(h).mix_unroll)
		return ERR_OK;
	begin_width(h->c->catalogue, add_mix, &b);
	if (b.n > 0 &&
	    port_search_ask(h,
			    &(struct port_question){ PORTS_SINGLES, "bodies",
						     b.list, 2 * b.n },
			    b.values, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < 2 * b.n; i++)
		h->bodies_later |= b.values[i].later;
	for (size_t i = 0; i < 2 * b.n; i += 2) {
		n_short += mix_rate(&b, i) > mix_rate(&b, i + 1) * (1 + same);
		n_long += mix_rate(&b, i + 1) > mix_rate(&b, i) * (1 + same);
	}
	if (n_long > n_short)
		h->bodies = b.longest;
	return ERR_OK;
}
