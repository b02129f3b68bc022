/* Precompute operand-ready offsets in whole cycles. They replace the latencies
 * of operand pairs during the simulation. */
#include <math.h>

#include "host/predict/machine.h"

/* Less than any time that it is compared with. */
#define LONG_AGO (INT64_MIN / 2)

struct dependency_finder {
	struct sim_machine *m;
	uint32_t n_dependencies, n_extra, n_timed;
	bool *is_read; /* per result, of some instruction of the loop */
	/* State of the current op. */
	const struct op *o;
	uint32_t n_results;
	/* Cycles from its start to each result. */
	double latency[BODY_MAX_EFFECTS + 1];
	bool split_results; /* each result waits for its own operands */
	bool rounds;        /* its latencies to whole cycles */
	uint8_t parts;      /* of the latencies from what it computes with */
};

/* Latencies that are means of instances that differ, on two ports for example, take a
 * cycle more in some of so many consecutive iterations: halves, thirds and quarters
 * come out. */
enum { PARTS = 12 };

static int64_t dependencies_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Whole cycles of a latency, and in how many of PARTS iterations it takes one more: 0 if
 * it is within an eighth of a whole number. */
static int64_t split_cycles(double cycles, uint8_t *ret_parts)
{
	int64_t whole = (int64_t)floor(cycles);
	long parts = lround(PARTS * (cycles - (double)whole));

	whole += parts >= PARTS - 1;
	*ret_parts = parts <= 1 || parts >= PARTS - 1 ? 0 : (uint8_t)parts;
	return whole;
}

/* Have all latencies from the registers that the op computes with the same fraction? */
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

/* Round to whole cycles if the core is in order, if the latencies have different
 * fractions, or if a link's delay is a fraction: then only its sum with the latency was
 * measured. */
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
static int64_t dependencies_whole(const struct dependency_finder *f,
				  double cycles)
{
	uint8_t parts;
	int64_t whole = split_cycles(cycles, &parts);

	return f->rounds || (parts != 0 && parts != f->parts) ? lround(cycles)
							      : whole;
}

static double dependencies_longest(const struct op *o, size_t result,
				   bool address)
{
	double most = 0;

	for (size_t r = 0; r <= o->n_reads + 1; r++)
		if (address || (r < o->n_reads && !o->reads[r].address))
			most = fmax(most, op_latency(o, r, result));
	return most;
}

/* Does the op load and then compute with a register? It has two uops that start
 * separately. On an in-order core both wait for all sources. */
static bool computes_later(const struct sim_machine *m, const struct op *o)
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
static double dependencies_slack(const struct dependency_finder *f, size_t read)
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
				       (double)(dependencies_whole(
							f, f->latency[w]) -
						dependencies_whole(f, cycles)));
	}
	return isfinite(slack) ? slack : 0;
}

/* Cycles from a result to its consumer's input. They are rounded so that their
 * sum with the latency is whole. */
static int64_t dependencies_bypass_cycles(const struct dependency_finder *f,
					  const struct link *l)
{
	double cycles = fmax(0, op_latency(f->o, l->to_read, 0));

	if (!f->rounds)
		return lround(l->extra);
	return lround(cycles + l->extra) - lround(cycles);
}

static struct dependency dependencies_of_link(const struct dependency_finder *f,
					      const struct link *l)
{
	const struct op *o = f->o;

	return (struct dependency){
		.access = l->to_read >= o->n_reads ||
			  o->reads[l->to_read].address,
		.result = f->m->g->first_result[l->from] + l->from_result,
		.distance = l->distance,
		.back = l->distance * (uint32_t)f->m->b->n + l->to - l->from,
		.slot = l->from_result,
		/* Eliminated moves have no start constraint. */
		.cycles = o->eliminated ? LONG_AGO
					: dependencies_bypass_cycles(f, l) -
						  lround(dependencies_slack(
							  f, l->to_read)),
	};
}

