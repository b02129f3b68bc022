/* See cells.h. Find cycles m(C) for each cell C (intersection of saturated
 * sets) such that
 *
 *	u(Q) = sum of m(C) over all C inside Q
 *
 * for every saturated Q. The form may not have more uops than slots, nor be
 * slower than it was measured alone. Of several answers, prefer the one that
 * explains the time alone, then the one with the fewest cycles. */
#include "host/ports/cells.h"

#include <math.h>
#include <string.h>

enum {
	MAX_SETS = 128,
	MAX_CELLS = 48,
	MAX_SLOTS = 8,
	MAX_NODES = 200 * 1000,
};

const double cells_some = 0.3;
/* A real scheduler may be this much slower than the ports allow. */
static const double scheduler_slowdown = 0.12;

struct cells_search {
	const struct cells_problem *p;
	long left[MAX_SETS]; /* of u, not yet explained */
	bool known[MAX_SETS];
	size_t n_cells;
	model_ports cells[MAX_CELLS];
	long cycles[MAX_CELLS];
	unsigned slots;
	size_t n_nodes, most_nodes;
	bool found;
	struct cells_answer *best;
};

static bool lies_in(model_ports x, model_ports y)
{
	return (x & ~y) == 0;
}

/* ---- cells ----------------------------------------------------------- */

/* Does some kernel show that nothing is confined to this set? */
static bool is_empty(const struct cells_search *s, model_ports set)
{
	if (set == 0)
		return true;
	for (size_t i = 0; i < s->p->n_sets; i++)
		if (s->known[i] && s->left[i] == 0 &&
		    lies_in(set, s->p->sets[i]))
			return true;
	return false;
}

static bool add_cell(struct cells_search *s, model_ports set)
{
	for (size_t i = 0; i < s->n_cells; i++)
		if (s->cells[i] == set)
			return true;
	if (is_empty(s, set))
		return true;
	if (s->n_cells == MAX_CELLS)
		return false;
	s->cells[s->n_cells++] = set;
	return true;
}

static bool find_cells(struct cells_search *s)
{
	for (size_t i = 0; i < s->p->n_sets; i++) {
		size_t before = s->n_cells;

		if (!s->known[i])
			continue;
		if (!add_cell(s, s->p->sets[i]))
			return false;
		for (size_t k = 0; k < before; k++)
			if (!add_cell(s, s->cells[k] & s->p->sets[i]))
				return false;
	}
	/* Smallest first. */
	for (size_t i = 1; i < s->n_cells; i++)
		for (size_t k = i;
		     k > 0 && model_ports_count(s->cells[k]) <
				      model_ports_count(s->cells[k - 1]);
		     k--) {
			model_ports swap = s->cells[k];

			s->cells[k] = s->cells[k - 1];
			s->cells[k - 1] = swap;
		}
	return true;
}

/* ---- the search ---------------------------------------------------------- */

static long most_in(const struct cells_search *s, model_ports cell)
{
	long most = -1;

	for (size_t i = 0; i < s->p->n_sets; i++)
		if (s->known[i] && lies_in(cell, s->p->sets[i]) &&
		    (most < 0 || s->left[i] < most))
			most = s->left[i];
	return most < 0 ? 0 : most;
}

static void cells_take(struct cells_search *s, size_t cell, long cycles)
{
	s->cycles[cell] += cycles;
	for (size_t i = 0; i < s->p->n_sets; i++)
		if (lies_in(s->cells[cell], s->p->sets[i]))
			s->left[i] -= cycles;
}

/* If a set has more cycles than there are slots left, one of its uops holds its
 * port for longer. */
