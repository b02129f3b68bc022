/* Precompute operand-ready offsets in whole cycles. They replace the latencies
 * of operand pairs during the simulation. */
#include <math.h>

#include "host/predict/sim.h"

/* Less than any time that it is compared with. */
#define LONG_AGO (INT64_MIN / 2)

struct dependency_finder {
	struct sim *m;
	uint32_t n_dependencies, n_extra, n_timed;
	bool *is_read; /* per result, of some instruction of the loop */
	/* State of the current op. */
	const struct op *o;
	struct sim_op *x;
	uint32_t n_results;
	/* Cycles from its start to each result. */
	double latency[BODY_MAX_SPANS + 1];
	bool rounds;   /* its latencies to whole cycles */
	uint8_t parts; /* of the latencies from what it computes with */
};

/* Latencies that are means of instances that differ, on two ports for example,
 * take a cycle more in some of so many consecutive iterations: halves, thirds
 * and quarters come out. */
enum { PARTS = 12 };

/* Whole cycles of a latency, and in how many of PARTS iterations it takes one
 * more: 0 if it is within an eighth of a whole number. */
static int64_t split_cycles(double cycles, uint8_t *ret_parts)
{
	int64_t whole = (int64_t)floor(cycles);
	long parts = lround(PARTS * (cycles - (double)whole));

	whole += parts >= PARTS - 1;
	*ret_parts = parts <= 1 || parts >= PARTS - 1 ? 0 : (uint8_t)parts;
	return whole;
}

/* Have all latencies from the registers that the op computes with the same
 * fraction? */
static bool has_one_fraction(const struct op *o, uint8_t *ret_parts)
{
	uint8_t parts;
	bool any = false;

	*ret_parts = 0;

	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < op_n_results(o); w++) {
			double cycles = op_latency(o, r, w);

			if (cycles < 0 || o->reads[r].address)
				continue;
			(void)split_cycles(cycles, &parts);
			if (any && parts != *ret_parts)
				return false;
			*ret_parts = parts;
			any = true;
		}
	return true;
}

/* Round to whole cycles if the core is in order, if the latencies have
 * different fractions, or if a link's delay is a fraction: then only its sum
 * with the latency was measured. */
static bool must_round(struct dependency_finder *f, const struct link *links,
		       size_t n)
{
	static const double whole = 0.1;
	bool ret =
		!has_one_fraction(f->o, &f->parts) || f->m->b->model->in_order;

	for (size_t i = 0; i < n; i++)
		ret |= fabs(links[i].extra - round(links[i].extra)) > whole;
	return ret;
}

/* Latencies from addresses may have another fraction, and are rounded. */
static int64_t whole_cycles(const struct dependency_finder *f, double cycles)
{
	uint8_t parts;
	int64_t whole = split_cycles(cycles, &parts);

	return f->rounds || (parts != 0 && parts != f->parts) ? lround(cycles)
							      : whole;
}

static double longest_latency(const struct op *o, size_t result, bool address)
{
	double most = 0;

	for (size_t r = 0; r <= o->n_reads + 1; r++)
		if (address || (r < o->n_reads && !o->reads[r].address))
			most = fmax(most, op_latency(o, r, result));
	return most;
}

/* Does the op load and then compute with a register? It has two uops that start
 * separately. On an in-order core both wait for all sources. */
static bool computes_later(const struct sim *m, const struct op *o)
{
	if (!o->load || m->b->model->in_order)
		return false;
	for (size_t r = 0; r < o->n_reads; r++)
		if (!o->reads[r].address)
			return true;
	return false;
}

/* How many cycles after the start a source may arrive. Negative: it must be
 * ready before the start. On an in-order core all results follow from the
 * start, so no source may delay it beyond the latency of a pair. */
static double source_slack(const struct dependency_finder *f, size_t read)
{
	bool in_order = f->m->b->model->in_order;
	double slack = in_order ? -INFINITY : INFINITY;

	for (size_t w = 0; w < f->n_results; w++) {
		double cycles = op_latency(f->o, read, w);

		if (cycles < 0)
			continue;
		slack = in_order
				? fmax(slack, f->latency[w] - cycles)
				: fmin(slack,
				       (double)(whole_cycles(f, f->latency[w]) -
						whole_cycles(f, cycles)));
	}
	return isfinite(slack) ? slack : 0;
}

/* Cycles from a result to its consumer's input. They are rounded so that their
 * sum with the latency is whole. */
static int64_t bypass_cycles(const struct dependency_finder *f,
			     const struct link *l)
{
	double cycles = fmax(0, op_latency(f->o, l->to_read, 0));

	if (!f->rounds)
		return lround(l->extra);
	return lround(cycles + l->extra) - lround(cycles);
}

