/* Chains, stalls and waits of a prediction. */
#include "host/predict/report.h"

#include <math.h>

static const struct {
	const char *name, *key;
} report_stalls[SIM_N_STALLS] = {
	[SIM_STALL_FRONT_END] = { "front end", "front_end" },
	[SIM_STALL_PORTS] = { "ports", "ports" },
	[SIM_STALL_DEPENDENCY] = { "dependencies", "dependencies" },
	[SIM_STALL_LOADS] = { "loads", "loads" },
	[SIM_STALL_WINDOW] = { "reorder buffer", "reorder_buffer" },
	[SIM_STALL_SCHEDULER] = { "scheduler", "scheduler" },
	[SIM_STALL_VECTORS] = { "vector queue", "vector_queue" },
	[SIM_STALL_LOAD_BUFFER] = { "load buffer", "load_buffer" },
	[SIM_STALL_REGISTERS] = { "vector registers", "vector_registers" },
};

const char *report_stall_name(enum sim_stall stall)
{
	return report_stalls[stall].name;
}

const char *report_stall_key(enum sim_stall stall)
{
	return report_stalls[stall].key;
}

struct report_costs report_costs(const struct op *o)
{
	struct report_costs c = { -1, o->slots, -1, -1 };

	for (size_t w = 0; w < o->n_writes; w++)
		for (size_t r = 0; r <= o->n_reads + 1; r++)
			c.latency = fmax(c.latency, op_latency(o, r, w));
	if (!o->form)
		return c;
	if (o->form->has_ports) {
		c.uops = 0;
		for (size_t u = 0; u < o->form->n_uses; u++)
			c.uops += o->form->uses[u].n_uops;
	}
	if (o->form->throughput.has_value)
		c.throughput = model_cycles(o->form->throughput);
	return c;
}

/* Means over the second half of the simulation, without its start. */
static struct report_wait *report_waits(const struct prediction *p,
					const struct simulation *s)
{
	size_t n = p->body.n;
	struct report_wait *w = ARENA_ARRAY(p->body.a, struct report_wait, n);
	size_t iterations = s->n_events / n, first = iterations / 2;

	for (size_t i = first * n; i < iterations * n; i++) {
		const struct sim_event *e = &s->events[i];
		struct report_wait *x = &w[e->op];
		double count = (double)(iterations - first);

		x->operands += (e->ready - e->dispatched) / count;
		x->ports += (e->started - e->ready) / count;
		x->retirement += (e->retired - e->done) / count;
	}
	return w;
}

struct report report_make(const struct prediction *p)
{
	struct report r = { .p = p };
	struct sim_options how = p->how;

	chains_find(p->body.a, &p->graph, &p->carried, &r.chains);
	if (p->simulation.simulated == 0)
		return r;
	how.record = true;
	simulate(p->body.a, &p->graph, &p->pressure, &how, &r.simulation);
	r.waits = report_waits(p, &r.simulation);
	return r;
}
