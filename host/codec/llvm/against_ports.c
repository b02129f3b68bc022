/* Which of LLVM's resources the measured ports are, and what forms ask for; see
 * against.h.
 *
 * A port search has names of its own.  A set of ports is the one of LLVM's, of as
 * many ports, that most forms have which use this set alone.  Sets are named in
 * the order of these forms' number, as long as any two share as many ports as
 * those that they are named after.  Ports that no named set tells apart have no
 * names of their own, but every set that keeps them together has one. */
#include "host/base/order.h"
#include "host/codec/llvm/against.h"
#include "host/codec/llvm/write.h"
#include "host/codec/number.h"

/* A name that fewer forms share may be of a table that is wrong there. */
enum { LEAST_VOTES = 3, MOST_SETS = 64, MOST_USES = 8 };

struct set_name {
	model_ports ours, theirs;
	size_t n; /* of forms */
};

struct naming {
	const struct against *w;
	const struct model *ours;
	size_t n;
	struct set_name list[MOST_SETS];
	/* Sets with a name that no consistent one is. */
	struct buffer disputed; /* model_ports */
};

/* ---- names of sets ------------------------------------------------------ */

/* Which of the named sets have this port. */
static uint64_t signature(const struct naming *k, unsigned port, bool ours)
{
	uint64_t s = 0;

	for (size_t i = 0; i < k->n; i++)
		s |= ((ours ? k->list[i].ours : k->list[i].theirs) >> port & 1)
		     << i;
	return s;
}

/* The ports with this signature. */
static model_ports ports_with(const struct naming *k, uint64_t s, bool ours)
{
	model_ports ports = 0;

	for (unsigned p = 0; p < MODEL_MAX_PORTS; p++)
		if (signature(k, p, ours) == s)
			ports |= (model_ports)1 << p;
	return ports;
}

static bool is_consistent(const struct naming *k)
{
	for (unsigned p = 0; p < 2 * MODEL_MAX_PORTS; p++) {
		uint64_t s = signature(k, p / 2, p % 2);

		if (s != 0 &&
		    model_ports_count(ports_with(k, s, true)) !=
			    model_ports_count(ports_with(k, s, false)))
			return false;
	}
	return true;
}

/* The ports of LLVM's that these are; 0: not known. */
static model_ports name_of(const struct naming *k, model_ports set)
{
	const model_ports *disputed = (const void *)k->disputed.bytes;
	model_ports ret = 0;

	for (size_t i = 0; i < k->disputed.n / sizeof(*disputed); i++)
		if (disputed[i] == set)
			return 0;
	for (unsigned p = 0; p < MODEL_MAX_PORTS; p++) {
		uint64_t s;

		if ((set >> p & 1) == 0)
			continue;
		s = signature(k, p, true);
		if (s == 0 || (ports_with(k, s, true) & ~set) != 0)
			return 0;
		ret |= ports_with(k, s, false);
	}
	return ret;
}

/* ---- votes -------------------------------------------------------------- */

static bool is_measured(const struct against_form *x)
{
	return x->ours && x->class && x->ours->has_ports &&
	       x->ours->mark.kind == MARK_MEASURED;
}

/* Forms with one use in both: a vote for each pair of sets. */
static void count_votes(const struct naming *k, struct buffer *votes)
{
	const struct against *w = k->w;

	for (size_t i = 0; i < w->n; i++) {
		const struct against_form *x = &w->list[i];
		struct mc_sched_use uses[MC_SCHED_MAX_USES];
		struct set_name *list = (void *)votes->bytes, one = { 0 };
		size_t n = votes->n / sizeof(*list), at = 0;

		if (!is_measured(x) || x->ours->n_uses != 1 ||
		    against_uses(w, x->class, uses) != 1)
			continue;
		one.ours = x->ours->uses[0].ports;
		one.theirs = w->ports[uses[0].resource];
		one.n = 1;
		if (model_ports_count(one.ours) !=
			    model_ports_count(one.theirs) ||
		    (one.ours & pseudo_ports(k->ours)) != 0)
			continue;
		while (at < n && (list[at].ours != one.ours ||
				  list[at].theirs != one.theirs))
			at++;
		if (at < n)
			list[at].n++;
		else
			buffer_add(votes, &one, sizeof(one));
	}
}

static int by_votes(const void *a, const void *b)
{
	const struct set_name *x = a, *y = b;
	int order = ORDER(y->n, x->n);

	if (order == 0)
		order = ORDER(x->ours, y->ours);
	return order ? order : ORDER(x->theirs, y->theirs);
}

