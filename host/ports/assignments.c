/* See assignments.h.  A search by depth, once for each number of cycles: each
 * set in turn gets its cycles, as long as no kernel showed fewer. */
#include "host/ports/assignments.h"

#include <math.h>

enum {
	MAX_CYCLES = 48,       /* of an assignment */
	MAX_NODES = 20 * 1000, /* of one search */
};

const double assignments_some = 0.3;
/* Chosen: a real scheduler may be this much slower than the ports allow. */
static const double slowdown = 0.12;

struct assign_search {
	const struct assignments_problem *p;
	size_t n_sets;
	model_ports sets[ASSIGNMENTS_MAX_SETS];
	size_t first_whole; /* sets from here on are held as a whole */
	/* No assignment has more cycles on the set. */
	unsigned most[ASSIGNMENTS_MAX_SETS];
	/* Of the most cycles that kernels showed, those not assigned yet. */
	unsigned left[ASSIGNMENTS_MAX_KERNELS];
	/* The last set that lies in the ports of this kernel; 0: none does, 1:
	 * the first set. */
	size_t last[ASSIGNMENTS_MAX_KERNELS];
	struct assignment now;
	struct assignment *ret;
	size_t n, room, n_nodes;
	bool all; /* nothing was cut off */
};

static bool lies_in(model_ports x, model_ports y)
{
	return (x & ~y) == 0;
}

static void add_set(model_ports set, model_ports ret[ASSIGNMENTS_MAX_SETS],
		    size_t *n, bool *cut)
{
	for (size_t i = 0; i < *n; i++)
		if (ret[i] == set)
			return;
	if (set == 0)
		return;
	*cut |= *n == ASSIGNMENTS_MAX_SETS;
	if (!*cut)
		ret[(*n)++] = set;
}

size_t assignments_sets(const model_ports *rows, size_t n_rows,
			const model_ports *unions, size_t n_unions,
			model_ports ret[ASSIGNMENTS_MAX_SETS], bool *ret_cut)
{
	size_t n = 0;

	*ret_cut = false;
	for (size_t i = 0; i < n_rows; i++)
		add_set(rows[i], ret, &n, ret_cut);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			add_set(ret[i] & ret[k], ret, &n, ret_cut);
	for (size_t i = 0; i < n_unions; i++)
		add_set(unions[i], ret, &n, ret_cut);
	return n;
}

/* Port cycles of a part that are confined to the ports. */
static unsigned part_within(model_ports set, unsigned cycles, bool whole,
			    model_ports ports)
{
	if (whole)
		return model_ports_count(set & ports);
	return lies_in(set, ports) ? cycles : 0;
}

unsigned assignments_within(const struct assignment *a, model_ports ports)
{
	unsigned sum = 0;

	for (size_t i = 0; i < a->n; i++)
		sum += part_within(a->part[i].ports, a->part[i].cycles,
				   a->part[i].whole, ports);
	return sum;
}

static size_t longest_part(const struct assignment *a)
{
	size_t ret = 0;

	for (size_t i = 1; i < a->n; i++)
		if (a->part[ret].whole ||
		    (!a->part[i].whole &&
		     a->part[i].cycles > a->part[ret].cycles))
			ret = i;
	return ret;
}

bool assignments_has_whole(const struct assignment *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->part[i].whole)
			return true;
	return false;
}

/* Uops with slots of their own, if each takes one cycle: one that holds several
 * ports may share the slot of another. */
static unsigned n_uops(const struct assignment *a)
{
	unsigned n = a->cycles;

	for (size_t i = 0; i < a->n; i++)
		if (a->part[i].whole)
			n -= a->part[i].cycles;
	return n;
}

/* Cycles that one uop takes beyond its first. */
static unsigned held_cycles(const struct assignment *a, unsigned uops)
{
	return n_uops(a) > uops ? n_uops(a) - uops : 0;
}

size_t assignments_uses(const struct assignment *a, unsigned uops,
			struct model_use ret[ASSIGNMENTS_MAX_USES])
{
	unsigned held = held_cycles(a, uops);
	size_t longest = longest_part(a), n = 0;

	for (size_t i = 0; i < a->n; i++) {
		model_ports ports = a->part[i].ports;
		unsigned cycles = a->part[i].cycles;

		if (a->part[i].whole) {
			for (; ports != 0; ports &= ports - 1)
				ret[n++] = (struct model_use){
					ports & (~ports + 1), 1, 1
				};
			continue;
		}
		if (i != longest || held == 0) {
			ret[n++] = (struct model_use){ ports, cycles, 1 };
			continue;
		}
		if (cycles > held + 1)
			ret[n++] = (struct model_use){ ports, cycles - held - 1,
						       1 };
		ret[n++] = (struct model_use){ ports, 1, held + 1 };
	}
	return n;
}

