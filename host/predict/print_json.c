/* Print a prediction as JSON, with everything that the text has. */
#include <math.h>
#include <string.h>

#include "host/base/json.h"
#include "host/predict/print.h"

void print_json_field(struct buffer *b, const char *name, const char *value)
{
	buffer_printf(b, "\"%s\": ", name);
	json_add_string(b, value);
}

static void print_json_ports(struct buffer *b, const struct prediction *p)
{
	const struct model *m = p->body.model;

	buffer_printf(b, "  \"ports\": [");
	for (size_t k = 0; k < m->n_ports; k++) {
		buffer_printf(b, "%s\n    {", k > 0 ? "," : "");
		print_json_field(b, "name", m->ports[k].name);
		buffer_printf(b, ", \"cycles\": %.6g}", p->pressure.sum[k]);
	}
	buffer_printf(b, "\n  ],\n");
}

static void print_json_pressure(struct buffer *b, const struct prediction *p,
				size_t op)
{
	const struct pressure *x = &p->pressure;
	const char *between = "";

	buffer_printf(b, "\"pressure\": {");
	for (size_t k = 0; k < x->n_ports; k++) {
		if (x->share[op * x->n_ports + k] < 1e-6)
			continue;
		buffer_printf(b, "%s", between);
		json_add_string(b, p->body.model->ports[k].name);
		buffer_printf(b, ": %.6g", x->share[op * x->n_ports + k]);
		between = ", ";
	}
	buffer_printf(b, "}");
}

/* "from": where the values come from, in words. */
static void print_json_origin(struct buffer *b, const struct prediction *p,
			      size_t i)
{
	struct buffer words = { 0 };

	print_origin(&words, p, i);
	buffer_add(&words, "", 1);
	print_json_field(b, "from", (const char *)words.bytes);
	buffer_printf(b, ", ");
	buffer_free(&words);
}

/* A number; null if it is negative, which means that there is none. */
static void print_json_cost(struct buffer *b, const char *name, double x)
{
	if (x < 0)
		buffer_printf(b, "\"%s\": null, ", name);
	else
		buffer_printf(b, "\"%s\": %.6g, ", name, x);
}

static void print_json_instruction(struct buffer *b, const struct prediction *p,
				   size_t i)
{
	const struct op *o = &p->body.ops[i];
	const struct form *f = o->insn->instance.form;
	struct report_costs costs = report_costs(o);

	buffer_printf(b, "%s\n    {\"line\": %u, ", i > 0 ? "," : "",
		      (unsigned)o->insn->line);
	print_json_field(b, "text", o->insn->text);
	buffer_printf(b, ", ");
	print_json_field(b, "form", f ? f->name : "");
	buffer_printf(b,
		      ", \"known\": %s, \"fused\": %s, \"slots\": %.6g, "
		      "\"critical_path\": %.6g, \"on_critical_path\": %s, "
		      "\"carried\": %.6g, \"on_carried\": %s, ",
		      o->form ? "true" : "false", o->fused ? "true" : "false",
		      o->slots, p->critical.marks[i],
		      p->critical.on[i] ? "true" : "false", p->carried.marks[i],
		      p->carried.on[i] ? "true" : "false");
	print_json_cost(b, "latency", costs.latency);
	print_json_cost(b, "uops", costs.uops);
	print_json_cost(b, "reciprocal_throughput", costs.throughput);
	if (o->may_straddle)
		buffer_printf(b, "\"may_cross_lines\": true, ");
	if (o->assumed) {
		print_json_field(b, "assumed", o->assumed);
		buffer_printf(b, ", ");
	}
	print_json_origin(b, p, i);
	print_json_pressure(b, p, i);
	buffer_printf(b, "}");
}

static void print_json_links(struct buffer *b, const struct prediction *p)
{
	const struct dep_graph *g = &p->graph;

	buffer_printf(b, "  \"dependencies\": [");
	for (size_t i = 0; i < g->n_links; i++)
		buffer_printf(
			b,
			"%s\n    {\"from\": %u, \"to\": %u, "
			"\"iterations\": %u, \"memory\": %s}",
			i > 0 ? "," : "", (unsigned)g->links[i].from,
			(unsigned)g->links[i].to,
			(unsigned)g->links[i].distance,
			g->links[i].to_read ==
					op_memory_read(
						&p->body.ops[g->links[i].to])
				? "true"
				: "false");
	buffer_printf(b, "\n  ]\n");
}

static void print_json_bounds(struct buffer *b, const struct prediction *p)
{
	buffer_printf(b,
		      "  \"throughput\": %.6g, \"port_bound\": %.6g, "
		      "\"front_end_bound\": %.6g, "
		      "\"branch_bound\": %.6g, "
		      "\"fetch_bound\": %.6g,\n",
		      p->throughput, p->pressure.bound, p->width_bound,
		      p->branch_bound, p->fetch_bound);
	buffer_printf(b, "  \"loop_carried\": %.6g, \"critical_path\": %.6g,\n",
		      p->carried.cycles, p->critical.cycles);
	if (p->simulation.simulated > 0)
		buffer_printf(b,
			      "  \"simulated\": %.6g, \"steady\": %s, "
			      "\"sizes_assumed\": %s,\n",
			      p->simulation.cycles,
			      p->simulation.steady ? "true" : "false",
			      p->simulation.sizes_assumed ? "true" : "false");
	buffer_printf(b, "  \"cycles\": %.6g, ", p->cycles);
	if (p->worst_cycles > 0)
		buffer_printf(b, "\"cycles_at_worst_alignment\": %.6g, ",
			      p->worst_cycles);
	print_json_field(b, "why", p->why);
	if (body_closed_text(&p->body)) {
		buffer_printf(b, ", ");
		print_json_field(b, "closed_to_vectors",
				 body_closed_text(&p->body));
	}
	buffer_printf(b, ",\n");
}

/* Everything up to where the other cores stand. */
static void print_json_head(struct buffer *b, const struct prediction *p)
{
	const struct model *m = p->body.model;
	struct report report = report_make(p);

	buffer_printf(b, "{\n  ");
	print_json_field(b, "isa", m->isa);
	buffer_printf(b, ", ");
	print_json_field(b, "cpu", m->cpu);
	buffer_printf(b, ", ");
	print_json_field(b, "source", m->source);
	buffer_printf(b, ", ");
	print_json_field(b, "label", p->body.loop->label);
	buffer_printf(b, ",\n");
	print_json_bounds(b, p);
	print_json_ports(b, p);
	buffer_printf(b, "  \"instructions\": [");
	for (size_t i = 0; i < p->body.n; i++)
		print_json_instruction(b, p, i);
	buffer_printf(b, "\n  ],\n");
	print_json_report(b, &report);
}

static void print_json_tail(struct buffer *b, const struct prediction *p)
{
	print_json_links(b, p);
	buffer_printf(b, "}\n");
}

void print_json(struct buffer *b, const struct prediction *p)
{
	print_json_head(b, p);
	if (p->n_others > 0)
		buffer_printf(b, "  \"others\": [\n");
	for (size_t i = 0; i < p->n_others; i++) {
		if (i > 0)
			buffer_printf(b, ",\n");
		print_json_head(b, &p->others[i]);
		print_json_tail(b, &p->others[i]);
	}
	if (p->n_others > 0)
		buffer_printf(b, "  ],\n");
	print_json_tail(b, p);
}
