/* Print a prediction as text: OSACA's table, the bounds, the reason. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/predict/print.h"
#include "host/predict/report.h"

enum { COLUMN = 6 };

/* ---- the table --------------------------------------------------------- */

/* A part of the table: ports from `first` up to `end`, and with `costs` the
 * columns of the instruction itself and its text. */
struct text_columns {
	size_t first, end;
	bool costs;
};

static int text_width(const struct report_port *p)
{
	size_t n = strlen(p->heading);

	return n < COLUMN ? COLUMN : (int)n;
}

static void text_cell(struct buffer *b, int width, int digits, bool is_shown,
		      double x)
{
	if (is_shown)
		buffer_printf(b, " %*.*f", width, digits, x);
	else
		buffer_printf(b, " %*s", width, "");
}

static void text_heading(struct buffer *b, const struct report *r,
			 const struct text_columns *c)
{
	buffer_printf(b, "%6s ", r->p->body.program->source ? "line" : "addr");
	for (size_t k = c->first; k < c->end; k++)
		if (r->ports[k].is_used)
			buffer_printf(b, " %*s", text_width(&r->ports[k]),
				      r->ports[k].heading);
	if (c->costs) {
		buffer_printf(b, " |");
		for (size_t k = 0; k < r->n_columns; k++)
			if (r->columns[k].text)
				buffer_printf(b, " %*s", COLUMN,
					      r->columns[k].text);
		buffer_printf(b, " | %*s %*s |", COLUMN, "CP", COLUMN, "LCD");
	}
	buffer_printf(b, "\n");
}

static void text_row(struct buffer *b, const struct report *r,
		     const struct text_columns *c, const struct report_row *x)
{
	buffer_printf(b, "%6s ", x->place);
	for (size_t k = c->first; k < c->end; k++)
		if (r->ports[k].is_used)
			text_cell(b, text_width(&r->ports[k]), 2,
				  x->share[k] > PRINT_HIDDEN, x->share[k]);
	if (c->costs) {
		buffer_printf(b, " |");
		for (size_t k = 0; k < r->n_columns; k++) {
			double value = report_value(r, &r->columns[k], x);

			if (r->columns[k].text)
				text_cell(b, COLUMN, 2, value >= 0, value);
		}
		buffer_printf(b, " |");
		text_cell(b, COLUMN, 1, x->on_critical, x->critical);
		text_cell(b, COLUMN, 1, x->on_carried, x->carried);
		buffer_printf(b, " |%c%c%s%s", x->mark,
			      x->corrected ? '*' : ' ', x->text,
			      x->op->fused ? "  (one uop with the one before)"
					   : "");
	}
	buffer_printf(b, "\n");
}

static double text_sum(const struct report *r, const struct report_column *c)
{
	double sum = 0;

	for (size_t i = 0; i < r->p->body.n; i++)
		sum += fmax(0, report_value(r, c, &r->rows[i]));
	return sum;
}

static void text_sums(struct buffer *b, const struct report *r,
		      const struct text_columns *c)
{
	buffer_printf(b, "%6s ", "sum");
	for (size_t k = c->first; k < c->end; k++)
		if (r->ports[k].is_used)
			text_cell(b, text_width(&r->ports[k]), 2, true,
				  r->ports[k].sum);
	if (c->costs) {
		buffer_printf(b, " |");
		for (size_t k = 0; k < r->n_columns; k++)
			if (r->columns[k].text)
				text_cell(b, COLUMN, 2, r->columns[k].summed,
					  text_sum(r, &r->columns[k]));
		buffer_printf(b, " | %*.1f %*.1f |", COLUMN,
			      r->numbers[NUMBER_CRITICAL], COLUMN,
			      r->numbers[NUMBER_CARRIED]);
	}
	buffer_printf(b, "\n\n");
}

static void text_table(struct buffer *b, const struct report *r,
		       const struct text_columns *c)
{
	text_heading(b, r, c);
	for (size_t i = 0; i < r->p->body.n; i++)
		text_row(b, r, c, &r->rows[i]);
	text_sums(b, r, c);
}

/* Is a line longer than the reader's lines? */
static bool text_is_wide(const struct prediction *p, const struct buffer *b)
{
	const char *line = (const char *)b->bytes, *end = line + b->n;

	for (; p->columns > 0 && line < end; line++) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		if ((size_t)(stop - line) > p->columns)
			return true;
		line = stop;
	}
	return false;
}

/* Tables of as many ports as lines have room for. */
static void text_port_tables(struct buffer *b, const struct report *r)
{
	const size_t n = r->p->pressure.n_ports;
	struct text_columns c = { 0 };

	for (; c.end < n; c.first = c.end) {
		size_t width = COLUMN + 1;

		for (; c.end < n; c.end++) {
			if (r->ports[c.end].is_used)
				width += 1 +
					 (size_t)text_width(&r->ports[c.end]);
			if (width > r->p->columns && c.end > c.first)
				break;
		}
		if (width > COLUMN + 1)
			text_table(b, r, &c);
	}
}