/* Is it a register of the decoupled unit, not in an address? */
static bool is_of_unit(const struct op *o, const struct link *l)
{
	return o->decoupled > 0 && l->to_read < o->n_reads &&
	       !o->reads[l->to_read].address &&
	       o->reads[l->to_read].unit / BODY_BANK_UNITS == o->decoupled_bank;
}

/* Is it stored data for which the start does not wait? */
static bool is_late(const struct op *o, const struct link *l)
{
	return o->late_data && is_of_unit(o, l);
}

static struct dependency of_link(const struct dependency_finder *f,
				 const struct link *l)
{
	const struct op *o = f->o;

	return (struct dependency){
		.access = l->to_read >= o->n_reads ||
			  o->reads[l->to_read].address,
		.in_queue = is_of_unit(o, l),
		.result = f->m->g->first_result[l->from] + l->from_result,
		.distance = l->distance,
		.back = l->distance * (uint32_t)f->m->b->n + l->to - l->from,
		.slot = l->from_result,
		/* Eliminated moves have no start constraint. */
		.cycles = o->eliminated
				  ? LONG_AGO
				  : bypass_cycles(f, l) -
					    lround(source_slack(f, l->to_read)),
	};
}

/* Merge the dependencies of one op on the same result. */
static void add_dependency(struct dependency_finder *f, struct dependency x)
{
	for (uint32_t i = f->x->first_dependency; i < f->n_dependencies; i++) {
		struct dependency *known = &f->m->dependencies[i];

		if (known->result != x.result || known->distance != x.distance)
			continue;
		known->cycles = sim_later(known->cycles, x.cycles);
		known->access |= x.access;
		known->in_queue &= x.in_queue;
		return;
	}
	f->m->dependencies[f->n_dependencies++] = x;
}

/* Is there a source that this result does not depend on, while another result
 * of the op does? */
static bool is_early(const struct op *o, size_t result)
{
	for (size_t r = 0; r <= op_memory_read(o); r++)
		if (op_latency(o, r, result) < 0)
			return true;
	return false;
}

/* Can a source delay the start by more than it delays some result? Then each
 * result needs a time of its own, except on an in-order core. */
static bool splits_results(const struct dependency_finder *f, size_t read)
{
	double least = source_slack(f, read);

	if (f->m->b->model->in_order)
		return false;
	for (size_t w = 0; w < f->n_results; w++)
		if (op_latency(f->o, read, w) < 0 ||
		    (double)(whole_cycles(f, f->latency[w]) -
			     whole_cycles(f, op_latency(f->o, read, w))) >
			    least + 0.5)
			return true;
	return false;
}

/* Add the dependency of a result, unless the start of the op already implies
 * it. */
static void add_extra(struct dependency_finder *f, const struct link *l,
		      const struct sim_result *r, uint32_t w)
{
	double cycles = op_latency(f->o, l->to_read, w);
	struct dependency x = of_link(f, l);
	int64_t by_start = x.cycles + r->latency;

	if (cycles < 0)
		return;
	x.cycles = bypass_cycles(f, l) + whole_cycles(f, cycles);
	if (r->is_early || f->x->split_results || x.cycles > by_start ||
	    is_late(f->o, l))
		f->m->extra_dependencies[f->n_extra++] = x;
}

static int64_t find_load_to_use(const struct dependency_finder *f)
{
	int64_t most = 0;

	for (size_t r = 0; r < f->o->n_reads && !f->o->eliminated; r++)
		if (f->o->reads[r].address)
			most = sim_later(most, -lround(source_slack(f, r)));
	return most;
}

/* Whole cycles of a result from the start of its op, and what operands can
 * delay it further. */
static void find_result(struct dependency_finder *f, uint32_t result,
			uint32_t w, const struct link *links, size_t n)
{
	struct sim_result *r = &f->m->results[result];
	double cycles;

	r->first_extra = f->n_extra;
	r->is_early = is_early(f->o, w);
	cycles = r->is_early ? longest_latency(f->o, w, true) : f->latency[w];
	r->latency =
		f->rounds ? lround(cycles) : split_cycles(cycles, &r->parts);
	f->m->has_parts |= r->parts > 0;
	f->x->has_early |= r->is_early;
	for (size_t i = 0; i < n; i++)
		add_extra(f, &links[i], r, w);
	if (r->is_early)
		return;
	/* Else it only delays the retirement. */
	if (f->is_read[result] || f->n_extra > r->first_extra)
		f->m->timed[f->n_timed++] = result;
	else
		f->x->other_latency =
			sim_later(f->x->other_latency, r->latency);
}

