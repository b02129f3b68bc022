/* Print a prediction as text: OSACA's table, the bounds, the reason. */
#include <stdio.h>
#include <string.h>

#include "host/predict/print.h"

enum { COLUMN = 6 };

static bool print_text_is_used(const struct prediction *p, size_t port)
{
	return p->pressure.sum[port] > 0;
}

enum { NAME_ROOM = 16 };

/* Long names of pools are replaced by a letter, "[a]"; a list below the table
 * has them. */
static bool print_text_is_long(const struct body *x, size_t port)
{
	enum { LONGEST = 10 };

	return port >= x->n_ports && strlen(print_port_name(x, port)) > LONGEST;
}

static void print_text_heading_of(const struct prediction *p, size_t port,
				  char name[NAME_ROOM])
{
	unsigned n = 0;

	for (size_t k = 0; k < port; k++)
		n += print_text_is_used(p, k) &&
		     print_text_is_long(&p->body, k);
	if (!print_text_is_long(&p->body, port))
		(void)snprintf(name, NAME_ROOM, "%.15s",
			       print_port_name(&p->body, port));
	else if (n < 26)
		(void)snprintf(name, NAME_ROOM, "[%c]", 'a' + (int)n);
	else
		(void)snprintf(name, NAME_ROOM, "[%u]", n);
}

static int print_text_column(const struct prediction *p, size_t port)
{
	char name[NAME_ROOM];
	size_t n;

	print_text_heading_of(p, port, name);
	n = strlen(name);
	return n < COLUMN ? COLUMN : (int)n;
}

/* The long names of pools. */
static void print_text_names(struct buffer *b, const struct prediction *p)
{
	bool any = false;

	for (size_t k = 0; k < p->pressure.n_ports; k++) {
		char name[NAME_ROOM];

		if (!print_text_is_used(p, k) ||
		    !print_text_is_long(&p->body, k))
			continue;
		print_text_heading_of(p, k, name);
		buffer_printf(b, "%6s  %s\n", name,
			      print_port_name(&p->body, k));
		any = true;
	}
	if (any)
		buffer_printf(b, "\n");
}

static void print_text_cell(struct buffer *b, int width, double cycles)
{
	if (cycles > 5e-3)
		buffer_printf(b, " %*.2f", width, cycles);
	else
		buffer_printf(b, " %*s", width, "");
}

/* A part of the table: ports from `first` up to `end`, and with `costs` the
 * columns of the instruction itself and its text. */
struct columns {
	size_t first, end;
	bool costs;
};

static void print_text_heading(struct buffer *b, const struct prediction *p,
			       const struct columns *c)
{
	const struct body *x = &p->body;

	buffer_printf(b, "%6s ", x->program->source ? "line" : "addr");
	for (size_t k = c->first; k < c->end; k++)
		if (print_text_is_used(p, k)) {
			char name[NAME_ROOM];

			print_text_heading_of(p, k, name);
			buffer_printf(b, " %*s", print_text_column(p, k), name);
		}
	if (c->costs)
		buffer_printf(b, " | %*s %*s %*s | %*s %*s |", COLUMN, "lat",
			      COLUMN, "uops", COLUMN, "rtp", COLUMN, "CP",
			      COLUMN, "LCD");
	buffer_printf(b, "\n");
}

static void print_text_mark(struct buffer *b, bool on, double cycles)
{
	if (on)
		buffer_printf(b, " %*.1f", COLUMN, cycles);
	else
		buffer_printf(b, " %*s", COLUMN, "");
}

static void print_text_cost(struct buffer *b, double cycles)
{
	if (cycles < 0)
		buffer_printf(b, " %*s", COLUMN, "");
	else
		buffer_printf(b, " %*.2f", COLUMN, cycles);
}

static void print_text_costs(struct buffer *b, const struct op *o)
{
	struct report_costs c = report_costs(o);

	buffer_printf(b, " |");
	print_text_cost(b, c.latency);
	print_text_cost(b, c.slots);
	print_text_cost(b, c.throughput);
}

