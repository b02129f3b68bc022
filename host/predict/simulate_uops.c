/* Uops of instructions, and the ports on which they may start. */
#include <math.h>
#include <string.h>

#include "host/predict/sim.h"

/* The ports to which the best sharing assigns some of this use. */
static model_ports uops_shared(const struct sim *m, uint32_t op,
			       model_ports ports)
{
	const struct pressure *p = m->pressure;
	model_ports kept = 0;

	for (size_t k = 0; k < p->n_ports; k++)
		if ((ports >> k & 1) && p->share[op * p->n_ports + k] > 1e-3)
			kept |= (model_ports)1 << k;
	return kept ? kept : ports;
}

/* The ports of a use that exist.  In order, and on a core that binds uops at
 * dispatch, all of them; else those of the best sharing. */
static model_ports uops_ports(const struct sim *m, uint32_t op,
			      model_ports ports)
{
	const struct model *model = m->b->model;
	size_t n = model->n_ports;
	model_ports exist = n < MODEL_MAX_PORTS ? ((model_ports)1 << n) - 1
						: ~(model_ports)0;

	return exist &
	       (m->binds_ports || model->in_order ? ports
						  : uops_shared(m, op, ports));
}

/* Are these a pseudo port or a pool? */
static bool uops_are_unit(const struct sim *m, model_ports ports)
{
	size_t p = (size_t)__builtin_ctzll(ports);

	return p >= m->b->n_ports || m->b->model->ports[p].pseudo;
}

static void uops_list_ports(struct sim_uop *u)
{
	uint32_t n = 0;

	memset(u->few, SIM_NO_PORT, sizeof u->few);
	for (model_ports left = u->ports; left != 0; left &= left - 1, n++)
		if (n < SIM_FEW_PORTS)
			u->few[n] = (uint8_t)__builtin_ctzll(left);
	u->n_ports = n;
}

/* The parts of a use that is split have the same total cycles. */
static long uops_n_parts(const struct model_use *x)
{
	return lround(ceil(x->n_uops - 1e-9));
}

/* Uops of a computation that do not all fit on its ports in one cycle lie within
 * the latency of the instruction, as if they followed one another on one port.
 * Returns the cycles from the first to the last, less than any latency.  Example:
 * a carry-less product of four uops for two ports on a Zen 5, with a latency of 5
 * cycles: a chain takes 5 and not 6, and two products that begin together and two
 * additions take 9 and not 12. */
static int64_t uops_inside(const struct sim *m, uint32_t op)
{
	const struct op *o = &m->b->ops[op];
	double most = 0;

	for (size_t u = o->n_access; u < o->n_uses; u++) {
		const struct model_use *x = &o->uses[u];
		long n = uops_n_parts(x);

		if (n > (long)model_ports_count(x->ports))
			most = fmax(most, x->n_uops * x->cycles *
						  (double)(n - 1) / (double)n);
	}
	for (uint32_t r = m->g->first_result[op];
	     r < m->g->first_result[op + 1]; r++)
		if (!m->results[r].is_early)
			most = fmin(most, (double)m->results[r].latency - 1);
	return most > 0 ? (int64_t)most : 0;
}

static size_t uops_count(const struct op *o)
{
	size_t n = 0;

	for (size_t u = 0; u < o->n_uses && n < SIM_MAX_UOPS; u++) {
		long parts = uops_n_parts(&o->uses[u]);

		n += parts > 0 ? (size_t)parts : 0;
	}
	return n < SIM_MAX_UOPS ? n : SIM_MAX_UOPS;
}

/* The ports of loads, if there are two: those of the access of some load. */
static model_ports ports_of_loads(const struct sim *m)
{
	for (size_t i = 0; i < m->b->n; i++) {
		const struct op *o = &m->b->ops[i];

		if (o->load && !o->store && o->n_access > 0 &&
		    model_ports_count(o->uses[0].ports) == 2 &&
		    !uops_are_unit(m, o->uses[0].ports))
			return o->uses[0].ports;
	}
	return 0;
}

/* Is it held in the scheduler of general registers? */
static bool is_general(const struct op *o, const struct sim_op *s)
{
	const struct form *f = o->insn->instance.form;

	return f && !f->vector_state && !o->fused && !o->eliminated &&
	       s->left != s->access && !op_is_plain_access(o);
}

static void split_op(struct sim *m, uint32_t op, model_ports loads)
{
	const struct op *o = &m->b->ops[op];
	struct sim_op *s = &m->ops[op];
	size_t room = uops_count(o);
	struct sim_uop *list = ARENA_ARRAY(m->a, struct sim_uop, room + 1);

	s->uops = list;
	s->inside = uops_inside(m, op);
	for (size_t u = 0; u < o->n_uses; u++) {
		const struct model_use *x = &o->uses[u];
		long parts = uops_n_parts(x);
		struct sim_uop part = {
			.ports = uops_ports(m, op, x->ports),
			.cycles = x->n_uops * x->cycles / (double)parts,
		};

		/* A uop without ports would never start. */
		if (part.ports == 0)
			continue;
		uops_list_ports(&part);
		part.unit = uops_are_unit(m, part.ports);
		part.alternates = loads != 0 && part.ports == loads;
		for (long k = 0; k < parts && s->n_uops < room; k++) {
			uint64_t bit = (uint64_t)1 << s->n_uops;

			list[s->n_uops++] = part;
			s->left |= bit;
			s->access |= u < o->n_access ? bit : 0;
		}
	}
	s->general = is_general(o, s);
	if (s->load_to_use == 0 || o->store || s->access == s->left)
		s->access = 0;
}

void sim_split_uops(struct sim *m)
{
	model_ports loads = m->binds_ports ? ports_of_loads(m) : 0;

	for (uint32_t i = 0; i < m->b->n; i++)
		split_op(m, i, loads);
}