static void find_op(struct dependency_finder *f, uint32_t op,
		    const struct link *links, size_t n)
{
	struct sim *m = f->m;
	struct sim_op *x = &m->ops[op];

	f->o = &m->b->ops[op];
	f->x = x;
	f->n_results = (uint32_t)op_n_results(f->o);
	f->rounds = must_round(f, links, n);
	for (uint32_t w = 0; w < f->n_results; w++)
		f->latency[w] =
			longest_latency(f->o, w, !computes_later(m, f->o));
	x->load_to_use = find_load_to_use(f);
	x->least_cycles = !f->o->eliminated;
	x->first_dependency = f->n_dependencies;
	x->first_timed = f->n_timed;
	for (size_t i = 0; i < n; i++) {
		if (!is_late(f->o, &links[i]))
			add_dependency(f, of_link(f, &links[i]));
		x->split_results |= splits_results(f, links[i].to_read);
	}
	for (uint32_t w = 0; w < f->n_results; w++)
		find_result(f, m->g->first_result[op] + w, w, links, n);
}

void sim_find_dependencies(struct sim *m)
{
	const struct dep_graph *g = m->g;
	struct dependency_finder f = { .m = m };
	size_t n_extra = 1;

	for (size_t i = 0; i < g->n_links; i++)
		n_extra += op_n_results(&g->b->ops[g->links[i].to]);
	m->results = ARENA_ARRAY(m->a, struct sim_result, g->n_results + 1);
	m->dependencies = ARENA_ARRAY(m->a, struct dependency, g->n_links + 1);
	m->extra_dependencies = ARENA_ARRAY(m->a, struct dependency, n_extra);
	m->timed = ARENA_ARRAY(m->a, uint32_t, g->n_results + 1);
	f.is_read = ARENA_ARRAY(m->a, bool, g->n_results + 1);
	for (size_t i = 0; i < g->n_links; i++)
		f.is_read[g->first_result[g->links[i].from] +
			  g->links[i].from_result] = true;
	for (size_t i = 0, from = 0, to = 0; i < m->b->n; i++, from = to) {
		while (to < g->n_links && g->links[to].to == i)
			to++;
		find_op(&f, (uint32_t)i, g->links + from, to - from);
	}
	m->ops[m->b->n].first_dependency = f.n_dependencies;
	m->ops[m->b->n].first_timed = f.n_timed;
	m->results[g->n_results].first_extra = f.n_extra;
}

/* The latest of `at` and the cycles in which these sources are ready. */
static int64_t ready_time(const struct sim *m, const struct dependency *x,
			  const struct dependency *end, uint32_t iteration,
			  int64_t at)
{
	for (; x < end; x++)
		at = sim_later(at, sim_source(m, x, iteration));
	return at;
}

int64_t sim_start(const struct sim *m, uint32_t op, uint32_t iteration)
{
	return ready_time(m, &m->dependencies[m->ops[op].first_dependency],
			  &m->dependencies[m->ops[op + 1].first_dependency],
			  iteration, 0);
}

bool sim_takes_more(const struct sim *m, uint32_t result, uint32_t iteration)
{
	uint32_t parts = m->results[result].parts;

	return iteration % PARTS * parts % PARTS + parts >= PARTS;
}

/* When a result is ready if its op starts at `start`. */
static int64_t result_time(const struct sim *m, uint32_t result,
			   uint32_t iteration, int64_t start)
{
	return ready_time(
		m, &m->extra_dependencies[m->results[result].first_extra],
		&m->extra_dependencies[m->results[result + 1].first_extra],
		iteration,
		start + m->results[result].latency +
			(m->has_parts && sim_takes_more(m, result, iteration)));
}

void sim_set_early(struct sim *m, uint32_t result, uint32_t iteration,
		   int64_t start)
{
	sim_row(m, iteration)[result] =
		result_time(m, result, iteration, start);
}

void sim_early(struct sim *m, uint32_t op, uint32_t iteration, int64_t start)
{
	const uint32_t *first = &m->g->first_result[op];

	for (uint32_t r = first[0]; m->ops[op].has_early && r < first[1]; r++)
		if (m->results[r].is_early)
			sim_set_early(m, r, iteration, start);
}

int64_t sim_results(struct sim *m, uint32_t op, uint32_t iteration,
		    int64_t start, int64_t earliest)
{
	const uint32_t *timed = &m->timed[m->ops[op].first_timed];
	const uint32_t *last = &m->timed[m->ops[op + 1].first_timed];
	int64_t *ready = sim_row(m, iteration);
	int64_t from = m->ops[op].split_results ? earliest : start;
	int64_t end = sim_later(start + m->ops[op].least_cycles,
				from + m->ops[op].other_latency);

	for (; timed < last; timed++) {
		ready[*timed] = result_time(m, *timed, iteration, from);
		end = sim_later(end, ready[*timed]);
	}
	return end;
}