static void print_text_row(struct buffer *b, const struct prediction *p,
			   const struct columns *c, size_t i)
{
	const struct op *o = &p->body.ops[i];
	const struct pressure *x = &p->pressure;

	if (p->body.program->source)
		buffer_printf(b, "%6u ", (unsigned)o->insn->line);
	else
		buffer_printf(b, "%6llx ",
			      (unsigned long long)o->insn->address);
	for (size_t k = c->first; k < c->end; k++)
		if (print_text_is_used(p, k))
			print_text_cell(b, print_text_column(p, k),
					x->share[i * x->n_ports + k]);
	if (c->costs) {
		print_text_costs(b, o);
		buffer_printf(b, " |");
		print_text_mark(b, p->critical.on[i], p->critical.marks[i]);
		print_text_mark(b, p->carried.on[i], p->carried.marks[i]);
		buffer_printf(
			b, " |%c %s%s", print_origin_mark(o), o->insn->text,
			o->fused ? "  (one uop with the one before)" : "");
	}
	buffer_printf(b, "\n");
}

static void print_text_sums(struct buffer *b, const struct prediction *p,
			    const struct columns *c)
{
	double slots = 0;

	for (size_t i = 0; i < p->body.n; i++)
		slots += p->body.ops[i].slots;
	buffer_printf(b, "%6s ", "sum");
	for (size_t k = c->first; k < c->end; k++)
		if (print_text_is_used(p, k))
			buffer_printf(b, " %*.2f", print_text_column(p, k),
				      p->pressure.sum[k]);
	if (c->costs)
		buffer_printf(b, " | %*s %*.2f %*s | %*.1f %*.1f |", COLUMN, "",
			      COLUMN, slots, COLUMN, "", COLUMN,
			      p->critical.cycles, COLUMN, p->carried.cycles);
	buffer_printf(b, "\n\n");
}

static void print_text_table(struct buffer *b, const struct prediction *p,
			     const struct columns *c)
{
	print_text_heading(b, p, c);
	for (size_t i = 0; i < p->body.n; i++)
		print_text_row(b, p, c, i);
	print_text_sums(b, p, c);
}

/* Is a line longer than the reader's lines? */
static bool print_text_is_wide(const struct prediction *p,
			       const struct buffer *b)
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

/* One table, or where lines are too short for it one of the costs and some of
 * the ports. */
static void print_text_tables(struct buffer *b, const struct prediction *p)
{
	const size_t n = p->pressure.n_ports;
	struct columns c = { .end = n, .costs = true };
	struct buffer whole = { 0 };

	print_text_table(&whole, p, &c);
	if (!print_text_is_wide(p, &whole)) {
		buffer_add(b, whole.bytes, whole.n);
	} else {
		c.end = 0;
		print_text_table(b, p, &c);
		for (c.costs = false; c.end < n; c.first = c.end) {
			size_t width = COLUMN + 1;

			for (; c.end < n; c.end++) {
				if (print_text_is_used(p, c.end))
					width += 1 + (size_t)print_text_column(
							     p, c.end);
				if (width > p->columns && c.end > c.first)
					break;
			}
			if (width > COLUMN + 1)
				print_text_table(b, p, &c);
		}
	}
	buffer_free(&whole);
	print_text_names(b, p);
}

void print_assumptions(struct buffer *b, const struct prediction *p,
		       const char *before)
{
	for (size_t i = 0; i < p->body.n; i++) {
		const struct op *o = &p->body.ops[i];
		const struct form *f = o->insn->instance.form;
		bool printed = false;

		for (size_t k = 0; k < i && !printed; k++)
			printed = p->body.ops[k].insn->instance.form == f &&
				  p->body.ops[k].assumed != NULL && f != NULL;
		if (o->assumed && !printed)
			buffer_printf(b, "%s%s (%s): %s\n", before,
				      f ? f->name : "unknown", o->insn->text,
				      o->assumed);
	}
}