static void name_sets(struct naming *k)
{
	struct buffer votes = { 0 };
	struct set_name *list;
	size_t n;

	count_votes(k, &votes);
	list = buffer_take_list(k->w->a, &votes, sizeof(*list), &n);
	order_sort(list, n, sizeof(*list), by_votes);
	for (size_t i = 0; i < n; i++) {
		size_t all = 0;

		for (size_t v = 0; v < n; v++)
			all += list[v].ours == list[i].ours ? list[v].n : 0;
		if (list[i].n < LEAST_VOTES || 2 * list[i].n <= all ||
		    k->n == MOST_SETS)
			continue;
		k->list[k->n++] = list[i];
		if (is_consistent(k))
			continue;
		k->n--;
		buffer_add(&k->disputed, &list[i].ours, sizeof(model_ports));
	}
}

/* ---- what forms ask for ------------------------------------------------- */

struct named_use {
	model_ports ports;
	long cycles;
	unsigned resource; /* of LLVM's */
};

/* The ports of all named sets. */
static model_ports named_ports(const struct naming *k, bool ours)
{
	model_ports ports = 0;

	for (size_t i = 0; i < k->n; i++)
		ports |= ours ? k->list[i].ours : k->list[i].theirs;
	return ports;
}

/* A form's uses of named ports, by LLVM's ports; 0: some have no name. */
static size_t named_uses(const struct naming *k, const struct model_form *f,
			 struct named_use ret[MOST_USES])
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];

		if ((u->ports & pseudo_ports(k->ours)) != 0 || n == MOST_USES)
			return 0;
		if ((u->ports & named_ports(k, true)) == 0)
			continue;
		ret[n].ports = name_of(k, u->ports);
		if (ret[n].ports == 0 ||
		    !td_whole(u->n_uops * u->cycles, &ret[n].cycles))
			return 0;
		n++;
	}
	return n;
}

/* The same of the table's. */
static size_t table_uses(const struct naming *k, unsigned class,
			 struct named_use ret[MOST_USES])
{
	struct mc_sched_use uses[MC_SCHED_MAX_USES];
	size_t all = against_uses(k->w, class, uses), n = 0;

	for (size_t i = 0; i < all; i++) {
		model_ports ports = k->w->ports[uses[i].resource];

		if ((ports & named_ports(k, false)) == 0)
			continue;
		if (n == MOST_USES)
			return 0;
		ret[n++] = (struct named_use){ ports, uses[i].cycles,
					       uses[i].resource };
	}
	return n;
}

/* Take out what both have; the sets count here, not their cycles. */
static void cancel(struct named_use *x, size_t *n_x, struct named_use *y,
		   size_t *n_y)
{
	for (size_t i = 0; i < *n_x;) {
		size_t at = 0;

		while (at < *n_y && y[at].ports != x[i].ports)
			at++;
		if (at == *n_y) {
			i++;
			continue;
		}
		x[i] = x[--*n_x];
		y[at] = y[--*n_y];
	}
}

static unsigned resource_with(const struct against *w, model_ports ports)
{
	for (unsigned i = 1; i < w->n_resources; i++)
		if (w->ports[i] == ports)
			return i;
	return 0;
}

/* One resource in the place of another; resources without a name stay. */
static void ask(const struct naming *k, struct against_form *x)
{
	struct named_use ours[MOST_USES], theirs[MOST_USES];
	size_t n = named_uses(k, x->ours, ours);
	size_t m = table_uses(k, x->class, theirs), all = m;
	unsigned to;

	if (n == 0 || m == 0)
		return;
	cancel(ours, &n, theirs, &m);
	if (n == 0 && m == 0)
		x->wants[TDFILE_PORTS] = ASKS_NOTHING;
	if (n != 1 || m != 1 ||
	    (ours[0].cycles != theirs[0].cycles && all != 1))
		return;
	to = resource_with(k->w, ours[0].ports);
	if (to == 0)
		return;
	x->from = theirs[0].resource;
	x->wants[TDFILE_PORTS] = -(double)to;
	x->wants[TDFILE_RELEASE] =
		(double)ours[0].cycles / (double)theirs[0].cycles;
}

void against_ask_ports(struct against *w, const struct model *ours)
{
	struct naming k = { .w = w, .ours = ours };

	name_sets(&k);
	for (size_t i = 0; i < w->n; i++)
		if (is_measured(&w->list[i]))
			ask(&k, &w->list[i]);
	buffer_free(&k.disputed);
}
