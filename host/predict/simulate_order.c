/* Simulators that take instructions in program order: cores that start them in
 * order, and one that never lacks a port. */
#include <math.h>

#include "host/predict/machine.h"

struct front {
	int64_t cycle;
	uint32_t slot;   /* used in it */
	int64_t n_slots; /* in all */
	int64_t *window; /* when the slots before retire */
	int64_t retired; /* the latest */
	int64_t last_start;
	uint32_t last_op;
	bool any;
	double port_free[MODEL_MAX_PORTS];
};

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void take_slots(struct front *f, const struct machine *m, uint32_t n)
{
	for (; n > 0; n--) {
		int64_t free_at = f->window[f->n_slots % m->window];

		if (f->slot == m->width) {
			f->slot = 0;
			f->cycle++;
		}
		if (free_at > f->cycle) {
			f->slot = 0;
			f->cycle = free_at;
		}
		f->slot++;
		f->n_slots++;
	}
}

static void retire(struct front *f, const struct machine *m, uint32_t n,
		   int64_t end)
{
	f->retired = later(f->retired, end);
	for (uint32_t k = 1; k <= n; k++)
		f->window[(f->n_slots - k) % m->window] = f->retired;
}

static void step(struct machine *m, struct front *f, uint32_t op,
		 uint32_t iteration, int64_t start)
{
	int64_t end = machine_results(m, op, iteration, start);

	retire(f, m, m->op_slots[op], end);
	machine_event(m, iteration, op, f->cycle, start, end, f->retired);
}

void machine_run_ideal(struct machine *m)
{
	struct front f = { .window = ARENA_ARRAY(m->a, int64_t, m->window) };

	for (uint32_t i = 0;; i++) {
		for (uint32_t op = 0; op < m->b->n; op++) {
			take_slots(&f, m, m->op_slots[op]);
			step(m, &f, op, i,
			     later(f.cycle, machine_start(m, op, i)));
		}
		if (machine_iteration(m, f.retired))
			return;
	}
}

/* ---- in order ---------------------------------------------------------- */

/* May it start in the same cycle as the one before? */
static bool pairs(const struct machine *m, uint32_t first, uint32_t second)
{
	const struct model *model = m->b->model;
	const struct model_form *a = m->b->ops[first].form;
	const struct model_form *b = m->b->ops[second].form;

	if (model->n_pairs == 0 || !a || !b || a->pairing == 0 ||
	    b->pairing == 0)
		return true;
	return model->pairs[a->pairing][b->pairing];
}

/* The first cycle from `from` on in which every uop finds a port. */
static int64_t find_ports(struct front *f, const struct machine *m, uint32_t op,
			  int64_t from)
{
	const struct op *o = &m->b->ops[op];

	for (size_t u = 0; u < o->n_uses; u++) {
		long n = lround(fmax(1, o->uses[u].n_uops));

		for (long k = 0; k < n && k < 64; k++) {
			size_t best = MODEL_MAX_PORTS;

			for (size_t p = 0; p < m->b->model->n_ports; p++)
				if ((o->uses[u].ports >> p & 1) &&
				    (best == MODEL_MAX_PORTS ||
				     f->port_free[p] < f->port_free[best]))
					best = p;
			if (best == MODEL_MAX_PORTS)
				continue;
			from = later(from,
				     (int64_t)ceil(f->port_free[best] - 1e-9));
			f->port_free[best] = (double)from + o->uses[u].cycles;
		}
	}
	return from;
}

void machine_run_in_order(struct machine *m)
{
	struct front f = { .window = ARENA_ARRAY(m->a, int64_t, m->window) };

	for (uint32_t i = 0;; i++) {
		for (uint32_t op = 0; op < m->b->n; op++) {
			int64_t start;

			take_slots(&f, m, m->op_slots[op]);
			start = later(f.cycle, machine_start(m, op, i));
			start = later(start, f.last_start);
			if (f.any && start == f.last_start &&
			    !pairs(m, f.last_op, op))
				start++;
			start = find_ports(&f, m, op, start);
			/* Issue itself waits: nothing overtakes. */
			if (start > f.cycle) {
				f.cycle = start;
				f.slot = m->op_slots[op];
			}
			f.last_start = start;
			f.last_op = op;
			f.any = true;
			step(m, &f, op, i, start);
		}
		if (machine_iteration(m, f.retired))
			return;
	}
}