/* One table, or where lines are too short for it one of the costs and some of
 * the ports. */
static void text_tables(struct buffer *b, const struct report *r)
{
	const size_t n = r->p->pressure.n_ports;
	const char *end = "";
	struct buffer whole = { 0 };

	text_table(&whole, r, &(struct text_columns){ 0, n, true });
	if (!text_is_wide(r->p, &whole)) {
		buffer_add(b, whole.bytes, whole.n);
	} else {
		text_table(b, r, &(struct text_columns){ 0, 0, true });
		text_port_tables(b, r);
	}
	buffer_free(&whole);
	for (size_t k = 0; k < n; k++)
		if (r->ports[k].is_used && r->ports[k].is_long) {
			buffer_printf(b, "%6s  %s\n", r->ports[k].heading,
				      r->ports[k].name);
			end = "\n";
		}
	buffer_printf(b, "%s", end);
}

/* ---- numbers ----------------------------------------------------------- */

/* Parts of the throughput other than the ports are left out if they are 0. */
static void text_bounds(struct buffer *b, const struct report *r)
{
	for (int k = NUMBER_THROUGHPUT; k <= NUMBER_CRITICAL; k++) {
		bool part = k >= NUMBER_PORTS && k < NUMBER_CARRIED;

		if (r->numbers[k] > 0 || !part || k == NUMBER_PORTS)
			buffer_printf(b, "%*s%-*s %8.2f\n", part ? 4 : 2, "",
				      part ? 22 : 24,
				      report_number_name(k).text,
				      r->numbers[k]);
	}
}

/* The worst alignment, and the rows that it is about. */
static void text_alignment(struct buffer *b, const struct report *r)
{
	const char *before = ": if these cross lines:";

	buffer_printf(b, "  %-24s %8.2f", report_number_name(NUMBER_WORST).text,
		      r->numbers[NUMBER_WORST]);
	for (size_t i = 0; i < r->p->body.n; i++) {
		if (!r->rows[i].op->may_straddle)
			continue;
		buffer_printf(b, "%s %s", before, r->rows[i].place);
		before = "";
	}
	buffer_printf(b, "\n");
}

static void text_numbers(struct buffer *b, const struct report *r)
{
	const struct prediction *p = r->p;
	const struct simulation *s = &p->simulation;

	buffer_printf(b, "cycles per iteration\n");
	text_bounds(b, r);
	if (s->simulated > 0)
		buffer_printf(
			b, "  %-24s %8.2f%s%s\n", "simulated", s->cycles,
			s->steady ? "" : "  (no steady state found: mean)",
			p->simulated ? "" : "  (sizes of queues assumed)");
	buffer_printf(b, "  %-24s %8.2f\n",
		      report_number_name(NUMBER_CYCLES).text, p->cycles);
	if (p->worst_cycles > 0)
		text_alignment(b, r);
	buffer_printf(b, "\n%s\n", p->why);
	for (size_t i = 0; effects[i]; i++) {
		const struct effect_note *n = effects[i]->note;
		const char *value = n ? n->value(&p->body) : NULL;

		if (value)
			buffer_printf(b, "%s%s%s\n", n->before, value,
				      n->behind);
	}
}

/* ---- chains and stalls ------------------------------------------------- */

/* "line 4", or "lines 2 3" in the order of time; addresses without a
 * source. */
static void text_chain_places(struct buffer *b, const struct report *r,
			      const struct path *x)
{
	enum { SHOWN = 20 };
	const struct dep_graph *g = &r->p->graph;
	bool source = r->p->body.program->source != NULL;

	buffer_printf(b, "%s%s", source ? "line" : "address",
		      x->n == 1 ? ""
		      : source  ? "s"
				: "es");
	for (size_t i = 0; i < x->n && i < SHOWN; i++)
		buffer_printf(
			b, " %s",
			r->rows[g->op_of[g->edges[x->edges[i]].to]].place);
	if (x->n > SHOWN)
		buffer_printf(b, " ... (%zu in all)", x->n);
}

static void text_chains(struct buffer *b, const struct report *r)
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
		text_chain_places(b, r, x);
		buffer_printf(b, ", through %s", prediction_carrier(r->p, x));
		if (x->iterations > 1)
			buffer_printf(b, ", over %u iterations",
				      (unsigned)x->iterations);
		buffer_printf(b, "\n");
	}
}

static void text_stalls(struct buffer *b, const struct report *r)
{
	static const double least = 0.005;
	const char *heading = "\nwhat the time goes to, in the simulation\n";

	for (int k = 0; k < SIM_N_STALLS; k++) {
		if (r->simulation.stalls[k] < least)
			continue;
		buffer_printf(b, "%s  %-24s %6.0f %%\n", heading,
			      report_stalls[k].name,
			      100 * r->simulation.stalls[k]);
		heading = "";
	}
}

