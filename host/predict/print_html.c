/* One HTML page without scripts: what limits the loop, a table with the pressure
 * of ports, the graph as SVG over the code, a timeline, what would change
 * without an instruction, the text, and the graph in DOT. In the graph, arcs on
 * the right lead to later instructions, arcs on the left to later iterations. */
#include "host/base/version.h"
#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/predict/print.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	ROW = 24,
	ARC = 16, /* horizontal extent of an arc per row that it spans */
	WIDEST = 200,
	MARGIN = 40,
	LETTER = 8, /* pixels */
	MOST_LETTERS = 100,
};

/* Less is no pressure that a reader would see. */
static const double hidden = 5e-3;

/* Of a dependency that is on no path. */
static const char plain_class[] = "dep";

static bool on_path(const struct path *path, const struct dep_graph *g,
		    size_t link)
{
	for (size_t i = 0; i < path->n; i++)
		if (g->edges[path->edges[i]].link == link)
			return true;
	return false;
}

/* Class of the style sheet. */
static const char *print_html_class(const struct prediction *p, size_t link)
{
	if (on_path(&p->carried, &p->graph, link))
		return "carried";
	return on_path(&p->critical, &p->graph, link) ? "critical"
						      : plain_class;
}

static const char *print_html_colour(const struct prediction *p, size_t link)
{
	if (on_path(&p->carried, &p->graph, link))
		return "#c00";
	return on_path(&p->critical, &p->graph, link) ? "#06c" : "#999";
}

static double print_html_cycles_of(const struct prediction *p, size_t link)
{
	double most = 0;

	for (size_t i = 0; i < p->graph.n_edges; i++)
		if (p->graph.edges[i].link == link)
			most = fmax(most, p->graph.edges[i].cycles);
	return most;
}

/* Horizontal measures of the picture. */
struct drawing {
	int left, width; /* of the text */
	int right;       /* room on its right */
};

static int arc_out(const struct link *l)
{
	int apart = (int)(l->to > l->from ? l->to - l->from : l->from - l->to);

	return apart < WIDEST / ARC ? ARC * (apart + 1) : WIDEST;
}

static struct drawing print_html_measure(const struct prediction *p)
{
	struct drawing d = { MARGIN, 0, MARGIN };
	size_t longest = 1;

	for (size_t i = 0; i < p->body.n; i++) {
		size_t n = strlen(p->body.ops[i].insn->text);

		longest = n > longest ? n : longest;
	}
	d.width = longest < MOST_LETTERS ? (int)longest * LETTER
					 : MOST_LETTERS * LETTER;
	for (size_t i = 0; i < p->graph.n_links; i++) {
		const struct link *l = &p->graph.links[i];
		int *room = l->distance > 0 ? &d.left : &d.right;

		*room = arc_out(l) + MARGIN > *room ? arc_out(l) + MARGIN
						    : *room;
	}
	return d;
}

static void print_html_arc(struct buffer *b, const struct prediction *p,
			   size_t i, const struct drawing *d)
{
	const struct link *l = &p->graph.links[i];
	const char *class = print_html_class(p, i);
	double cycles = print_html_cycles_of(p, i);
	bool later = l->distance > 0;
	int from = (int)l->from * ROW + ROW / 2;
	int to = (int)l->to * ROW + ROW / 2;
	/* An instruction that depends on itself has a loop. */
	from -= l->from == l->to ? ROW / 4 : 0;
	to += l->from == l->to ? ROW / 4 : 0;

	int x = later ? d->left : d->left + d->width;
	int side = later ? x - arc_out(l) : x + arc_out(l);
	char text[16];

	buffer_printf(b,
		      "<path class=\"%s\" d=\"M%d %d C%d %d %d %d %d %d\"%s "
		      "marker-end=\"url(#end)\"><title>%.4g cycles, %u "
		      "iterations later</title></path>\n",
		      class, x, from, side, from, side, to, x, to,
		      later ? " stroke-dasharray=\"4 2\"" : "", cycles,
		      (unsigned)l->distance);
	if (strcmp(class, plain_class) == 0)
		return;
	(void)snprintf(text, sizeof(text), "%.3g", cycles);
	/* The middle of the curve is at three quarters of its handles. */
	svg_text(b, "tick", x + 0.75 * (side - x) + (later ? -4 : 4),
		 (from + to) / 2.0 + 4, later ? "end" : "start", text);
}

