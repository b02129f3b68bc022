/* Who waits how long for whom, in whole cycles, before the first one is
 * simulated: latencies of pairs of operands become a few sums. */
#include <math.h>

#include "host/predict/machine.h"

/* Below any time that is compared with it. */
#define LONG_AGO (INT64_MIN / 2)

struct finder {
	struct machine *m;
	uint32_t n_waits, n_late;
	/* Of the op at hand. */
	const struct op *o;
	uint32_t n_results;
	double own[BODY_MAX_EFFECTS + 1]; /* from its start to each result */
	bool apart; /* its results do not wait for one start */
};

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static double longest(const struct op *o, size_t result, bool address)
{
	double most = 0;

	for (size_t r = 0; r <= o->n_reads + 1; r++)
		if (address || (r < o->n_reads && !o->reads[r].address))
			most = fmax(most, op_latency(o, r, result));
	return most;
}

/* It loads, and computes with what is in registers: two uops that start apart.
 * In order both wait for everything. */
static bool computes_later(const struct machine *m, const struct op *o)
{
	if (!o->load || m->b->model->in_order)
		return false;
	for (size_t r = 0; r < o->n_reads; r++)
		if (!o->reads[r].address)
			return true;
	return false;
}

/* How much later than the start a source may come; below zero: it must be
 * there before. */
static double slack(const struct finder *f, size_t read)
{
	double least = INFINITY;

	for (size_t w = 0; w < f->n_results; w++)
		if (op_latency(f->o, read, w) >= 0)
			least = fmin(least,
				     f->own[w] - op_latency(f->o, read, w));
	return isfinite(least) ? least : 0;
}

/* Between a result and its arrival at a reader; both together are whole, their
 * parts need not be. */
static int64_t on_its_way(const struct op *to, const struct link *l)
{
	double cycles = fmax(0, op_latency(to, l->to_read, 0));

	return lround(cycles + l->extra) - lround(cycles);
}

static struct wait wait_of(const struct finder *f, const struct link *l)
{
	return (struct wait){
		.result = f->m->g->first_result[l->from] + l->from_result,
		.distance = l->distance,
		.back = l->distance * (uint32_t)f->m->b->n + l->to - l->from,
		.slot = l->from_result,
		/* What is renamed away starts when it likes. */
		.later = f->o->eliminated
				 ? LONG_AGO
				 : on_its_way(f->o, l) -
					   lround(slack(f, l->to_read)),
	};
}

/* Once for each result, however many operands read it. */
static void add_wait(struct finder *f, uint32_t first, struct wait x)
{
	for (uint32_t i = first; i < f->n_waits; i++) {
		struct wait *known = &f->m->waits[i];

		if (known->result != x.result || known->distance != x.distance)
			continue;
		known->later = later(known->later, x.later);
		return;
	}
	f->m->waits[f->n_waits++] = x;
}

/* Does a result come without something that another of the op waits for? */
static bool is_early(const struct op *o, size_t result)
{
	for (size_t r = 0; r <= op_memory_read(o); r++)
		if (op_latency(o, r, result) < 0)
			return true;
	return false;
}

/* Does a source put the start off that another result does not wait for as
 * long?  Each result then has a time of its own. */
static bool is_apart(const struct finder *f, size_t read)
{
	double least = slack(f, read);

	for (size_t w = 0; w < f->n_results; w++)
		if (op_latency(f->o, read, w) < 0 ||
		    f->own[w] - op_latency(f->o, read, w) > least + 0.5)
			return true;
	return false;
}

/* A source that cannot be later than the start allows needs no look. */
static void add_late(struct finder *f, const struct link *l, uint32_t result,
		     uint32_t w)
{
	double cycles = op_latency(f->o, l->to_read, w);
	struct wait x = wait_of(f, l);
	int64_t by_start = x.later + f->m->own[result];

	if (cycles < 0)
		return;
	x.later = on_its_way(f->o, l) + lround(cycles);
	if (f->m->early[result] || f->apart || x.later > by_start)
		f->m->late[f->n_late++] = x;
}

static int64_t lead(const struct finder *f)
{
	int64_t most = 0;

	for (size_t r = 0; r < f->o->n_reads && !f->o->eliminated; r++)
		if (f->o->reads[r].address)
			most = later(most, -lround(slack(f, r)));
	return most;
}

