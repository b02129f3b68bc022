/* See cells.h.  A set m(C) of cycles for each intersection C, such that
 *
 *	u(Q) = sum of m(C) over all C inside Q
 *
 * for every flooded Q, on no more sets than the form has slots, and no slower
 * than the form is alone.  Of those that agree, first what explains the time
 * alone, then the fewest cycles. */
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
/* A scheduler may be so much slower than the ports. */
static const double slower = 0.12;

struct search {
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

/* ---- the sets that can be told apart ------------------------------------- */

/* Does some flood say that nothing is confined to this? */
static bool is_empty(const struct search *s, model_ports set)
{
	if (set == 0)
		return true;
	for (size_t i = 0; i < s->p->n_sets; i++)
		if (s->known[i] && s->left[i] == 0 &&
		    lies_in(set, s->p->sets[i]))
			return true;
	return false;
}

static bool add_cell(struct search *s, model_ports set)
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

static bool find_cells(struct search *s)
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

static long most_in(const struct search *s, model_ports cell)
{
	long most = -1;

	for (size_t i = 0; i < s->p->n_sets; i++)
		if (s->known[i] && lies_in(cell, s->p->sets[i]) &&
		    (most < 0 || s->left[i] < most))
			most = s->left[i];
	return most < 0 ? 0 : most;
}

static void take(struct search *s, size_t cell, long cycles)
{
	s->cycles[cell] += cycles;
	for (size_t i = 0; i < s->p->n_sets; i++)
		if (lies_in(s->cells[cell], s->p->sets[i]))
			s->left[i] -= cycles;
}

/* One uop of each set that has more cycles than slots are left holds its port
 * for longer. */
static void fill_uses(const struct search *s, struct cells_answer *a)
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

		/* Longest first: there the slow uop is looked for. */
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

static bool is_better(const struct cells_answer *x,
		      const struct cells_answer *y)
{
	if (x->explains != y->explains)
		return x->explains;
	return x->cycles < y->cycles;
}

static void judge(struct search *s)
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
	a.explains = p->alone <= cycles * (1 + slower);
	if (!s->found || is_better(&a, s->best)) {
		bool open = s->found && s->best->explains == a.explains;

		*s->best = a;
		s->best->is_open = open;
	} else if (s->best->explains == a.explains) {
		s->best->is_open = true;
	}
	s->found = true;
}

/* Can what is left of every set still be explained by later cells? */
static bool is_possible(const struct search *s, size_t cell)
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

/* Whole uops, or a slow one that is all that is left but for some. */
static void search(struct search *s, size_t cell, unsigned slots)
{
	long most, few = (long)slots;

	if (s->n_nodes++ > s->most_nodes || !is_possible(s, cell))
		return;
	if (cell == s->n_cells) {
		judge(s);
		return;
	}
	search(s, cell + 1, slots);
	if (slots == 0)
		return;
	most = most_in(s, s->cells[cell]);
	for (long n = 1; n <= most; n++) {
		if (n > few && n < most - (long)s->slots)
			n = most - (long)s->slots;
		take(s, cell, n);
		search(s, cell + 1, n > few ? slots - 1 : slots - (unsigned)n);
		take(s, cell, -n);
	}
}

bool cells_solve(const struct cells_problem *p, struct cells_answer *ret)
{
	struct search s = { .p = p, .best = ret, .slots = p->slots };

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
	search(&s, 0, s.slots);
	if (s.n_nodes > s.most_nodes)
		return false;
	return s.found;
}
