/* Chains, stalls, timeline and waits as JSON. */
#include "host/predict/print.h"
#include "host/predict/report.h"

static void print_json_chains(struct buffer *b, const struct report *r)
{
	const struct dep_graph *g = &r->p->graph;

	buffer_printf(b, "  \"chains\": [");
	for (size_t i = 0; i < r->chains.n; i++) {
		const struct path *x = &r->chains.list[i];

		buffer_printf(b,
			      "%s\n    {\"cycles\": %.6g, \"total\": %.6g, "
			      "\"iterations\": %u, ",
			      i > 0 ? "," : "", x->cycles, x->total,
			      (unsigned)x->iterations);
		print_json_field(b, "through", prediction_carrier(r->p, x));
		buffer_printf(b, ", \"instructions\": [");
		for (size_t k = 0; k < x->n; k++)
			buffer_printf(
				b, "%s%u", k > 0 ? ", " : "",
				(unsigned)g->op_of[g->edges[x->edges[k]].to]);
		buffer_printf(b, "]}");
	}
	buffer_printf(b, "\n  ],\n");
	if (r->chains.longest_only)
		buffer_printf(b, "  \"longest_chain_only\": true,\n");
}

static void print_json_stalls(struct buffer *b, const struct report *r)
{
	const char *between = "";

	if (r->simulation.n_events == 0)
		return;
	buffer_printf(b, "  \"stalls\": {");
	for (enum sim_stall k = 0; k < SIM_N_STALLS; k++) {
		buffer_printf(b, "%s\"%s\": %.4g", between, report_stall_key(k),
			      r->simulation.stalls[k]);
		between = ", ";
	}
	buffer_printf(b, "},\n  \"waits\": [");
	for (size_t i = 0; i < r->p->body.n; i++)
		buffer_printf(b,
			      "%s\n    {\"operands\": %.6g, \"ports\": %.6g, "
			      "\"retirement\": %.6g}",
			      i > 0 ? "," : "", r->waits[i].operands,
			      r->waits[i].ports, r->waits[i].retirement);
	buffer_printf(b, "\n  ],\n");
}

static void print_json_timeline(struct buffer *b, const struct report *r)
{
	const struct simulation *s = &r->simulation;

	buffer_printf(b, "  \"timeline\": [");
	for (size_t i = 0; i < s->n_events; i++) {
		const struct sim_event *e = &s->events[i];

		if (e->iteration >= r->p->timeline)
			break;
		buffer_printf(b,
			      "%s\n    {\"iteration\": %u, \"instruction\": "
			      "%u, \"dispatched\": %u, \"ready\": %u, "
			      "\"started\": %u, \"done\": %u, \"retired\": %u}",
			      i > 0 ? "," : "", (unsigned)e->iteration,
			      (unsigned)e->op, (unsigned)e->dispatched,
			      (unsigned)e->ready, (unsigned)e->started,
			      (unsigned)e->done, (unsigned)e->retired);
	}
	buffer_printf(b, "\n  ],\n");
}

void print_json_report(struct buffer *b, const struct report *r)
{
	print_json_chains(b, r);
	print_json_stalls(b, r);
	if (r->p->timeline > 0 && r->simulation.n_events > 0)
		print_json_timeline(b, r);
}
