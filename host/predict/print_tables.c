/* Tables of a loop's HTML page: the pressure of ports, the loop on other cores,
 * and the loop without one of its instructions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/predict/print.h"
#include "host/predict/report.h"

/* ---- pressure ---------------------------------------------------------- */

/* Less than 0: not known. */
static void table_number(struct buffer *b, double value)
{
	buffer_printf(b, value >= 0 ? "<td class=\"n\">%.3g</td>" : "<td></td>",
		      value);
}

/* Cells of the ports in use, each with a bar of the share of the busiest. */
static void table_bars(struct buffer *b, const struct report *r,
		       const double *cycles)
{
	enum { WIDTH = 46, HEIGHT = 5 };
	size_t n = r->p->pressure.n_ports;
	double most = 0;

	for (size_t k = 0; k < n; k++)
		most = fmax(most, r->ports[k].sum);
	for (size_t k = 0; k < n; k++) {
		if (!r->ports[k].is_used)
			continue;
		if (!(cycles[k] > PRINT_HIDDEN)) {
			buffer_printf(b, "<td></td>");
			continue;
		}
		buffer_printf(b,
			      "<td class=\"n\">%.2f<svg viewBox=\"0 0 %d %d\" "
			      "width=\"%d\" height=\"%d\" "
			      "aria-hidden=\"true\">",
			      cycles[k], WIDTH, HEIGHT, WIDTH, HEIGHT);
		svg_rect(b, "bar",
			 (struct svg_box){
				 0, 0,
				 fmax(1, WIDTH * fmin(1, cycles[k] / most)),
				 HEIGHT },
			 NULL);
		buffer_printf(b, "</svg></td>");
	}
}

/* A pool of ports has a long name, which may be broken. */
static void table_port(struct buffer *b, const char *name)
{
	buffer_printf(b, "<th scope=\"col\" class=\"n\">");
	for (size_t n; *name != '\0'; name += n) {
		n = strcspn(name, "|");
		n += name[n] == '|';
		html_escape(b, name, n);
		buffer_printf(b, "<wbr>");
	}
	buffer_printf(b, "</th>");
}

void print_html_table(struct buffer *b, const struct report *r)
{
	const struct prediction *p = r->p;

	html_heads_begin(b,
			 p->body.program->source ? "Line|Instruction"
						 : "Address|Instruction",
			 "Cycles of one iteration on each port");
	for (size_t k = 0; k < r->n_columns; k++)
		if (r->columns[k].html)
			html_head(b, false, r->columns[k].html);
	for (size_t k = 0; k < p->pressure.n_ports; k++)
		if (r->ports[k].is_used)
			table_port(b, r->ports[k].name);
	html_heads_end(b);
	for (size_t i = 0; i < p->body.n; i++) {
		const struct report_row *x = &r->rows[i];

		html_printf(b,
			    "<tr><td class=\"n\">%s</td>"
			    "<th scope=\"row\" class=\"code\">%s</th>",
			    x->place, x->text);
		for (size_t k = 0; k < r->n_columns; k++)
			if (r->columns[k].html)
				table_number(
					b, report_value(r, &r->columns[k], x));
		table_bars(b, r, x->share);
		buffer_printf(b, "</tr>\n");
	}
	buffer_printf(b, "<tr><td></td><th scope=\"row\">sum</th>");
	for (size_t k = 0; k < r->n_columns; k++)
		buffer_printf(b, "%s", r->columns[k].html ? "<td></td>" : "");
	table_bars(b, r, p->pressure.sum);
	buffer_printf(b, "</tr>");
	html_table_end(b);
}

/* ---- other cores ------------------------------------------------------- */

enum { LONGEST_NAME = 30 /* letters of a port's name, of a pool's as well */ };

/* Pixels in which the name has room. */
static double name_room(const char *name)
{
	static const double letter = 7, least = 60;
	size_t n = strnlen(name, LONGEST_NAME);

	return fmax(least, (double)n * letter + 4);
}

/* Each port that the loop uses: its name, a bar and its cycles. */
static void others_pressure(struct buffer *b, const struct report *r)
{
	enum { BAR = 90, NUMBER = 36, ROW = 15, TEXT = LONGEST_NAME + 1 };
	const struct prediction *p = r->p;
	double most = 0, room = 0, y = 0;
	size_t n = 0;

	for (size_t k = 0; k < p->pressure.n_ports; k++) {
		if (!(r->ports[k].sum > PRINT_HIDDEN))
			continue;
		most = fmax(most, r->ports[k].sum);
		room = fmax(room, name_room(r->ports[k].name));
		n++;
	}
	if (n == 0)
		return;
	svg_begin(b, room + BAR + NUMBER, (double)(n * ROW),
		  "Cycles on each port");
	for (size_t k = 0; k < p->pressure.n_ports; k++) {
		double cycles = r->ports[k].sum;
		char text[TEXT];

		if (!(cycles > PRINT_HIDDEN))
			continue;
		(void)snprintf(text, sizeof(text), "%.*s", LONGEST_NAME,
			       r->ports[k].name);
		svg_text(b, "tick", room - 4, y + 11, "end", text);
		(void)snprintf(text, sizeof(text), "%.2f", cycles);
		svg_rect(b, "bar",
			 (struct svg_box){ room, y + 2,
					   fmax(1, BAR * cycles / most),
					   ROW - 4 },
			 p->body.model->ports[k].name);
		svg_text(b, "tick", room + BAR + NUMBER, y + 11, "end", text);
		y += ROW;
	}
	svg_end(b);
}