static void find_op(struct finder *f, uint32_t op, const struct link *links,
		    size_t n)
{
	struct machine *m = f->m;
	uint32_t result = m->g->first_result[op], first = f->n_waits;

	f->o = &m->b->ops[op];
	f->n_results = (uint32_t)op_n_results(f->o);
	for (uint32_t w = 0; w < f->n_results; w++)
		f->own[w] = longest(f->o, w, !computes_later(m, f->o));
	m->lead[op] = lead(f);
	m->first_wait[op] = first;
	f->apart = false;
	for (size_t i = 0; i < n; i++) {
		add_wait(f, first, wait_of(f, &links[i]));
		f->apart = f->apart || is_apart(f, links[i].to_read);
	}
	m->apart[op] = f->apart;
	for (uint32_t w = 0; w < f->n_results; w++, result++) {
		m->first_late[result] = f->n_late;
		m->early[result] = is_early(f->o, w);
		m->has_early[op] |= m->early[result];
		m->own[result] = lround(
			m->early[result] ? longest(f->o, w, true) : f->own[w]);
		for (size_t i = 0; i < n; i++)
			add_late(f, &links[i], result, w);
	}
}

static size_t count_late(const struct graph *g)
{
	size_t n = 1;

	for (size_t i = 0; i < g->n_links; i++)
		n += op_n_results(&g->b->ops[g->links[i].to]);
	return n;
}

void machine_find_waits(struct machine *m)
{
	const struct graph *g = m->g;
	struct finder f = { .m = m };
	size_t from = 0, to = 0;

	m->first_wait = ARENA_ARRAY(m->a, uint32_t, m->b->n + 1);
	m->waits = ARENA_ARRAY(m->a, struct wait, g->n_links + 1);
	m->own = ARENA_ARRAY(m->a, int64_t, g->n_results + 1);
	m->lead = ARENA_ARRAY(m->a, int64_t, m->b->n);
	m->early = ARENA_ARRAY(m->a, bool, g->n_results + 1);
	m->has_early = ARENA_ARRAY(m->a, bool, m->b->n);
	m->apart = ARENA_ARRAY(m->a, bool, m->b->n);
	m->first_late = ARENA_ARRAY(m->a, uint32_t, g->n_results + 1);
	m->late = ARENA_ARRAY(m->a, struct wait, count_late(g));
	for (uint32_t i = 0; i < m->b->n; i++, from = to) {
		while (to < g->n_links && g->links[to].to == i)
			to++;
		find_op(&f, i, g->links + from, to - from);
	}
	m->first_wait[m->b->n] = f.n_waits;
	m->first_late[g->n_results] = f.n_late;
}

/* When the last of these sources is there, and not before `at`. */
static int64_t wait_for(const struct machine *m, const struct wait *x,
			const struct wait *end, uint32_t iteration, int64_t at)
{
	for (; x < end; x++)
		if (x->distance <= iteration)
			at = later(
				at,
				machine_row(m, iteration -
						       x->distance)[x->result] +
					x->later);
	return at;
}

int64_t machine_start(const struct machine *m, uint32_t op, uint32_t iteration)
{
	return wait_for(m, &m->waits[m->first_wait[op]],
			&m->waits[m->first_wait[op + 1]], iteration, 0);
}

/* When a result is there that is begun on at `start`. */
static int64_t result_time(const struct machine *m, uint32_t result,
			   uint32_t iteration, int64_t start)
{
	return wait_for(m, &m->late[m->first_late[result]],
			&m->late[m->first_late[result + 1]], iteration,
			start + m->own[result]);
}

void machine_early_result(struct machine *m, uint32_t result,
			  uint32_t iteration, int64_t start)
{
	machine_row(m, iteration)[result] =
		result_time(m, result, iteration, start);
}

void machine_early(struct machine *m, uint32_t op, uint32_t iteration,
		   int64_t start)
{
	const uint32_t *first = &m->g->first_result[op];

	for (uint32_t r = first[0]; m->has_early[op] && r < first[1]; r++)
		if (m->early[r])
			machine_early_result(m, r, iteration, start);
}

int64_t machine_results(struct machine *m, uint32_t op, uint32_t iteration,
			int64_t start, int64_t free)
{
	const uint32_t *first = &m->g->first_result[op];
	int64_t *ready = machine_row(m, iteration);
	int64_t end = start + (m->b->ops[op].eliminated ? 0 : 1);

	for (uint32_t r = first[0]; r < first[1]; r++) {
		if (m->early[r])
			continue;
		ready[r] = result_time(m, r, iteration,
				       m->apart[op] ? free : start);
		end = later(end, ready[r]);
	}
	return end;
}
