/* The text of chains, stalls, timeline and waits. */
#include <string.h>

#include "host/predict/print.h"
#include "host/predict/report.h"

/* "line 4", or "lines 2 3" in the order of time; addresses without a
 * source. */
static void print_chain_places(struct buffer *b, const struct report *r,
			       const struct path *x)
{
	const struct dep_graph *g = &r->p->graph;
	bool source = r->p->body.program->source != NULL;
	enum { SHOWN = 20 };

	buffer_printf(b, "%s%s", source ? "line" : "address",
		      x->n == 1 ? ""
		      : source  ? "s"
				: "es");
	for (size_t i = 0; i < x->n && i < SHOWN; i++) {
		uint32_t op = g->op_of[g->edges[x->edges[i]].to];
		const struct insn *insn = r->p->body.ops[op].insn;

		if (source)
			buffer_printf(b, " %u", (unsigned)insn->line);
		else
			buffer_printf(b, " %llx",
				      (unsigned long long)insn->address);
	}
	if (x->n > SHOWN)
		buffer_printf(b, " ... (%zu in all)", x->n);
}

void print_chains(struct buffer *b, const struct report *r)
{
	const struct chains *c = &r->chains;

	if (c->n == 0)
		return;
	buffer_printf(b, "\nloop-carried chains, cycles per iteration%s\n",
		      c->longest_only ? " (the loop is too long to list all)"
				      : "");
	for (size_t i = 0; i < c->n; i++) {
		const struct path *x = &c->list[i];

		buffer_printf(b, "  %8.2f  ", x->cycles);
		print_chain_places(b, r, x);
		buffer_printf(b, ", through %s", prediction_carrier(r->p, x));
		if (x->iterations > 1)
			buffer_printf(b, ", over %u iterations",
				      (unsigned)x->iterations);
		buffer_printf(b, "\n");
	}
}

void print_stalls(struct buffer *b, const struct report *r)
{
	static const double least = 0.005;
	const struct simulation *s = &r->simulation;
	bool any = false;

	for (enum sim_stall k = 0; k < SIM_N_STALLS; k++) {
		if (s->stalls[k] < least)
			continue;
		if (!any)
			buffer_printf(b, "\nwhat the time goes to, in the "
					 "simulation\n");
		any = true;
		buffer_printf(b, "  %-24s %6.0f %%\n", report_stall_name(k),
			      100 * s->stalls[k]);
	}
}

/* ---- timeline ---------------------------------------------------------- */

static void print_bar(struct buffer *b, const struct sim_event *x)
{
	enum { MOST = 400 };
	char bar[MOST + 2];
	const struct {
		uint32_t until;
		char mark;
	} spans[] = {
		{ x->dispatched, ' ' }, { x->ready, '=' },
		{ x->started, 'p' },    { x->done, 'e' },
		{ x->retired, '-' },    { x->retired + 1, 'R' },
	};
	uint32_t t = 0;

	for (size_t i = 0; i < ARRAY_LEN(spans); i++)
		while (t < spans[i].until && t < MOST)
			bar[t++] = spans[i].mark;
	bar[t] = '\0';
	if (x->started < t)
		bar[x->started] = 's';
	if (x->dispatched < t)
		bar[x->dispatched] = 'D';
	if (x->done > x->started + 1 && x->done - 1 < t)
		bar[x->done - 1] = 'E';
	if (x->retired < t)
		bar[x->retired] = 'R';
	if (t == MOST)
		bar[MOST - 1] = '>';
	buffer_printf(b, "%s", bar);
}

static void print_waits(struct buffer *b, const struct report *r)
{
	const struct body *x = &r->p->body;

	buffer_printf(b, "\nwaits, mean cycles\n  %8s %8s %10s\n", "operands",
		      "ports", "retirement");
	for (size_t i = 0; i < x->n; i++)
		buffer_printf(b, "  %8.1f %8.1f %10.1f  %s\n",
			      r->waits[i].operands, r->waits[i].ports,
			      r->waits[i].retirement, x->ops[i].insn->text);
}

void print_timeline(struct buffer *b, const struct report *r)
{
	const struct simulation *s = &r->simulation;

	if (s->n_events == 0)
		return;
	buffer_printf(b, "\ntimeline: D dispatched, = waits for operands, p "
			 "waits for ports, s started,\n"
			 "e executes, E done, - waits for retirement, R "
			 "retired, > later\n");
	for (size_t i = 0; i < s->n_events; i++) {
		const struct sim_event *e = &s->events[i];

		if (e->iteration >= r->p->timeline)
			break;
		buffer_printf(b, "[%2u,%3u] ", (unsigned)e->iteration,
			      (unsigned)e->op);
		print_bar(b, e);
		buffer_printf(b, "  %s\n", r->p->body.ops[e->op].insn->text);
	}
	print_waits(b, r);
}