/* Merge the dependencies of one op on the same result. */
static void dependencies_add(struct dependency_finder *f, uint32_t first,
			     struct dependency x)
{
	for (uint32_t i = first; i < f->n_dependencies; i++) {
		struct dependency *known = &f->m->dependencies[i];

		if (known->result != x.result || known->distance != x.distance)
			continue;
		known->cycles = dependencies_max(known->cycles, x.cycles);
		known->access |= x.access;
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
static bool dependencies_split_results(const struct dependency_finder *f,
				       size_t read)
{
	double least = dependencies_slack(f, read);

	if (f->m->b->model->in_order)
		return false;
	for (size_t w = 0; w < f->n_results; w++)
		if (op_latency(f->o, read, w) < 0 ||
		    (double)(dependencies_whole(f, f->latency[w]) -
			     dependencies_whole(f, op_latency(f->o, read, w))) >
			    least + 0.5)
			return true;
	return false;
}

/* Add the dependency of a result, unless the start of the op already implies
 * it. */
static void dependencies_add_extra(struct dependency_finder *f,
				   const struct link *l, uint32_t result,
				   uint32_t w)
{
	double cycles = op_latency(f->o, l->to_read, w);
	struct dependency x = dependencies_of_link(f, l);
	int64_t by_start = x.cycles + f->m->latency[result];

	if (cycles < 0)
		return;
	x.cycles = dependencies_bypass_cycles(f, l) +
		   dependencies_whole(f, cycles);
	if (f->m->early_result[result] || f->split_results ||
	    x.cycles > by_start)
		f->m->extra_dependencies[f->n_extra++] = x;
}

static int64_t dependencies_load_to_use(const struct dependency_finder *f)
{
	int64_t most = 0;

	for (size_t r = 0; r < f->o->n_reads && !f->o->eliminated; r++)
		if (f->o->reads[r].address)
			most = dependencies_max(
				most, -lround(dependencies_slack(f, r)));
	return most;
}

/* Is the time of this result needed, or does it only delay the retirement? */
static void dependencies_find_timed(struct dependency_finder *f, uint32_t op,
				    uint32_t result)
{
	struct sim_machine *m = f->m;

	if (m->early_result[result])
		return;
	if (f->is_read[result] || f->n_extra > m->first_extra[result])
		m->timed[f->n_timed++] = result;
	else
		m->other_latency[op] = dependencies_max(m->other_latency[op],
							m->latency[result]);
}

static void set_latency(const struct dependency_finder *f, uint32_t result,
			double cycles)
{
	struct sim_machine *m = f->m;

	if (f->rounds) {
		m->latency[result] = lround(cycles);
		return;
	}
	m->latency[result] = split_cycles(cycles, &m->parts[result]);
	m->has_parts |= m->parts[result] > 0;
}

static void find_op(struct dependency_finder *f, uint32_t op,
		    const struct link *links, size_t n)
{
	struct sim_machine *m = f->m;
	uint32_t result = m->g->first_result[op], first = f->n_dependencies;

	f->o = &m->b->ops[op];
	f->n_results = (uint32_t)op_n_results(f->o);
	f->rounds = must_round(f, links, n);
	for (uint32_t w = 0; w < f->n_results; w++)
		f->latency[w] =
			dependencies_longest(f->o, w, !computes_later(m, f->o));
	m->load_to_use[op] = dependencies_load_to_use(f);
	m->least_cycles[op] = !f->o->eliminated;
	m->first_dependency[op] = first;
	f->split_results = false;
	for (size_t i = 0; i < n; i++) {
		dependencies_add(f, first, dependencies_of_link(f, &links[i]));
		f->split_results =
			f->split_results ||
			dependencies_split_results(f, links[i].to_read);
	}
	m->split_results[op] = f->split_results;
	m->first_timed[op] = f->n_timed;
	for (uint32_t w = 0; w < f->n_results; w++, result++) {
		m->first_extra[result] = f->n_extra;
		m->early_result[result] = is_early(f->o, w);
		m->has_early_result[op] |= m->early_result[result];
		set_latency(f, result,
			    m->early_result[result]
				    ? dependencies_longest(f->o, w, true)
				    : f->latency[w]);
		for (size_t i = 0; i < n; i++)
			dependencies_add_extra(f, &links[i], result, w);
		dependencies_find_timed(f, op, result);
	}
}

static size_t dependencies_count_extra(const struct dep_graph *g)
{
	size_t n = 1;

	for (size_t i = 0; i < g->n_links; i++)
		n += op_n_results(&g->b->ops[g->links[i].to]);
	return n;
}

void machine_find_dependencies(struct sim_machine *m)
{
	const struct dep_graph *g = m->g;
	struct dependency_finder f = { .m = m };
	size_t from = 0, to = 0;

	m->first_dependency = ARENA_ARRAY(m->a, uint32_t, m->b->n + 1);
	m->dependencies = ARENA_ARRAY(m->a, struct dependency, g->n_links + 1);
	m->latency = ARENA_ARRAY(m->a, int64_t, g->n_results + 1);
	m->parts = ARENA_ARRAY(m->a, uint8_t, g->n_results + 1);
	m->load_to_use = ARENA_ARRAY(m->a, int64_t, m->b->n);
	m->early_result = ARENA_ARRAY(m->a, bool, g->n_results + 1);
	m->has_early_result = ARENA_ARRAY(m->a, bool, m->b->n);
	m->split_results = ARENA_ARRAY(m->a, bool, m->b->n);
	m->first_extra = ARENA_ARRAY(m->a, uint32_t, g->n_results + 1);
	m->extra_dependencies = ARENA_ARRAY(m->a, struct dependency,
					    dependencies_count_extra(g));
	m->first_timed = ARENA_ARRAY(m->a, uint32_t, m->b->n + 1);
	m->timed = ARENA_ARRAY(m->a, uint32_t, g->n_results + 1);
	m->other_latency = ARENA_ARRAY(m->a, int64_t, m->b->n);
	m->least_cycles = ARENA_ARRAY(m->a, int64_t, m->b->n);
	f.is_read = ARENA_ARRAY(m->a, bool, g->n_results + 1);
	for (size_t i = 0; i < g->n_links; i++)
		f.is_read[g->first_result[g->links[i].from] +
			  g->links[i].from_result] = true;
	for (uint32_t i = 0; i < m->b->n; i++, from = to) {
		while (to < g->n_links && g->links[to].to == i)
			to++;
		find_op(&f, i, g->links + from, to - from);
	}
	m->first_dependency[m->b->n] = f.n_dependencies;
	m->first_extra[g->n_results] = f.n_extra;
	m->first_timed[m->b->n] = f.n_timed;
}

/* The latest of `at` and the cycles in which these sources are ready. */
static int64_t dependencies_ready(const struct sim_machine *m,
				  const struct dependency *x,
				  const struct dependency *end,
				  uint32_t iteration, int64_t at)
{
	for (; x < end; x++)
		if (x->distance <= iteration)
			at = dependencies_max(
				at,
				machine_row(m, iteration -
						       x->distance)[x->result] +
					x->cycles);
	return at;
}

int64_t machine_start(const struct sim_machine *m, uint32_t op,
		      uint32_t iteration)
{
	return dependencies_ready(m, &m->dependencies[m->first_dependency[op]],
				  &m->dependencies[m->first_dependency[op + 1]],
				  iteration, 0);
}

bool machine_takes_more(const struct sim_machine *m, uint32_t result,
			uint32_t iteration)
{
	uint32_t parts = m->parts[result];

	return iteration % PARTS * parts % PARTS + parts >= PARTS;
}

/* When a result is ready if its op starts at `start`. */
static int64_t result_time(const struct sim_machine *m, uint32_t result,
			   uint32_t iteration, int64_t start)
{
	return dependencies_ready(
		m, &m->extra_dependencies[m->first_extra[result]],
		&m->extra_dependencies[m->first_extra[result + 1]], iteration,
		start + m->latency[result] +
			(m->has_parts &&
			 machine_takes_more(m, result, iteration)));
}

void machine_early_result(struct sim_machine *m, uint32_t result,
			  uint32_t iteration, int64_t start)
{
	machine_row(m, iteration)[result] =
		result_time(m, result, iteration, start);
}

void machine_early(struct sim_machine *m, uint32_t op, uint32_t iteration,
		   int64_t start)
{
	const uint32_t *first = &m->g->first_result[op];

	for (uint32_t r = first[0]; m->has_early_result[op] && r < first[1];
	     r++)
		if (m->early_result[r])
			machine_early_result(m, r, iteration, start);
}

int64_t machine_results(struct sim_machine *m, uint32_t op, uint32_t iteration,
			int64_t start, int64_t earliest)
{
	const uint32_t *timed = &m->timed[m->first_timed[op]];
	const uint32_t *last = &m->timed[m->first_timed[op + 1]];
	int64_t *ready = machine_row(m, iteration);
	int64_t from = m->split_results[op] ? earliest : start;
	int64_t end = dependencies_max(start + m->least_cycles[op],
				       from + m->other_latency[op]);

	for (; timed < last; timed++) {
		ready[*timed] = result_time(m, *timed, iteration, from);
		end = dependencies_max(end, ready[*timed]);
	}
	return end;
}
