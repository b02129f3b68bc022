/* Print a prediction as JSON, with everything that the text has. */
#include <math.h>
#include <string.h>

#include "host/base/json.h"
#include "host/predict/print.h"
#include "host/predict/report.h"

/* "name": "value", and what stands behind it. */
static void json_text(struct buffer *b, const char *name, const char *value,
		      const char *behind)
{
	buffer_printf(b, "\"%s\": ", name);
	json_add_string(b, value);
	buffer_printf(b, "%s", behind);
}

static const char *json_word(bool x)
{
	return x ? "true" : "false";
}

/* A number; null if it is negative, which means that there is none. */
static void json_cost(struct buffer *b, const char *name, double x)
{
	if (x < 0)
		buffer_printf(b, "\"%s\": null, ", name);
	else
		buffer_printf(b, "\"%s\": %.6g, ", name, x);
}

/* What stands before an item of a list whose items have lines of their own. */
static const char *json_item(size_t i)
{
	return i > 0 ? ",\n    {" : "\n    {";
}

/* ---- numbers and rows -------------------------------------------------- */

static void json_numbers(struct buffer *b, const struct report *r)
{
	const struct prediction *p = r->p;
	const struct simulation *s = &p->simulation;

	for (int k = NUMBER_THROUGHPUT; k <= NUMBER_CRITICAL; k++) {
		const char *key = report_number_name(k).json;

		if (key)
			buffer_printf(b, "%s\"%s\": %.6g",
				      k == NUMBER_THROUGHPUT ? "  "
				      : k == NUMBER_CARRIED  ? ",\n  "
							     : ", ",
				      key, r->numbers[k]);
	}
	buffer_printf(b, ",\n");
	if (s->simulated > 0)
		buffer_printf(b,
			      "  \"simulated\": %.6g, \"steady\": %s, "
			      "\"sizes_assumed\": %s,\n",
			      s->cycles, json_word(s->steady),
			      json_word(s->sizes_assumed));
	buffer_printf(b, "  \"%s\": %.6g, ",
		      report_number_name(NUMBER_CYCLES).json, p->cycles);
	if (p->worst_cycles > 0)
		buffer_printf(b, "\"%s\": %.6g, ",
			      report_number_name(NUMBER_WORST).json,
			      p->worst_cycles);
	json_text(b, "why", p->why, "");
	for (size_t i = 0; effects[i]; i++) {
		const struct effect_note *n = effects[i]->note;
		const char *value = n ? n->value(&p->body) : NULL;

		if (value) {
			buffer_printf(b, ", ");
			json_text(b, n->key, value, "");
		}
	}
	buffer_printf(b, ",\n");
}

static void json_ports(struct buffer *b, const struct report *r)
{
	buffer_printf(b, "  \"ports\": [");
	for (size_t k = 0; k < r->p->pressure.n_ports; k++) {
		buffer_printf(b, "%s", json_item(k));
		json_text(b, "name", r->p->body.model->ports[k].name, ", ");
		buffer_printf(b, "\"cycles\": %.6g}", r->ports[k].sum);
	}
	buffer_printf(b, "\n  ],\n");
}

static void json_pressure(struct buffer *b, const struct report *r,
			  const double *share)
{
	const char *between = "";

	buffer_printf(b, "\"pressure\": {");
	for (size_t k = 0; k < r->p->pressure.n_ports; k++) {
		if (share[k] < 1e-6)
			continue;
		buffer_printf(b, "%s", between);
		json_add_string(b, r->p->body.model->ports[k].name);
		buffer_printf(b, ": %.6g", share[k]);
		between = ", ";
	}
	buffer_printf(b, "}");
}

static void json_row(struct buffer *b, const struct report *r, size_t i)
{
	const struct report_row *x = &r->rows[i];
	const struct form *f = x->op->insn->instance.form;

	buffer_printf(b, "%s\"line\": %u, ", json_item(i),
		      (unsigned)x->op->insn->line);
	json_text(b, "text", x->text, ", ");
	json_text(b, "form", f ? f->name : "", ", ");
	buffer_printf(b,
		      "\"known\": %s, \"fused\": %s, \"slots\": %.6g, "
		      "\"critical_path\": %.6g, \"on_critical_path\": %s, "
		      "\"carried\": %.6g, \"on_carried\": %s, ",
		      json_word(x->op->form), json_word(x->op->fused), x->slots,
		      x->critical, json_word(x->on_critical), x->carried,
		      json_word(x->on_carried));
	for (size_t k = 0; k < r->n_columns; k++)
		if (r->columns[k].json)
			json_cost(b, r->columns[k].json,
				  report_value(r, &r->columns[k], x));
	if (x->op->may_straddle)
		buffer_printf(b, "\"may_cross_lines\": true, ");
	if (x->op->assumed)
		json_text(b, "assumed", x->op->assumed, ", ");
	json_text(b, "from", x->origin, ", ");
	json_pressure(b, r, x->share);
	buffer_printf(b, "}");
}