/* ---- timeline ---------------------------------------------------------- */

/* D dispatched, = waiting for operands, p waiting for ports, s started, e
 * executing, E done, - waiting for retirement, R retired. */
static void text_bar(struct buffer *b, const struct sim_event *x)
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

/* The first iterations, then the mean waits. */
static void text_timeline(struct buffer *b, const struct report *r)
{
	const struct simulation *s = &r->simulation;

	if (r->p->timeline == 0 || s->n_events == 0)
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
		text_bar(b, e);
		buffer_printf(b, "  %s\n", r->rows[e->op].text);
	}
	buffer_printf(b, "\nwaits, mean cycles\n  %8s %8s %10s\n", "operands",
		      "ports", "retirement");
	for (size_t i = 0; i < r->p->body.n; i++) {
		const struct report_row *x = &r->rows[i];

		buffer_printf(b, "  %8.1f %8.1f %10.1f  %s\n", x->wait.operands,
			      x->wait.ports, x->wait.retirement, x->text);
	}
}

/* ---- notes ------------------------------------------------------------- */

/* What is assumed, one line per form. */
static void text_assumptions(struct buffer *b, const struct report *r)
{
	const char *heading = "\nassumed:\n";

	for (size_t i = 0; i < r->p->body.n; i++) {
		const struct op *o = r->rows[i].op;
		const struct form *f = o->insn->instance.form;
		bool printed = o->assumed == NULL;

		for (size_t k = 0; f && k < i && !printed; k++)
			printed = r->rows[k].op->insn->instance.form == f &&
				  r->rows[k].op->assumed != NULL;
		if (printed)
			continue;
		buffer_printf(b, "%s  X %s (%s): %s\n", heading,
			      f ? f->name : "unknown", r->rows[i].text,
			      o->assumed);
		heading = "";
	}
}

/* Has a row before this one the same form? */
static bool text_is_repeated(const struct report *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (r->rows[k].op->costs == r->rows[i].op->costs)
			return true;
	return false;
}

/* A line for each origin of values, with the forms that have it. */
static void text_origins(struct buffer *b, const struct report *r)
{
	size_t n = r->p->body.n;
	bool *said = ARENA_ARRAY(r->p->body.a, bool, n + 1);

	buffer_printf(b, "\nwhere the values come from (c its class, p its "
			 "parts, t tables, b between\nbounds, X assumed):\n");
	for (size_t i = 0; i < n; i++)
		said[i] = text_is_repeated(r, i);
	for (size_t i = 0; i < n; i++) {
		const struct report_row *x = &r->rows[i];
		const char *before = ": ";

		if (said[i])
			continue;
		buffer_printf(b, "  %c%c%s", x->mark, x->corrected ? '*' : ' ',
			      x->origin);
		for (size_t k = i; k < n; k++) {
			const struct report_row *y = &r->rows[k];

			if (said[k] || strcmp(y->origin, x->origin) != 0)
				continue;
			buffer_printf(b, "%s%s", before,
				      y->op->costs ? y->op->costs->form->name
						   : y->text);
			before = ", ";
			said[k] = true;
		}
		buffer_printf(b, "\n");
	}
}

/* ---- the whole --------------------------------------------------------- */

static void text_title(struct buffer *b, const struct report *r)
{
	const struct body *x = &r->p->body;
	const struct loop *l = x->loop;
	const struct source *source = x->program->source;
	const char *function = l->function ? l->function : "";

	if (strcmp(function, l->label) == 0)
		function = "";
	buffer_printf(b, "model: %s, %s\nloop: %s%s%s-%s", x->model->cpu,
		      x->model->source, source ? source->name : "",
		      source ? ":" : "", r->rows[0].place,
		      r->rows[x->n - 1].place);
	buffer_printf(b, "%s%s, %zu instruction%s%s%s%s\n\n",
		      *l->label ? " " : "", l->label, x->n,
		      x->n == 1 ? "" : "s", *function ? ", in " : "", function,
		      l->closed
			      ? ""
			      : " (no jump back: taken as the body of a loop)");
}

static void text_others(struct buffer *b, const struct prediction *p)
{
	if (p->n_others > 0)
		buffer_printf(b, "\non other cores, cycles per iteration\n");
	for (size_t i = 0; i < p->n_others; i++) {
		const struct prediction *x = &p->others[i];

		buffer_printf(b, "  %8.2f  %s, %s: %s\n", x->cycles,
			      x->body.model->cpu, x->body.model->source,
			      x->why);
	}
}

void print_text_report(struct buffer *b, const struct report *r)
{
	text_title(b, r);
	text_tables(b, r);
	text_numbers(b, r);
	text_chains(b, r);
	text_stalls(b, r);
	text_timeline(b, r);
	text_others(b, r->p);
	text_assumptions(b, r);
	text_origins(b, r);
}

void print_text(struct buffer *b, const struct prediction *p)
{
	struct report r = report_make(p);

	print_text_report(b, &r);
}
