/* One HTML page without scripts: the text, the graph as SVG, and the graph in
 * DOT. Instructions are listed in program order. Arcs on the right lead to
 * later instructions, arcs on the left to later iterations. The dependency
 * cycle is red, the critical path blue. */
#include <math.h>
#include <string.h>

#include "host/predict/print.h"

enum {
	ROW = 24,
	TEXT_LEFT = 220,
	TEXT_WIDTH = 420,
	ARC = 16, /* horizontal extent of an arc per row that it spans */
	WIDEST = 200,
};

void print_html_escape(struct buffer *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		switch (s[i]) {
		case '<':
			buffer_printf(b, "&lt;");
			break;
		case '>':
			buffer_printf(b, "&gt;");
			break;
		case '&':
			buffer_printf(b, "&amp;");
			break;
		case '"':
			buffer_printf(b, "&quot;");
			break;
		default:
			buffer_add(b, &s[i], 1);
		}
	}
}

static bool on_path(const struct path *path, const struct dep_graph *g,
		    size_t link)
{
	for (size_t i = 0; i < path->n; i++)
		if (g->edges[path->edges[i]].link == link)
			return true;
	return false;
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

static void print_html_arc(struct buffer *b, const struct prediction *p,
			   size_t i)
{
	const struct link *l = &p->graph.links[i];
	bool later = l->distance > 0;
	int from = (int)l->from * ROW + ROW / 2;
	int to = (int)l->to * ROW + ROW / 2;
	int apart = (int)(l->to > l->from ? l->to - l->from : l->from - l->to);
	int out = ARC * (apart + 1) > WIDEST ? WIDEST : ARC * (apart + 1);
	int x = later ? TEXT_LEFT : TEXT_LEFT + TEXT_WIDTH;
	int side = later ? x - out : x + out;

	buffer_printf(b,
		      "<path d=\"M%d %d C%d %d %d %d %d %d\" fill=\"none\" "
		      "stroke=\"%s\"%s marker-end=\"url(#end)\"><title>%.4g "
		      "cycles, %u iterations later</title></path>\n",
		      x, from, side, from, side, to, x, to,
		      print_html_colour(p, i),
		      later ? " stroke-dasharray=\"4 2\"" : "",
		      print_html_cycles_of(p, i), (unsigned)l->distance);
}

static void print_html_draw(struct buffer *b, const struct prediction *p)
{
	buffer_printf(b,
		      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		      "height=\"%zu\" font-family=\"monospace\" "
		      "font-size=\"13\">\n<defs><marker id=\"end\" "
		      "viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
		      "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
		      "<path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
		      2 * TEXT_LEFT + TEXT_WIDTH, p->body.n * ROW);
	for (size_t i = 0; i < p->body.n; i++) {
		const char *text = p->body.ops[i].insn->text;

		buffer_printf(b, "<text x=\"%d\" y=\"%zu\"%s>", TEXT_LEFT + 8,
			      i * ROW + 16,
			      p->carried.on[i]    ? " fill=\"#c00\""
			      : p->critical.on[i] ? " fill=\"#06c\""
						  : "");
		print_html_escape(b, text, strlen(text));
		buffer_printf(b, "</text>\n");
	}
	for (size_t i = 0; i < p->graph.n_links; i++)
		print_html_arc(b, p, i);
	buffer_printf(b, "</svg>\n");
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

void print_html(struct buffer *b, const struct prediction *p)
{
	struct buffer text = { 0 };

	buffer_printf(b, "<!DOCTYPE html>\n<html><head><meta "
			 "charset=\"utf-8\"><title>anechoic predict</title>"
			 "</head><body>\n<pre>\n");
	print_text(&text, p);
	print_html_escape(b, (const char *)text.bytes, text.n);
	text.n = 0;
	buffer_printf(b, "</pre>\n<h2>Dependencies</h2>\n<p>Red: carried from "
			 "iteration to iteration. Blue: the critical path. "
			 "Dashed: into a later iteration.</p>\n");
	print_html_draw(b, p);
	buffer_printf(b, "<h2>The same for Graphviz</h2>\n<pre>\n");
	print_dot(&text, p);
	print_html_escape(b, (const char *)text.bytes, text.n);
	buffer_printf(b, "</pre>\n</body></html>\n");
	buffer_free(&text);
}
