/* Divisions and square roots of vector registers are computed by one unit of a core,
 * which is not pipelined.  What a model without ports has of each of them is its
 * own rate; the published tables say which share a port for several cycles. */
#include "host/effect/effect.h"
#include "host/isa/catalogue.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

/* Chosen: longer than any pipelined instruction keeps a port, in cycles. */
static const double long_use = 1.5;

/* The port that the tables' form keeps for several cycles; MODEL_MAX_PORTS:
 * none. */
static size_t unit_of_tables(const struct model_form *x)
{
	for (size_t u = 0; x && x->has_ports && u < x->n_uses; u++) {
		model_ports ports = x->uses[u].ports;

		if (x->uses[u].cycles >= long_use && ports != 0 &&
		    (ports & (ports - 1)) == 0)
			return (size_t)__builtin_ctzll(ports);
	}
	return MODEL_MAX_PORTS;
}

/* The same of an instruction whose own rate is known, and no ports. */
static size_t unit_of_op(const struct body *b, const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	if (!f || !f->vector_state || !op_is_executed(o) ||
	    o->origin[COST_PORTS].origin == ORIGIN_MODEL ||
	    !o->form->throughput.has_value ||
	    model_cycles(o->form->throughput) < long_use)
		return MODEL_MAX_PORTS;
	return unit_of_tables(complete_find(b->completion->tables, f));
}

static void add_use(const struct body *b, struct op *o, size_t port)
{
	struct model_use *uses =
		ARENA_ARRAY(b->a, struct model_use, o->n_uses + 1);

	for (size_t u = 0; u < o->n_uses; u++)
		uses[u] = o->uses[u];
	uses[o->n_uses++] = (struct model_use){
		.ports = (model_ports)1 << port,
		.n_uops = 1,
		.cycles = model_cycles(o->form->throughput),
	};
	o->uses = uses;
}

/* A pseudo port for the unit; its number, from 1. */
static size_t add_unit(struct body *b, const char *name)
{
	struct model *m = arena_copy(b->a, b->model, sizeof(*m));
	struct model_port *ports =
		ARENA_ARRAY(b->a, struct model_port, MODEL_MAX_PORTS);

	for (size_t p = 0; p < m->n_ports; p++)
		ports[p] = m->ports[p];
	ports[m->n_ports].name = name;
	m->ports = ports;
	b->model = m;
	return ++m->n_ports;
}

static void bind(struct body *b)
{
	const struct model *tables = b->completion->tables;
	size_t unit[MODEL_MAX_PORTS + 1] = { 0 };
	const struct form *first[MODEL_MAX_PORTS + 1] = { NULL };
	bool several[MODEL_MAX_PORTS + 1] = { false };

	if (!tables || b->completion->given->llvm)
		return;
	for (size_t i = 0; i < b->n; i++) {
		const struct form *f = b->ops[i].insn->instance.form;
		size_t p = unit_of_op(b, &b->ops[i]);

		several[p] |= first[p] && first[p] != f;
		first[p] = f;
	}
	for (size_t p = 0; p < MODEL_MAX_PORTS; p++)
		if (several[p] && b->model->n_ports < MODEL_MAX_PORTS)
			unit[p] = add_unit(b, "divider");
	for (size_t i = 0; i < b->n; i++) {
		size_t p = unit_of_op(b, &b->ops[i]);

		if (unit[p] > 0)
			add_use(b, &b->ops[i], unit[p] - 1);
	}
}

const struct effect effect_divider = {
	.name = "divider",
	.bind = bind,
	.when = BIND_AFTER_POOLS,
};
