/* An out-of-order core with unlimited ports, to compare predictions with: only
 * width, window and dependencies limit a loop.  Instructions can be simulated
 * in program order: each starts as early as width, window and sources allow. */
#ifndef TESTS_PREDICT_IDEAL_H
#define TESTS_PREDICT_IDEAL_H

#include "host/predict/predict.h"
#include "host/predict/sim.h"

/* Retirement cycles of the last `size` entries of a queue; size 0: no limit. */
struct ring {
	uint32_t size;
	int64_t n, *retire;
};

struct front {
	int64_t cycle;
	uint32_t slot;   /* slots used in this cycle */
	int64_t n_slots; /* slots used in total */
	int64_t *window; /* retirement cycle of each slot */
	/* The same for loads and for vector registers. */
	struct ring loads, registers;
	int64_t retired; /* cycle of the latest retirement */
};

/* Advance to this cycle. */
static void wait_until(struct front *f, int64_t cycle)
{
	if (cycle > f->cycle) {
		f->slot = 0;
		f->cycle = cycle;
	}
}

static void take_slots(struct front *f, const struct sim *m, uint32_t n)
{
	for (; n > 0; n--) {
		int64_t free_at = f->window[f->n_slots % m->window];

		if (f->slot == m->width) {
			f->slot = 0;
			f->cycle++;
		}
		wait_until(f, free_at);
		f->slot++;
		f->n_slots++;
	}
}

/* Advance to the cycle in which the queue has room for n more entries. */
static void wait_for_room(struct front *f, const struct ring *r, uint32_t n)
{
	for (uint32_t k = 0; k < n && r->size > 0; k++)
		wait_until(f, r->retire[(r->n + k) % r->size]);
}

static void ideal_keep(struct ring *r, uint32_t n, int64_t until)
{
	for (uint32_t k = 0; k < n && r->size > 0; k++)
		r->retire[r->n++ % r->size] = until;
}

static struct ring ring_of(const struct sim *m, uint32_t size)
{
	return (struct ring){
		.size = size,
		.retire = ARENA_ARRAY(m->a, int64_t, (size_t)size + 1),
	};
}

static void ideal_retire(struct front *f, const struct sim *m, uint32_t n,
			 int64_t end)
{
	f->retired = sim_later(f->retired, end);
	for (uint32_t k = 1; k <= n; k++)
		f->window[(f->n_slots - k) % m->window] =
			f->retired + m->refill;
}

static void ideal_step(struct sim *m, struct front *f, uint32_t op,
		       uint32_t iteration, int64_t start)
{
	int64_t end;

	sim_early(m, op, iteration, f->cycle);
	end = sim_results(m, op, iteration, start,
			  f->cycle + m->ops[op].load_to_use);

	ideal_retire(f, m, m->ops[op].slots, end);
	ideal_keep(&f->loads, m->ops[op].load, f->retired + m->refill);
	ideal_keep(&f->registers, m->ops[op].registers, f->retired + m->refill);
}

static void ideal_run(struct sim *m)
{
	struct front f = {
		.window = ARENA_ARRAY(m->a, int64_t, m->window),
		.loads = ring_of(m, m->loads),
		.registers = ring_of(m, m->registers),
	};

	for (uint32_t i = 0;; i++) {
		wait_until(&f, sim_fetched(m, i));
		for (uint32_t op = 0; op < m->b->n; op++) {
			wait_for_room(&f, &f.loads, m->ops[op].load);
			wait_for_room(&f, &f.registers, m->ops[op].registers);
			take_slots(&f, m, m->ops[op].slots);
			ideal_step(m, &f, op, i,
				   sim_later(f.cycle + m->ops[op].load_to_use,
					     sim_start(m, op, i)));
		}
		if (sim_iteration(m, f.retired, 0))
			return;
	}
}

/* Cycles of a predicted loop if every uop finds a port in time; at least the
 * bound of the ports. */
static double ideal_cycles(struct arena *a, const struct prediction *p)
{
	struct simulation out;
	struct sim m;

	sim_open(&m, a, &p->graph, &p->pressure, &p->how, &out);
	ideal_run(&m);
	return out.cycles > p->pressure.bound ? out.cycles : p->pressure.bound;
}

#endif
