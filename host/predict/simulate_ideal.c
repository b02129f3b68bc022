/* A core out of order that never lacks a port: instructions can be taken in
 * program order then, each as early as width, window and sources allow. */
#include "host/predict/machine.h"

/* When the last of some instructions retire; any number where size is 0. */
struct ring {
	uint32_t size;
	int64_t n, *retire;
};

struct front {
	int64_t cycle;
	uint32_t slot;                /* used in it */
	int64_t n_slots;              /* in all */
	int64_t *window;              /* when the slots before retire */
	struct ring loads, registers; /* the same of some */
	int64_t retired;              /* the latest */
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

/* Wait until so many more have room in the ring. */
static void wait_for_room(struct front *f, const struct ring *r, uint32_t n)
{
	for (uint32_t k = 0; k < n && r->size > 0; k++) {
		int64_t free_at = r->retire[(r->n + k) % r->size];

		if (free_at > f->cycle) {
			f->slot = 0;
			f->cycle = free_at;
		}
	}
}

static void keep(struct ring *r, uint32_t n, int64_t until)
{
	for (uint32_t k = 0; k < n && r->size > 0; k++)
		r->retire[r->n++ % r->size] = until;
}

static struct ring ring_of(const struct machine *m, uint32_t size)
{
	return (struct ring){
		.size = size,
		.retire = ARENA_ARRAY(m->a, int64_t, (size_t)size + 1),
	};
}

static void retire(struct front *f, const struct machine *m, uint32_t n,
		   int64_t end)
{
	f->retired = later(f->retired, end);
	for (uint32_t k = 1; k <= n; k++)
		f->window[(f->n_slots - k) % m->window] =
			f->retired + m->refill;
}

static void step(struct machine *m, struct front *f, uint32_t op,
		 uint32_t iteration, int64_t start)
{
	int64_t end;

	machine_early(m, op, iteration, f->cycle);
	end = machine_results(m, op, iteration, start, f->cycle + m->lead[op]);

	retire(f, m, m->op_slots[op], end);
	keep(&f->loads, m->b->ops[op].load, f->retired + m->refill);
	keep(&f->registers, m->op_registers[op], f->retired + m->refill);
	machine_event(m, iteration, op, f->cycle, start, end, f->retired);
}

void machine_run_ideal(struct machine *m)
{
	struct front f = {
		.window = ARENA_ARRAY(m->a, int64_t, m->window),
		.loads = ring_of(m, m->loads),
		.registers = ring_of(m, m->registers),
	};

	for (uint32_t i = 0;; i++) {
		for (uint32_t op = 0; op < m->b->n; op++) {
			wait_for_room(&f, &f.loads, m->b->ops[op].load);
			wait_for_room(&f, &f.registers, m->op_registers[op]);
			take_slots(&f, m, m->op_slots[op]);
			step(m, &f, op, i,
			     later(f.cycle + m->lead[op],
				   machine_start(m, op, i)));
		}
		if (machine_iteration(m, f.retired))
			return;
	}
}