static void fill_uses(const struct cells_search *s, struct cells_answer *a)
{
	long n_sets = 0, all = 0, over;
	long slots = s->p->least > 0 ? (long)s->p->least : (long)s->slots;

	*a = (struct cells_answer){ .n_uses = 0 };
	for (size_t c = 0; c < s->n_cells; c++) {
		n_sets += s->cycles[c] > 0;
		all += s->cycles[c];
	}
	over = all > slots ? all - slots : 0;
	a->cycles = (double)all;
	while (n_sets-- > 0) {
		struct model_use *u = &a->uses[a->n_uses];
		size_t most = s->n_cells;
		long here, less;

		/* Largest number of cycles first: the slow uop is searched for
		 * there. */
		for (size_t c = 0; c < s->n_cells; c++) {
			bool there = s->cycles[c] == 0;

			for (size_t k = 0; k < a->n_uses; k++)
				there |= a->uses[k].ports == s->cells[c];
			if (!there && (most == s->n_cells ||
				       s->cycles[c] > s->cycles[most]))
				most = c;
		}
		here = s->cycles[most];
		less = over < here - 1 ? over : here - 1;
		over -= less;
		*u = (struct model_use){ s->cells[most], (double)(here - less),
					 1 };
		a->n_uops += u->n_uops;
		a->n_uses++;
		if (less == 0)
			continue;
		if (u->n_uops > 1) {
			u->n_uops--;
			a->uses[a->n_uses] =
				(struct model_use){ s->cells[most], 1, 1 };
			u = &a->uses[a->n_uses++];
		}
		u->cycles = 1 + (double)less;
	}
}

static bool cells_is_better(const struct cells_answer *x,
			    const struct cells_answer *y)
{
	if (x->explains != y->explains)
		return x->explains;
	return x->cycles < y->cycles;
}

static void cells_judge(struct cells_search *s)
{
	const struct cells_problem *p = s->p;
	struct cells_answer a;
	double cycles;

	for (size_t i = 0; i < p->n_sets; i++)
		if (s->known[i] && s->left[i] != 0)
			return;
	fill_uses(s, &a);
	cycles = fmax(model_port_bound(a.uses, a.n_uses, NULL),
		      p->slots / p->width);
	if (cycles > p->alone * (1 + p->above))
		return;
	a.explains = p->alone <= cycles * (1 + scheduler_slowdown);
	if (!s->found || cells_is_better(&a, s->best)) {
		bool open = s->found && s->best->explains == a.explains;

		*s->best = a;
		s->best->is_open = open;
	} else if (s->best->explains == a.explains) {
		s->best->is_open = true;
	}
	s->found = true;
}

/* Can the remaining cycles of every set be explained by later cells? */
static bool cells_is_possible(const struct cells_search *s, size_t cell)
{
	for (size_t i = 0; i < s->p->n_sets; i++) {
		bool later = false;

		if (!s->known[i] || s->left[i] == 0)
			continue;
		for (size_t c = cell; c < s->n_cells && !later; c++)
			later = lies_in(s->cells[c], s->p->sets[i]);
		if (!later)
			return false;
	}
	return true;
}

/* Try whole uops, or one slow uop that takes all remaining cycles. */
static void cells_search(struct cells_search *s, size_t cell, unsigned slots)
{
	long most, few = (long)slots;

	if (s->n_nodes++ > s->most_nodes || !cells_is_possible(s, cell))
		return;
	if (cell == s->n_cells) {
		cells_judge(s);
		return;
	}
	cells_search(s, cell + 1, slots);
	if (slots == 0)
		return;
	most = most_in(s, s->cells[cell]);
	for (long n = 1; n <= most; n++) {
		if (n > few && n < most - (long)s->slots)
			n = most - (long)s->slots;
		cells_take(s, cell, n);
		cells_search(s, cell + 1,
			     n > few ? slots - 1 : slots - (unsigned)n);
		cells_take(s, cell, -n);
	}
}

bool cells_solve(const struct cells_problem *p, struct cells_answer *ret)
{
	struct cells_search s = { .p = p, .best = ret, .slots = p->slots };

	if (p->n_sets > MAX_SETS || p->slots == 0)
		return false;
	s.most_nodes = p->effort > 0 ? p->effort : MAX_NODES;
	if (s.slots > MAX_SLOTS)
		s.slots = MAX_SLOTS;
	for (size_t i = 0; i < p->n_sets; i++) {
		s.known[i] = isfinite(p->u[i]);
		if (!s.known[i])
			continue;
		s.left[i] = lround(p->u[i]);
		if (fabs(p->u[i] - (double)s.left[i]) >
		    (p->rough > 0 ? p->rough : cells_some))
			return false;
	}
	if (!find_cells(&s))
		return false;
	cells_search(&s, 0, s.slots);
	if (s.n_nodes > s.most_nodes)
		return false;
	return s.found;
}
