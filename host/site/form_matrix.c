/* The latency matrix of a form as a heat map, and its ports as a picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/site/inner.h"

static void add_cell(struct buffer *b, const struct claim *c,
		     const struct claim *shorter)
{
	bool plain;

	if (!c) {
		buffer_printf(b, "<td class=\"none\">\xc2\xb7</td>");
		return;
	}
	plain = c->verdict == VERDICT_OK || c->verdict == VERDICT_MODEL;
	if (c->has_value)
		html_printf(b, "<td class=\"h%u%s\">",
			    html_heat((c->low_cycles + c->high_cycles) / 2),
			    plain ? "" : " q");
	else
		buffer_printf(b, "<td class=\"none q\">");
	html_text(b, site_value(c).text);
	if (shorter && shorter->has_value)
		html_printf(b, "<small>short %s</small>",
			    site_value(shorter).text);
	if (!plain)
		html_printf(b, "<small>%s</small>", claim_verdict(c));
	buffer_printf(b, "</td>");
}

void site_add_matrix(struct buffer *b, const struct site_values *v)
{
	struct view_matrix m;

	view_matrix_of(&v->claims, &m);
	if (m.from.n == 0)
		return;
	buffer_printf(b, "<div class=\"box\"><table class=\"heat\"><caption>"
			 "Latency in cycles, from a source operand (row) to a "
			 "result (column)</caption><thead><tr><td></td>");
	for (size_t k = 0; k < m.to.n; k++)
		html_printf(b, "<th scope=\"col\">to %s</th>", m.to.list[k]);
	html_heads_end(b);
	for (size_t i = 0; i < m.from.n; i++) {
		const char *from = m.from.list[i];

		html_printf(b, "<tr><th scope=\"row\">from %s</th>", from);
		for (size_t k = 0; k < m.to.n; k++)
			add_cell(b,
				 view_pair(&v->claims, "latency", from,
					   m.to.list[k]),
				 view_pair(&v->claims, "latency-short", from,
					   m.to.list[k]));
		buffer_printf(b, "</tr>\n");
	}
	html_table_end(b);
}

/* ---- ports --------------------------------------------------------------- */

/* Busy cycles of each port, if uops are spread evenly over their ports. */
static double fill_loads(const struct model *m, const struct model_form *f,
			 double load[MODEL_MAX_PORTS])
{
	double most = 0;

	for (size_t p = 0; p < m->n_ports; p++)
		load[p] = 0;
	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];

		for (size_t p = 0; p < m->n_ports; p++)
			if (u->ports >> p & 1)
				load[p] += u->n_uops * u->cycles /
					   model_ports_count(u->ports);
	}
	for (size_t p = 0; p < m->n_ports; p++)
		most = fmax(most, load[p]);
	return most;
}

/* Pixels of a column, in which the longest name of a port has room. */
static double column_width(const struct model *m)
{
	enum { LEAST = 32, LETTER = 7, MOST_LETTERS = 24 };
	size_t longest = 0;

	for (size_t p = 0; p < m->n_ports; p++) {
		size_t n = strlen(m->ports[p].name);

		longest = n > longest ? n : longest;
	}
	longest = longest < MOST_LETTERS ? longest : MOST_LETTERS;
	return fmax(LEAST, (double)longest * LETTER);
}

/* A column: the part of it that the form fills, its cycles, its port. */
static void add_port(struct buffer *b, const struct model_port *p,
		     double cycles, double most, double width)
{
	enum { HEIGHT = 56, TOP = 16, FOOT = 18, GAP = 2, ROUND = 32 };
	double h = most > 0 ? HEIGHT * cycles / most : 0;
	char text[ROUND];

	buffer_printf(b,
		      "<svg viewBox=\"0 0 %.4g %d\" width=\"%.4g\" height="
		      "\"%d\" aria-hidden=\"true\">",
		      width, TOP + HEIGHT + FOOT, width, TOP + HEIGHT + FOOT);
	svg_rect(b, "frame",
		 (struct svg_box){ GAP, TOP, width - 2 * GAP, HEIGHT }, NULL);
	if (h > 0) {
		svg_rect(b, p->pseudo ? "bar2" : "bar",
			 (struct svg_box){ GAP, TOP + HEIGHT - h,
					   width - 2 * GAP, h },
			 NULL);
		(void)snprintf(text, sizeof(text), "%.3g", cycles);
		svg_text(b, "tick", width / 2, TOP - 4, "middle", text);
	}
	svg_text(b, "tick", width / 2, TOP + HEIGHT + FOOT - 4, "middle",
		 p->name);
	svg_end(b);
}

/* A picture for each port, so that they wrap where the page is narrow. */
void site_add_ports(struct buffer *b, const struct site_core *c,
		    const struct model_form *f)
{
	const struct model *m = c->model;
	double load[MODEL_MAX_PORTS], most, width;

	if (!m || !f || !f->has_ports || m->n_ports == 0)
		return;
	width = column_width(m);
	most = fill_loads(m, f, load);
	buffer_printf(b, "<figure class=\"wide\"><div class=\"ports\" role="
			 "\"img\" aria-label=\"Cycles that each port is busy:");
	for (size_t p = 0; p < m->n_ports; p++)
		if (load[p] > 0)
			html_printf(b, " %s %.3g", m->ports[p].name, load[p]);
	buffer_printf(b, "\">\n");
	for (size_t p = 0; p < m->n_ports; p++)
		add_port(b, &m->ports[p], load[p], most, width);
	buffer_printf(b, "</div><figcaption class=\"note\">Cycles that each "
			 "port is busy, if uops are spread evenly over the "
			 "ports that they may use.</figcaption></figure>\n");
}
