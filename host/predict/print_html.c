/* One HTML page without scripts: what limits the loop, a table with the
 * pressure of ports, the graph as SVG over the code, a timeline, what would
 * change without an instruction, the text, and the graph in DOT. */
#include <stdio.h>

#include "host/base/version.h"
#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/predict/print.h"
#include "host/predict/report.h"

static void page_facts(struct buffer *b, const struct report *r)
{
	const struct prediction *p = r->p;

	html_printf(b, "<p>On %s (%s): <b>%s", p->body.model->cpu,
		    p->body.model->source, p->why);
	for (size_t i = 0; effects[i]; i++) {
		const struct effect_note *n = effects[i]->note;
		const char *value = n ? n->value(&p->body) : NULL;

		if (value)
			html_printf(b, "; %s%s%s", n->before, value, n->behind);
	}
	buffer_printf(b, "</b>.</p>\n");
	if (p->note)
		html_printf(b, "<p>%s.</p>\n", p->note);
	buffer_printf(b, "<dl class=\"facts\">");
	for (int k = NUMBER_PORTS; k <= NUMBER_WORST; k++)
		if (r->numbers[k] > 0)
			buffer_printf(b, "<dt>%s</dt><dd>%.2f cycles</dd>",
				      report_number_name(k).html,
				      r->numbers[k]);
	buffer_printf(b, "</dl>\n");
}

/* ---- timeline ---------------------------------------------------------- */

enum {
	LABEL = 300,
	ROW = 18,
	CYCLE = 9,
	NUMBER = 24, /* room of the last number on the axis */
	MOST_CYCLES = 160,
};

static void page_event(struct buffer *b, const struct report *r,
		       const struct sim_event *e, double y)
{
	uint32_t ready = e->ready > e->dispatched ? e->ready : e->dispatched;
	const struct {
		const char *class, *what;
		uint32_t from, to; /* cycles */
	} parts[] = {
		{ "wait", "waits for operands", e->dispatched, e->ready },
		{ "hold", "waits for ports", ready, e->started },
		{ "run", "executes", e->started,
		  e->done > e->started ? e->done : e->started + 1 },
		{ "retire", "waits for retirement", e->done, e->retired },
	};
	char text[80];

	(void)snprintf(text, sizeof(text), "%u  %.38s", (unsigned)e->iteration,
		       r->rows[e->op].text);
	svg_text(b, "mono", 0, y + ROW - 5, "start", text);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		uint32_t from = parts[i].from, to = parts[i].to;

		to = to < MOST_CYCLES ? to : MOST_CYCLES;
		if (from >= to)
			continue;
		(void)snprintf(text, sizeof(text), "%s: cycles %u to %u",
			       parts[i].what, (unsigned)from, (unsigned)to);
		svg_rect(b, parts[i].class,
			 (struct svg_box){ LABEL + (double)from * CYCLE, y + 3,
					   (double)(to - from) * CYCLE,
					   ROW - 6 },
			 text);
	}
}

static void page_axis(struct buffer *b, uint32_t last, size_t n_rows)
{
	enum { STEP = 10 };

	for (uint32_t t = 0; t <= last; t += STEP) {
		double x = LABEL + (double)t * CYCLE;
		char text[16];

		(void)snprintf(text, sizeof(text), "%u", (unsigned)t);
		svg_text(b, "tick", x, 12, "start", text);
		svg_line(b, "grid", x, ROW, x, (double)(n_rows + 1) * ROW);
	}
}

static void page_timeline(struct buffer *b, const struct report *r)
{
	enum { MOST_ROWS = 400, ITERATIONS = 4 };
	const struct simulation *s = &r->simulation;
	uint32_t shown =
		r->p->timeline > ITERATIONS ? r->p->timeline : ITERATIONS;
	uint32_t last = 1;
	size_t n = 0;

	for (;
	     n < s->n_events && n < MOST_ROWS && s->events[n].iteration < shown;
	     n++)
		if (s->events[n].retired > last)
			last = s->events[n].retired;
	if (n == 0)
		return;
	if (last > MOST_CYCLES)
		last = MOST_CYCLES;
	buffer_printf(b, "<h2>Timeline</h2>\n<p>The first iterations, an "
			 "instruction a row and a cycle a column. <span class="
			 "\"key wait\"></span>waits for operands <span class="
			 "\"key hold\"></span>waits for ports <span class="
			 "\"key run\"></span>executes <span class=\"key "
			 "retire\"></span>waits for retirement</p>\n"
			 "<div class=\"box\">");
	svg_begin(b, LABEL + (double)last * CYCLE + NUMBER,
		  (double)(n + 1) * ROW,
		  "Timeline of the simulation, in cycles");
	page_axis(b, last, n);
	for (size_t i = 0; i < n; i++)
		page_event(b, r, &s->events[i], (double)(i + 1) * ROW);
	svg_end(b);
	buffer_printf(b, "</div>\n");
}

/* ---- the page ---------------------------------------------------------- */

static void page_details(struct buffer *b, const char *summary,
			 struct buffer *text)
{
	buffer_printf(b, "<details><summary>%s</summary><pre>\n", summary);
	html_escape(b, (const char *)text->bytes, text->n);
	buffer_printf(b, "</pre></details>\n");
	text->n = 0;
}

void print_html(struct buffer *b, const struct prediction *p)
{
	struct arena *a = p->body.a;
	struct buffer text = { 0 };
	struct report r = report_make(p);
	struct html_page page = {
		.title = arena_printf(a, "%.2f cycles per iteration", p->cycles)
	};

	html_begin(b, &page);
	page_facts(b, &r);
	print_html_table(b, &r);
	buffer_printf(b,
		      "<h2>Dependencies</h2>\n<p><span class=\"key carried\">"
		      "</span>carried from iteration to iteration <span "
		      "class=\"key critical\"></span>the critical path; "
		      "arcs on the left, dashed, lead into a later "
		      "iteration</p>\n<div class=\"box\">");
	print_graph(b, p);
	buffer_printf(b, "</div>\n");
	page_timeline(b, &r);
	print_html_others(b, &r);
	print_html_without(b, p);
	print_text_report(&text, &r);
	page_details(b, "The same as text", &text);
	print_dot(&text, p);
	page_details(b, "The graph for Graphviz", &text);
	buffer_free(&text);
	html_end(b, arena_printf(a, "Written by anechoic predict %s.",
				 anechoic_version));
}