/* ---- chains, stalls and the timeline ----------------------------------- */

static void json_chains(struct buffer *b, const struct report *r)
{
	const struct dep_graph *g = &r->p->graph;

	buffer_printf(b, "  \"chains\": [");
	for (size_t i = 0; i < r->chains.n; i++) {
		const struct path *x = &r->chains.list[i];

		buffer_printf(b,
			      "%s\"cycles\": %.6g, \"total\": %.6g, "
			      "\"iterations\": %u, ",
			      json_item(i), x->cycles, x->total,
			      (unsigned)x->iterations);
		json_text(b, "through", prediction_carrier(r->p, x),
			  ", \"instructions\": [");
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

static void json_stalls(struct buffer *b, const struct report *r)
{
	buffer_printf(b, "  \"stalls\": {");
	for (int k = 0; k < SIM_N_STALLS; k++)
		buffer_printf(b, "%s\"%s\": %.4g", k > 0 ? ", " : "",
			      report_stalls[k].key, r->simulation.stalls[k]);
	buffer_printf(b, "},\n  \"waits\": [");
	for (size_t i = 0; i < r->p->body.n; i++)
		buffer_printf(b,
			      "%s\"operands\": %.6g, \"ports\": %.6g, "
			      "\"retirement\": %.6g}",
			      json_item(i), r->rows[i].wait.operands,
			      r->rows[i].wait.ports,
			      r->rows[i].wait.retirement);
	buffer_printf(b, "\n  ],\n");
}

static void json_timeline(struct buffer *b, const struct report *r)
{
	const struct simulation *s = &r->simulation;

	buffer_printf(b, "  \"timeline\": [");
	for (size_t i = 0; i < s->n_events; i++) {
		const struct sim_event *e = &s->events[i];

		if (e->iteration >= r->p->timeline)
			break;
		buffer_printf(b,
			      "%s\"iteration\": %u, \"instruction\": "
			      "%u, \"dispatched\": %u, \"ready\": %u, "
			      "\"started\": %u, \"done\": %u, \"retired\": %u}",
			      json_item(i), (unsigned)e->iteration,
			      (unsigned)e->op, (unsigned)e->dispatched,
			      (unsigned)e->ready, (unsigned)e->started,
			      (unsigned)e->done, (unsigned)e->retired);
	}
	buffer_printf(b, "\n  ],\n");
}

static void json_links(struct buffer *b, const struct prediction *p)
{
	const struct dep_graph *g = &p->graph;

	buffer_printf(b, "  \"dependencies\": [");
	for (size_t i = 0; i < g->n_links; i++) {
		const struct link *l = &g->links[i];

		buffer_printf(b,
			      "%s\"from\": %u, \"to\": %u, "
			      "\"iterations\": %u, \"memory\": %s}",
			      json_item(i), (unsigned)l->from, (unsigned)l->to,
			      (unsigned)l->distance,
			      json_word(l->to_read ==
					op_memory_read(&p->body.ops[l->to])));
	}
	buffer_printf(b, "\n  ]\n");
}

/* ---- the whole --------------------------------------------------------- */

/* Everything up to where the other cores stand. */
static void json_head(struct buffer *b, const struct prediction *p)
{
	const struct model *m = p->body.model;
	struct report r = report_make(p);

	buffer_printf(b, "{\n  ");
	json_text(b, "isa", m->isa, ", ");
	json_text(b, "cpu", m->cpu, ", ");
	json_text(b, "source", m->source, ", ");
	json_text(b, "label", p->body.loop->label, ",\n");
	if (p->note)
		json_text(b, "note", p->note, ",\n");
	json_numbers(b, &r);
	json_ports(b, &r);
	buffer_printf(b, "  \"instructions\": [");
	for (size_t i = 0; i < p->body.n; i++)
		json_row(b, &r, i);
	buffer_printf(b, "\n  ],\n");
	json_chains(b, &r);
	if (r.simulation.n_events == 0)
		return;
	json_stalls(b, &r);
	if (p->timeline > 0)
		json_timeline(b, &r);
}

static void json_tail(struct buffer *b, const struct prediction *p)
{
	json_links(b, p);
	buffer_printf(b, "}\n");
}

void print_json(struct buffer *b, const struct prediction *p)
{
	json_head(b, p);
	if (p->n_others > 0)
		buffer_printf(b, "  \"others\": [\n");
	for (size_t i = 0; i < p->n_others; i++) {
		if (i > 0)
			buffer_printf(b, ",\n");
		json_head(b, &p->others[i]);
		json_tail(b, &p->others[i]);
	}
	if (p->n_others > 0)
		buffer_printf(b, "  ],\n");
	json_tail(b, p);
}