static unsigned most_cycles(const struct assign_search *s, model_ports set)
{
	const struct assignments_problem *p = s->p;
	double most = floor(p->alone * (1 + p->above) * model_ports_count(set) +
			    1e-9);

	for (size_t i = 0; i < p->n_kernels; i++)
		if (lies_in(set, p->kernels[i].ports))
			most = fmin(most, p->kernels[i].most);
	return (unsigned)fmin(most, MAX_CYCLES);
}

/* May a uop hold all ports of the set for a cycle?  Only where a kernel of a part of
 * the set tells it from one that holds a port for longer. */
static bool may_be_whole(const struct assignments_problem *p, model_ports set)
{
	unsigned n = model_ports_count(set);
	bool has_part = false;

	for (size_t i = 0; i < p->n_targets; i++)
		has_part |= p->targets[i] != set && lies_in(p->targets[i], set);
	if (!has_part || n < 2 || n > ASSIGNMENTS_MAX_WHOLE ||
	    p->alone * (1 + p->above) < 1)
		return false;
	for (size_t i = 0; i < p->n_kernels; i++)
		if (model_ports_count(set & p->kernels[i].ports) >
		    p->kernels[i].most)
			return false;
	return true;
}

static void add_whole(struct assign_search *s, model_ports set)
{
	for (size_t i = s->first_whole; i < s->n_sets; i++)
		if (s->sets[i] == set)
			return;
	if (s->n_sets == ASSIGNMENTS_MAX_SETS || !may_be_whole(s->p, set))
		return;
	s->most[s->n_sets] = model_ports_count(set);
	s->sets[s->n_sets++] = set;
}

/* Port cycles of a uop on the i-th set that are confined to the ports. */
static unsigned set_within(const struct assign_search *s, size_t i,
			   model_ports ports)
{
	return part_within(s->sets[i], 1, i >= s->first_whole, ports);
}

static void assign_start(struct assign_search *s)
{
	const struct assignments_problem *p = s->p;

	for (size_t i = 0; i < p->n_sets; i++) {
		unsigned most = most_cycles(s, p->sets[i]);

		if (most == 0)
			continue;
		s->most[s->n_sets] = most;
		s->sets[s->n_sets++] = p->sets[i];
	}
	s->first_whole = s->n_sets;
	for (size_t i = 0; i < p->n_sets; i++) {
		add_whole(s, p->sets[i]);
		/* Of more ports than a kernel can keep busy. */
		for (size_t k = 0; k < i; k++)
			if (model_ports_count(p->sets[i] | p->sets[k]) >=
			    p->width)
				add_whole(s, p->sets[i] | p->sets[k]);
	}
	for (size_t k = 0; k < p->n_kernels; k++) {
		s->left[k] = p->kernels[k].most;
		for (size_t i = 0; i < s->n_sets; i++)
			if (set_within(s, i, p->kernels[k].ports) > 0)
				s->last[k] = i + 1;
	}
}

/* Does another assignment have the same uses: a uop that holds a port more, for
 * which this one has a uop of its own? */
static bool is_part_of_whole(const struct assign_search *s)
{
	const struct assignment *a = &s->now;
	model_ports whole = a->part[a->n - 1].ports;

	for (size_t i = 0; i + 1 < a->n; i++)
		for (size_t k = s->first_whole; k < s->n_sets; k++)
			if (model_ports_count(a->part[i].ports) == 1 &&
			    !lies_in(a->part[i].ports, whole) &&
			    s->sets[k] == (a->part[i].ports | whole))
				return true;
	return false;
}

/* A complete assignment: is it one? */
static void assign_judge(struct assign_search *s)
{
	const struct assignments_problem *p = s->p;
	struct model_use uses[ASSIGNMENTS_MAX_USES];
	struct assignment *a = &s->now;
	double cycles;

	if (a->n > 0 && !a->part[longest_part(a)].whole &&
	    held_cycles(a, p->uops) >= a->part[longest_part(a)].cycles)
		return;
	/* One that holds several ports is rare: uops of their own do as well. */
	if (assignments_has_whole(a) &&
	    (a->cycles <= p->uops || is_part_of_whole(s)))
		return;
	cycles = fmax(model_port_bound(uses, assignments_uses(a, p->uops, uses),
				       NULL),
		      p->slots / p->width);
	if (cycles > p->alone * (1 + p->above))
		return;
	if (s->n == s->room) {
		s->all = false;
		return;
	}
	a->explains = p->alone <= cycles * (1 + slowdown);
	s->ret[s->n++] = *a;
}

