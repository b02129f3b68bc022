/* The dependence graph: over the code as SVG, and in DOT.  In the SVG, arcs on
 * the right lead to later instructions, arcs on the left to later
 * iterations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/html/svg.h"
#include "host/predict/print.h"

enum {
	ROW = 24,
	ARC = 16, /* horizontal extent of an arc per row that it spans */
	WIDEST = 200,
	MARGIN = 40,
	LETTER = 8, /* pixels */
	MOST_LETTERS = 100,
};

/* What a dependency is part of, and how it looks. */
static const struct graph_look {
	const char *class;  /* of the style sheet */
	const char *colour; /* in DOT */
} looks[] = {
	{ "carried", "#c00" },
	{ "critical", "#06c" },
	{ "dep", "#999" },
};

enum { LOOK_CARRIED, LOOK_CRITICAL, LOOK_PLAIN };

static bool on_path(const struct path *path, const struct dep_graph *g,
		    size_t link)
{
	for (size_t i = 0; i < path->n; i++)
		if (g->edges[path->edges[i]].link == link)
			return true;
	return false;
}

static const struct graph_look *look_of(const struct prediction *p, size_t link)
{
	if (on_path(&p->carried, &p->graph, link))
		return &looks[LOOK_CARRIED];
	return &looks[on_path(&p->critical, &p->graph, link) ? LOOK_CRITICAL
							     : LOOK_PLAIN];
}

static double graph_cycles_of(const struct prediction *p, size_t link)
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

static struct drawing graph_measure(const struct prediction *p)
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

static void draw_arc(struct buffer *b, const struct prediction *p, size_t i,
		     const struct drawing *d)
{
	const struct link *l = &p->graph.links[i];
	const struct graph_look *look = look_of(p, i);
	double cycles = graph_cycles_of(p, i);
	bool later = l->distance > 0;
	/* An instruction that depends on itself has a loop. */
	int apart = l->from == l->to ? ROW / 4 : 0;
	int from = (int)l->from * ROW + ROW / 2 - apart;
	int to = (int)l->to * ROW + ROW / 2 + apart;
	int x = later ? d->left : d->left + d->width;
	int side = later ? x - arc_out(l) : x + arc_out(l);
	char text[16];

	buffer_printf(b,
		      "<path class=\"%s\" d=\"M%d %d C%d %d %d %d %d %d\"%s "
		      "marker-end=\"url(#end)\"><title>%.4g cycles, %u "
		      "iterations later</title></path>\n",
		      look->class, x, from, side, from, side, to, x, to,
		      later ? " stroke-dasharray=\"4 2\"" : "", cycles,
		      (unsigned)l->distance);
	if (look == &looks[LOOK_PLAIN])
		return;
	(void)snprintf(text, sizeof(text), "%.3g", cycles);
	/* The middle of the curve is at three quarters of its handles. */
	svg_text(b, "tick", x + 0.75 * (side - x) + (later ? -4 : 4),
		 (from + to) / 2.0 + 4, later ? "end" : "start", text);
}

void print_graph(struct buffer *b, const struct prediction *p)
{
	struct drawing d = graph_measure(p);

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
		draw_arc(b, p, i, &d);
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
	for (size_t i = 0; i < p->graph.n_links; i++) {
		const struct link *l = &p->graph.links[i];

		buffer_printf(
			b, "\tn%u -> n%u [label=\"%.4g\", color=\"%s\"%s];\n",
			(unsigned)l->from, (unsigned)l->to,
			graph_cycles_of(p, i), look_of(p, i)->colour,
			l->distance > 0 ? ", style=dashed" : "");
	}
	buffer_printf(b, "}\n");
}