/* A row without a number on any core is left out. */
static void others_number(struct buffer *b, const struct report *cores,
			  size_t n, enum report_number k)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, cores[i].numbers[k]);
	if (!(most > 0))
		return;
	html_printf(b, "<tr><th scope=\"row\">%s</th>",
		    report_number_name(k).html);
	for (size_t i = 0; i < n; i++)
		table_number(b, cores[i].numbers[k]);
	buffer_printf(b, "</tr>\n");
}

static void others_rows(struct buffer *b, const struct report *cores, size_t n)
{
	static const char cell[] = "<td class=\"words\">%s</td>";

	buffer_printf(b, "<tr><th scope=\"row\">Model</th>");
	for (size_t i = 0; i < n; i++)
		html_printf(b, cell, cores[i].p->body.model->source);
	buffer_printf(b, "</tr>\n");
	others_number(b, cores, n, NUMBER_CYCLES);
	buffer_printf(b, "<tr><th scope=\"row\">What limits it</th>");
	for (size_t i = 0; i < n; i++)
		html_printf(b, cell, cores[i].p->why);
	buffer_printf(b, "</tr>\n");
	for (int k = NUMBER_PORTS; k <= NUMBER_WORST; k++)
		others_number(b, cores, n, (enum report_number)k);
	others_number(b, cores, n, NUMBER_ASSUMED);
	buffer_printf(b, "<tr><th scope=\"row\">Cycles on each port</th>");
	for (size_t i = 0; i < n; i++) {
		buffer_printf(b, "<td class=\"words\">");
		others_pressure(b, &cores[i]);
		buffer_printf(b, "</td>");
	}
	buffer_printf(b, "</tr>\n");
}

void print_html_others(struct buffer *b, const struct report *r)
{
	const struct prediction *p = r->p;
	struct report *cores =
		ARENA_ARRAY(p->body.a, struct report, p->n_others + 1);

	if (p->n_others == 0)
		return;
	cores[0] = *r;
	for (size_t i = 0; i < p->n_others; i++)
		cores[i + 1] = report_table(&p->others[i]);
	buffer_printf(b, "<h2>On other cores</h2>\n");
	html_heads_begin(b, "",
			 "The same loop on each core, in cycles of that core");
	buffer_printf(b, "<td></td>");
	for (size_t i = 0; i <= p->n_others; i++)
		html_head(b, true, cores[i].p->body.model->cpu);
	html_heads_end(b);
	others_rows(b, cores, p->n_others + 1);
	html_table_end(b);
	for (size_t i = 1; i <= p->n_others; i++) {
		html_printf(b,
			    "<details><summary>Ports of %s, instruction by "
			    "instruction</summary>\n",
			    cores[i].p->body.model->cpu);
		print_html_table(b, &cores[i]);
		buffer_printf(b, "</details>\n");
	}
}

/* ---- without an instruction -------------------------------------------- */

/* Cores of the page: 0 is p itself. */
static const struct prediction *without_core(const struct prediction *p,
					     size_t i)
{
	return i == 0 ? p : &p->others[i - 1];
}

/* A cell for each core with its cycles without instruction `gone`; then what
 * limits the loop on the first. */
static void without_row(struct buffer *b, const struct prediction *p,
			size_t gone)
{
	struct arena a = { 0 };
	const char *why = "";

	for (size_t i = 0; i <= p->n_others; i++) {
		const struct prediction *core = without_core(p, i);
		struct prediction x;

		buffer_printf(b, "<td class=\"n\">");
		if (report_without(&a, core, gone, &x)) {
			buffer_printf(b, "%.2f</td><td class=\"n\">%+.2f",
				      x.cycles, x.cycles - core->cycles);
			why = i == 0 ? x.why : why;
		} else {
			buffer_printf(b, "</td><td>");
		}
		buffer_printf(b, "</td>");
	}
	html_printf(b, "<td class=\"words\">%s</td></tr>\n", why);
	arena_free(&a);
}

static void without_head(struct buffer *b, const struct prediction *p)
{
	bool one = p->n_others == 0;

	buffer_printf(b, "<h2>What if</h2>\n");
	html_heads_begin(b, "Without",
			 "The loop without one of its instructions");
	for (size_t i = 0; i <= p->n_others; i++) {
		html_head(b, true,
			  one ? "Cycles" : without_core(p, i)->body.model->cpu);
		html_head(b, true, "Change");
	}
	html_printf(b, "<th scope=\"col\">What limits it then%s%s</th>",
		    one ? "" : ", on ", one ? "" : p->body.model->cpu);
	html_heads_end(b);
}

void print_html_without(struct buffer *b, const struct prediction *p)
{
	enum { MOST = 100 };

	if (p->body.n < 2 || p->body.n > MOST)
		return;
	without_head(b, p);
	for (size_t i = 0; i < p->body.n; i++) {
		/* Without its branch it is no loop. */
		if (p->body.ops[i].insn->jumps)
			continue;
		html_printf(b, "<tr><th scope=\"row\" class=\"code\">%s</th>",
			    p->body.ops[i].insn->text);
		without_row(b, p, i);
	}
	html_table_end(b);
}