static void print_html_draw(struct buffer *b, const struct prediction *p)
{
	struct drawing d = print_html_measure(p);

	svg_begin(b, d.left + d.width + d.right, (double)(p->body.n * ROW),
		  "Dependencies of the instructions");
	buffer_printf(b, "<defs><marker id=\"end\" viewBox=\"0 0 8 8\" "
			 "refX=\"8\" refY=\"4\" markerWidth=\"7\" "
			 "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" "
			 "orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 "
			 "8z\"/></marker></defs>\n");
	for (size_t i = 0; i < p->body.n; i++)
		svg_text(b,
			 p->carried.on[i]    ? "mono carried"
			 : p->critical.on[i] ? "mono critical"
					     : "mono",
			 d.left + 6, (double)(i * ROW + 16), "start",
			 p->body.ops[i].insn->text);
	for (size_t i = 0; i < p->graph.n_links; i++)
		print_html_arc(b, p, i, &d);
	svg_end(b);
}

void print_dot(struct buffer *b, const struct prediction *p)
{
	buffer_printf(b, "digraph loop {\n\tnode [shape=box, "
			 "fontname=monospace];\n");
	for (size_t i = 0; i < p->body.n; i++) {
		buffer_printf(b, "\tn%zu [label=\"", i);
		for (const char *s = p->body.ops[i].insn->text; *s != '\0'; s++)
			buffer_printf(
				b, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
		buffer_printf(b, "\"];\n");
	}
	for (size_t i = 0; i < p->graph.n_links; i++)
		buffer_printf(
			b, "\tn%u -> n%u [label=\"%.4g\", color=\"%s\"%s];\n",
			(unsigned)p->graph.links[i].from,
			(unsigned)p->graph.links[i].to,
			print_html_cycles_of(p, i), print_html_colour(p, i),
			p->graph.links[i].distance > 0 ? ", style=dashed" : "");
	buffer_printf(b, "}\n");
}

/* ---- the page ------------------------------------------------------------ */

static void print_html_fact(struct buffer *b, const char *name, double cycles)
{
	if (cycles > 0)
		buffer_printf(b, "<dt>%s</dt><dd>%.2f cycles</dd>", name,
			      cycles);
}

static void print_html_facts(struct buffer *b, const struct prediction *p)
{
	buffer_printf(b, "<p>On ");
	html_text(b, p->body.model->cpu);
	buffer_printf(b, " (");
	html_text(b, p->body.model->source);
	buffer_printf(b, "): <b>");
	html_text(b, p->why);
	if (body_closed_text(&p->body)) {
		buffer_printf(b, "; vector instructions do not use ");
		html_text(b, body_closed_text(&p->body));
		buffer_printf(b, ", because the loop has 512-bit "
				 "instructions");
	}
	buffer_printf(b, "</b>.</p>\n<dl class=\"facts\">");
	print_html_fact(b, "Ports", p->pressure.bound);
	print_html_fact(b, "Front end", p->width_bound);
	print_html_fact(b, "Taken branches", p->branch_bound);
	print_html_fact(b, "Fetch", p->fetch_bound);
	print_html_fact(b, "Loop-carried dependency", p->carried.cycles);
	print_html_fact(b, "Critical path of one iteration",
			p->critical.cycles);
	print_html_fact(b, "At the worst alignment", p->worst_cycles);
	buffer_printf(b, "</dl>\n");
}

/* Less than 0: not known. */
static void print_html_number(struct buffer *b, double value)
{
	buffer_printf(b, value >= 0 ? "<td class=\"n\">%.3g</td>" : "<td></td>",
		      value);
}

/* A cell with a bar of the share of the busiest port. */
static void print_html_bar(struct buffer *b, double cycles, double most)
{
	enum { WIDTH = 46, HEIGHT = 5 };

	if (!(cycles > hidden) || !(most > 0)) {
		buffer_printf(b, "<td></td>");
		return;
	}
	buffer_printf(b,
		      "<td class=\"n\">%.2f<svg viewBox=\"0 0 %d %d\" "
		      "width=\"%d\" height=\"%d\" aria-hidden=\"true\">",
		      cycles, WIDTH, HEIGHT, WIDTH, HEIGHT);
	svg_rect(b, "bar", 0, 0, fmax(1, WIDTH * fmin(1, cycles / most)),
		 HEIGHT, NULL);
	buffer_printf(b, "</svg></td>");
}

static void print_html_row(struct buffer *b, const struct prediction *p,
			   size_t i, double most)
{
	const struct op *o = &p->body.ops[i];
	struct report_costs c = report_costs(o);

	if (p->body.program->source)
		buffer_printf(b, "<tr><td class=\"n\">%u</td>",
			      (unsigned)o->insn->line);
	else
		buffer_printf(b, "<tr><td class=\"n\">%llx</td>",
			      (unsigned long long)o->insn->address);
	buffer_printf(b, "<th scope=\"row\" class=\"code\">");
	html_text(b, o->insn->text);
	buffer_printf(b, "</th>");
	print_html_number(b, c.latency);
	print_html_number(b, c.slots);
	for (size_t k = 0; k < p->pressure.n_ports; k++)
		if (p->pressure.sum[k] > 0)
			print_html_bar(
				b,
				p->pressure.share[i * p->pressure.n_ports + k],
				most);
	buffer_printf(b, "</tr>\n");
}

/* A pool of ports has a long name, which may be broken. */
static void print_html_name(struct buffer *b, const char *name)
{
	for (size_t n; *name != '\0'; name += n) {
		n = strcspn(name, "|");
		n += name[n] == '|';
		html_escape(b, name, n);
		buffer_printf(b, "<wbr>");
	}
}

void print_html_table(struct buffer *b, const struct prediction *p)
{
	double most = 0;

	buffer_printf(b,
		      "<div class=\"box\"><table><caption>Cycles of one "
		      "iteration on each port</caption><thead><tr><th scope="
		      "\"col\">%s</th><th scope=\"col\">Instruction</th>"
		      "<th scope=\"col\">Latency</th><th scope=\"col\">"
		      "Uops</th>",
		      p->body.program->source ? "Line" : "Address");
	for (size_t k = 0; k < p->pressure.n_ports; k++) {
		if (!(p->pressure.sum[k] > 0))
			continue;
		most = fmax(most, p->pressure.sum[k]);
		buffer_printf(b, "<th scope=\"col\" class=\"n\">");
		print_html_name(b, print_port_name(&p->body, k));
		buffer_printf(b, "</th>");
	}
	buffer_printf(b, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < p->body.n; i++)
		print_html_row(b, p, i, most);
	buffer_printf(b, "<tr><td></td><th scope=\"row\">sum</th><td></td>"
			 "<td></td>");
	for (size_t k = 0; k < p->pressure.n_ports; k++)
		if (p->pressure.sum[k] > 0)
			print_html_bar(b, p->pressure.sum[k], most);
	buffer_printf(b, "</tr></tbody></table></div>\n");
}

void print_html(struct buffer *b, const struct prediction *p)
{
	struct buffer text = { 0 };
	struct report r = report_make(p);
	struct html_page page = { .title = NULL };

	buffer_printf(&text, "%.2f cycles per iteration", p->cycles);
	buffer_add(&text, "", 1);
	page.title = (const char *)text.bytes;
	html_begin(b, &page);
	print_html_facts(b, p);
	print_html_table(b, p);
	buffer_printf(b,
		      "<h2>Dependencies</h2>\n<p><span class=\"key carried\">"
		      "</span>carried from iteration to iteration <span "
		      "class=\"key critical\"></span>the critical path; "
		      "arcs on the left, dashed, lead into a later "
		      "iteration</p>\n<div class=\"box\">");
	print_html_draw(b, p);
	buffer_printf(b, "</div>\n");
	print_html_timeline(b, &r);
	print_html_others(b, p);
	print_html_without(b, p);
	text.n = 0;
	print_text(&text, p);
	buffer_printf(b, "<details><summary>The same as text</summary><pre>\n");
	html_escape(b, (const char *)text.bytes, text.n);
	text.n = 0;
	print_dot(&text, p);
	buffer_printf(b, "</pre></details>\n<details><summary>The graph for "
			 "Graphviz</summary><pre>\n");
	html_escape(b, (const char *)text.bytes, text.n);
	buffer_printf(b, "</pre></details>\n");
	text.n = 0;
	buffer_printf(&text, "Written by anechoic predict %s.",
		      anechoic_version);
	buffer_add(&text, "", 1);
	html_end(b, (const char *)text.bytes);
	buffer_free(&text);
}
