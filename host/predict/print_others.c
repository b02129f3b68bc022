/* The same loop on other cores: lines of the text, and a table of HTML with a
 * column for each core. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/predict/print.h"

void print_text_others(struct buffer *b, const struct prediction *p)
{
	if (p->n_others == 0)
		return;
	buffer_printf(b, "\non other cores, cycles per iteration\n");
	for (size_t i = 0; i < p->n_others; i++) {
		const struct prediction *x = &p->others[i];

		buffer_printf(b, "  %8.2f  %s, %s: %s\n", x->cycles,
			      x->body.model->cpu, x->body.model->source,
			      x->why);
	}
}

/* ---- HTML ---------------------------------------------------------------- */

const struct prediction *print_html_core(const struct prediction *p, size_t i)
{
	return i == 0 ? p : &p->others[i - 1];
}

void print_html_core_heads(struct buffer *b, const struct prediction *p)
{
	for (size_t i = 0; i <= p->n_others; i++) {
		buffer_printf(b, "<th scope=\"col\" class=\"n\">");
		html_text(b, print_html_core(p, i)->body.model->cpu);
		buffer_printf(b, "</th>");
	}
}

static void others_source(struct buffer *b, const struct prediction *p)
{
	html_text(b, p->body.model->source);
}

static void others_why(struct buffer *b, const struct prediction *p)
{
	html_text(b, p->why);
}

static double others_cycles(const struct prediction *p)
{
	return p->cycles;
}

static double others_ports(const struct prediction *p)
{
	return p->pressure.bound;
}

static double others_front_end(const struct prediction *p)
{
	return p->width_bound;
}

static double others_branches(const struct prediction *p)
{
	return p->branch_bound;
}

static double others_fetch(const struct prediction *p)
{
	return p->fetch_bound;
}

static double others_carried(const struct prediction *p)
{
	return p->carried.cycles;
}

static double others_critical(const struct prediction *p)
{
	return p->critical.cycles;
}

static double others_worst(const struct prediction *p)
{
	return p->worst_cycles;
}

static double others_assumed(const struct prediction *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->body.n; i++)
		n += p->body.ops[i].assumed != NULL;
	return (double)n;
}

enum { LONGEST_NAME = 30 /* letters of a port's name, of a pool's as well */ };

/* Less is no pressure that a reader would see. */
static const double hidden = 5e-3;

/* Pixels in which the name has room. */
static double name_room(const char *name)
{
	static const double letter = 7, least = 60;
	size_t n = strnlen(name, LONGEST_NAME);

	return fmax(least, (double)n * letter + 4);
}

/* Each port that the loop uses: its name, a bar and its cycles. */
static void others_pressure(struct buffer *b, const struct prediction *p)
{
	enum { BAR = 90, NUMBER = 36, ROW = 15, TEXT = LONGEST_NAME + 1 };
	double most = 0, room = 0;
	size_t n = 0;

	for (size_t k = 0; k < p->pressure.n_ports; k++) {
		if (!(p->pressure.sum[k] > hidden))
			continue;
		most = fmax(most, p->pressure.sum[k]);
		room = fmax(room, name_room(print_port_name(&p->body, k)));
		n++;
	}
	if (n == 0)
		return;
	svg_begin(b, room + BAR + NUMBER, (double)(n * ROW),
		  "Cycles on each port");
	n = 0;
	for (size_t k = 0; k < p->pressure.n_ports; k++) {
		double cycles = p->pressure.sum[k], y = (double)(n * ROW);
		char text[TEXT];

		if (!(cycles > hidden))
			continue;
		(void)snprintf(text, sizeof(text), "%.*s", LONGEST_NAME,
			       print_port_name(&p->body, k));
		svg_text(b, "tick", room - 4, y + 11, "end", text);
		(void)snprintf(text, sizeof(text), "%.2f", cycles);
		svg_rect(b, "bar", room, y + 2, fmax(1, BAR * cycles / most),
			 ROW - 4, p->body.model->ports[k].name);
		svg_text(b, "tick", room + BAR + NUMBER, y + 11, "end", text);
		n++;
	}
	svg_end(b);
}

/* Text, or a number; a row without a number on any core is left out. */
static const struct {
	const char *name;
	void (*print)(struct buffer *b, const struct prediction *p);
	double (*number)(const struct prediction *p);
} others_rows[] = {
	{ "Model", others_source, NULL },
	{ "Cycles per iteration", NULL, others_cycles },
	{ "What limits it", others_why, NULL },
	{ "Ports", NULL, others_ports },
	{ "Front end", NULL, others_front_end },
	{ "Taken branches", NULL, others_branches },
	{ "Fetch", NULL, others_fetch },
	{ "Loop-carried dependency", NULL, others_carried },
	{ "Critical path of one iteration", NULL, others_critical },
	{ "At the worst alignment", NULL, others_worst },
	{ "Instructions with assumed values", NULL, others_assumed },
	{ "Cycles on each port", others_pressure, NULL },
};

static void others_row(struct buffer *b, const struct prediction *p, size_t r)
{
	double most = 0;

	for (size_t i = 0; others_rows[r].number && i <= p->n_others; i++)
		most = fmax(most, others_rows[r].number(print_html_core(p, i)));
	if (others_rows[r].number && !(most > 0))
		return;
	buffer_printf(b, "<tr><th scope=\"row\">%s</th>", others_rows[r].name);
	for (size_t i = 0; i <= p->n_others; i++) {
		const struct prediction *x = print_html_core(p, i);

		if (others_rows[r].number) {
			buffer_printf(b, "<td class=\"n\">%.3g</td>",
				      others_rows[r].number(x));
			continue;
		}
		buffer_printf(b, "<td class=\"words\">");
		others_rows[r].print(b, x);
		buffer_printf(b, "</td>");
	}
	buffer_printf(b, "</tr>\n");
}

void print_html_others(struct buffer *b, const struct prediction *p)
{
	if (p->n_others == 0)
		return;
	buffer_printf(b, "<h2>On other cores</h2>\n<div class=\"box\"><table>"
			 "<caption>The same loop on each core, in cycles of "
			 "that core</caption><thead><tr><td></td>");
	print_html_core_heads(b, p);
	buffer_printf(b, "</tr></thead><tbody>\n");
	for (size_t r = 0; r < ARRAY_LEN(others_rows); r++)
		others_row(b, p, r);
	buffer_printf(b, "</tbody></table></div>\n");
	for (size_t i = 0; i < p->n_others; i++) {
		buffer_printf(b, "<details><summary>Ports of ");
		html_text(b, p->others[i].body.model->cpu);
		buffer_printf(b, ", instruction by instruction</summary>\n");
		print_html_table(b, &p->others[i]);
		buffer_printf(b, "</details>\n");
	}
}