/* With the sets from `set` on and so many cycles: can what the kernels showed
 * still be reached? */
static bool is_possible(const struct assign_search *s, size_t set,
			unsigned cycles)
{
	unsigned slower = 0;

	for (size_t k = 0; k < s->p->n_kernels; k++) {
		const struct assignments_kernel *x = &s->p->kernels[k];
		unsigned done = x->most - s->left[k];

		if (done < x->least &&
		    (x->least - done > cycles || s->last[k] <= set))
			slower++;
	}
	return slower <= s->p->slower;
}

static void assign_move(struct assign_search *s, size_t set, unsigned cycles,
			bool back)
{
	for (size_t k = 0; k < s->p->n_kernels; k++) {
		unsigned within =
			part_within(s->sets[set], cycles, set >= s->first_whole,
				    s->p->kernels[k].ports);

		s->left[k] += back ? within : 0u - within;
	}
}

static unsigned most_left(const struct assign_search *s, size_t set,
			  unsigned cycles)
{
	unsigned most = s->most[set] < cycles ? s->most[set] : cycles;

	if (set >= s->first_whole) {
		/* At most one uop of an assignment does. */
		if (s->now.n > 0 && s->now.part[s->now.n - 1].whole)
			return 0;
		for (size_t k = 0; k < s->p->n_kernels; k++)
			if (set_within(s, set, s->p->kernels[k].ports) >
			    s->left[k])
				return 0;
		return most == s->most[set] ? most : 0;
	}
	for (size_t k = 0; k < s->p->n_kernels; k++)
		if (lies_in(s->sets[set], s->p->kernels[k].ports) &&
		    s->left[k] < most)
			most = s->left[k];
	return most;
}

static void assign_from(struct assign_search *s, size_t set, unsigned cycles)
{
	if (s->n_nodes++ > MAX_NODES || (s->n == s->room && !s->all)) {
		s->all = false;
		return;
	}
	if (!is_possible(s, set, cycles))
		return;
	if (cycles == 0) {
		assign_judge(s);
		return;
	}
	if (s->now.n >= s->p->uops && set < s->first_whole)
		set = s->first_whole;
	for (; set < s->n_sets && s->now.n < ASSIGNMENTS_MAX_PARTS; set++) {
		for (unsigned n = most_left(s, set, cycles); n > 0; n--) {
			s->now.part[s->now.n].ports = s->sets[set];
			s->now.part[s->now.n].whole = set >= s->first_whole;
			s->now.part[s->now.n++].cycles = n;
			assign_move(s, set, n, false);
			assign_from(s, set + 1, cycles - n);
			assign_move(s, set, n, true);
			s->now.n--;
			/* All of its ports, or none. */
			if (set >= s->first_whole)
				break;
		}
		if (!is_possible(s, set + 1, cycles))
			return;
		if (s->now.n >= s->p->uops && set + 1 < s->first_whole)
			set = s->first_whole - 1;
	}
}

size_t assignments_list(const struct assignments_problem *p,
			struct assignment *ret, size_t room, bool *ret_all)
{
	struct assign_search s = {
		.p = p, .ret = ret, .room = room, .all = true
	};
	unsigned most = 0, longest = 0;

	if (p->n_sets <= ASSIGNMENTS_MAX_SETS &&
	    p->n_kernels <= ASSIGNMENTS_MAX_KERNELS)
		assign_start(&s);
	for (size_t i = 0; i < s.n_sets; i++)
		longest = s.most[i] > longest ? s.most[i] : longest;
	/* One uop takes the longest, the others a cycle each, and one holds
	 * several ports. */
	if (p->uops > 0 && longest > 0)
		most = longest + p->uops - 1 + ASSIGNMENTS_MAX_WHOLE;
	for (unsigned cycles = 0; cycles <= most && s.n < room; cycles++) {
		s.n_nodes = 0;
		s.now = (struct assignment){ .cycles = cycles };
		assign_from(&s, 0, cycles);
	}
	*ret_all = s.all && s.n < room;
	return s.n;
}