/* The worst alignment, and the rows that it is about. */
static void print_text_alignment(struct buffer *b, const struct prediction *p)
{
	const char *before = ": if these cross lines:";

	buffer_printf(b, "  %-24s %8.2f", "at worst alignment",
		      p->worst_cycles);
	for (size_t i = 0; i < p->body.n; i++) {
		const struct op *o = &p->body.ops[i];

		if (!o->may_straddle)
			continue;
		if (p->body.program->source)
			buffer_printf(b, "%s %u", before,
				      (unsigned)o->insn->line);
		else
			buffer_printf(b, "%s %llx", before,
				      (unsigned long long)o->insn->address);
		before = "";
	}
	buffer_printf(b, "\n");
}

static void print_text_bounds(struct buffer *b, const struct prediction *p)
{
	const struct simulation *s = &p->simulation;
	const char *closed = body_closed_text(&p->body);

	buffer_printf(b,
		      "cycles per iteration\n"
		      "  %-24s %8.2f\n",
		      "throughput", p->throughput);
	buffer_printf(b, "    %-22s %8.2f\n", "ports", p->pressure.bound);
	if (p->width_bound > 0)
		buffer_printf(b, "    %-22s %8.2f\n", "front end",
			      p->width_bound);
	if (p->branch_bound > 0)
		buffer_printf(b, "    %-22s %8.2f\n", "taken branches",
			      p->branch_bound);
	if (p->fetch_bound > 0)
		buffer_printf(b, "    %-22s %8.2f\n", "lines of code",
			      p->fetch_bound);
	buffer_printf(b, "  %-24s %8.2f\n", "loop-carried dependency",
		      p->carried.cycles);
	buffer_printf(b, "  %-24s %8.2f\n", "critical path",
		      p->critical.cycles);
	if (s->simulated > 0)
		buffer_printf(
			b, "  %-24s %8.2f%s%s\n", "simulated", s->cycles,
			s->steady ? "" : "  (no steady state found: mean)",
			p->simulated ? "" : "  (sizes of queues assumed)");
	buffer_printf(b, "  %-24s %8.2f\n", "predicted", p->cycles);
	if (p->worst_cycles > 0)
		print_text_alignment(b, p);
	buffer_printf(b, "\n");
	buffer_printf(b, "%s\n", p->why);
	if (closed)
		buffer_printf(b,
			      "vector instructions do not use %s, because the "
			      "loop has 512-bit instructions\n",
			      closed);
}

static void print_text_title(struct buffer *b, const struct prediction *p)
{
	const struct body *x = &p->body;
	const struct model *m = x->model;
	const char *function = x->loop->function ? x->loop->function : "";

	if (strcmp(function, x->loop->label) == 0)
		function = "";
	buffer_printf(b, "model: %s, %s\n", m->cpu, m->source);
	if (x->program->source)
		buffer_printf(b, "loop: %s:%u-%u", x->program->source->name,
			      (unsigned)x->ops[0].insn->line,
			      (unsigned)x->ops[x->n - 1].insn->line);
	else
		buffer_printf(
			b, "loop: %llx-%llx",
			(unsigned long long)x->ops[0].insn->address,
			(unsigned long long)x->ops[x->n - 1].insn->address);
	buffer_printf(b, "%s%s, %zu instruction%s%s%s%s\n\n",
		      *x->loop->label ? " " : "", x->loop->label, x->n,
		      x->n == 1 ? "" : "s", *function ? ", in " : "", function,
		      x->loop->closed
			      ? ""
			      : " (no jump back: taken as the body of a loop)");
}

void print_text(struct buffer *b, const struct prediction *p)
{
	struct buffer notes = { 0 };
	struct report report = report_make(p);

	print_text_title(b, p);
	print_text_tables(b, p);
	print_text_bounds(b, p);
	print_chains(b, &report);
	print_stalls(b, &report);
	if (p->timeline > 0)
		print_timeline(b, &report);
	print_text_others(b, p);
	print_assumptions(&notes, p, "  X ");
	if (notes.n > 0) {
		buffer_printf(b, "\nassumed:\n");
		buffer_add(b, notes.bytes, notes.n);
	}
	buffer_free(&notes);
	buffer_printf(b, "\nwhere the values come from (c its class, p its "
			 "parts, t tables, b between\nbounds, X assumed):\n");
	print_origins(b, p, "  ");
}
