/* Parts of a loop's HTML page: the timeline of the simulation, and what would
 * change without an instruction. */
#include <stdio.h>
#include <string.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/predict/print.h"

/* ---- timeline ------------------------------------------------------------ */

enum {
	LABEL = 300,
	ROW = 18,
	CYCLE = 9,
	NUMBER = 24, /* room of the last number on the axis */
	MOST_CYCLES = 160,
	ITERATIONS = 4,
};

/* A part of an instruction's row, from cycle `from` to `to`. */
static void add_part(struct buffer *b, const char *class, const char *what,
		     uint32_t from, uint32_t to, double y)
{
	char title[80];

	if (to > MOST_CYCLES)
		to = MOST_CYCLES;
	if (from >= to)
		return;
	(void)snprintf(title, sizeof(title), "%s: cycles %u to %u", what,
		       (unsigned)from, (unsigned)to);
	svg_rect(b, class, LABEL + (double)from * CYCLE, y + 3,
		 (double)(to - from) * CYCLE, ROW - 6, title);
}

static void add_event(struct buffer *b, const struct prediction *p,
		      const struct sim_event *e, double y)
{
	char label[80];

	(void)snprintf(label, sizeof(label), "%u  %.38s",
		       (unsigned)e->iteration, p->body.ops[e->op].insn->text);
	svg_text(b, "mono", 0, y + ROW - 5, "start", label);
	add_part(b, "wait", "waits for operands", e->dispatched, e->ready, y);
	add_part(b, "hold", "waits for ports",
		 e->ready > e->dispatched ? e->ready : e->dispatched,
		 e->started, y);
	add_part(b, "run", "executes", e->started,
		 e->done > e->started ? e->done : e->started + 1, y);
	add_part(b, "retire", "waits for retirement", e->done, e->retired, y);
}

void print_html_timeline(struct buffer *b, const struct report *r)
{
	enum { STEP = 10, MOST_ROWS = 400 };
	uint32_t shown =
		r->p->timeline > ITERATIONS ? r->p->timeline : ITERATIONS;
	uint32_t last = 1;
	size_t n = 0;

	while (n < r->simulation.n_events && n < MOST_ROWS &&
	       r->simulation.events[n].iteration < shown) {
		const struct sim_event *e = &r->simulation.events[n++];

		last = e->retired > last ? e->retired : last;
	}
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
	for (uint32_t t = 0; t <= last; t += STEP) {
		char text[16];

		(void)snprintf(text, sizeof(text), "%u", (unsigned)t);
		svg_text(b, "tick", LABEL + (double)t * CYCLE, 12, "start",
			 text);
		svg_line(b, "grid", LABEL + (double)t * CYCLE, ROW,
			 LABEL + (double)t * CYCLE, (double)(n + 1) * ROW);
	}
	for (size_t i = 0; i < n; i++)
		add_event(b, r->p, &r->simulation.events[i],
			  (double)(i + 1) * ROW);
	svg_end(b);
	buffer_printf(b, "</div>\n");
}

/* ---- without an instruction ---------------------------------------------- */

/* Predict the loop without instruction `gone`; false if that is no loop. */
static bool predict_without(struct arena *a, const struct prediction *p,
			    size_t gone, struct prediction *ret)
{
	const struct predict_options how = { .policy = p->how.policy,
					     .bounds_only = !p->simulated };
	const struct program *old = p->body.program;
	struct program *program = arena_copy(a, old, sizeof(*old));
	struct loop *loop = arena_copy(a, p->body.loop, sizeof(*loop));
	double *crossings = ARENA_ARRAY(a, double, p->body.n);
	struct err none = { .code = ERR_OK };
	size_t n = 0;

	program->insns = ARENA_ARRAY(a, struct insn, p->body.n);
	for (size_t i = 0; i < p->body.n; i++) {
		if (i == gone)
			continue;
		program->insns[n] = old->insns[p->body.loop->first + i];
		if (loop->crossings)
			crossings[n] = loop->crossings[i];
		n++;
	}
	program->n = n;
	program->n_labels = program->n_marks = 0;
	loop->first = 0;
	loop->last = n - 1;
	if (loop->crossings)
		loop->crossings = crossings;
	return predict(a, program, loop, p->body.completion, &how, ret,
		       &none) == ERR_OK;
}

/* A cell for each core with its cycles without instruction `gone`; then what
 * limits the loop on the first. */
static void add_without(struct buffer *b, const struct prediction *p,
			size_t gone)
{
	struct arena a = { 0 };
	const char *why = "";

	for (size_t i = 0; i <= p->n_others; i++) {
		const struct prediction *core = print_html_core(p, i);
		struct prediction x;

		buffer_printf(b, "<td class=\"n\">");
		if (predict_without(&a, core, gone, &x)) {
			buffer_printf(b, "%.2f</td><td class=\"n\">%+.2f",
				      x.cycles, x.cycles - core->cycles);
			why = i == 0 ? x.why : why;
		} else {
			buffer_printf(b, "</td><td>");
		}
		buffer_printf(b, "</td>");
	}
	buffer_printf(b, "<td class=\"words\">");
	html_text(b, why);
	buffer_printf(b, "</td></tr>\n");
	arena_free(&a);
}

static void add_without_head(struct buffer *b, const struct prediction *p)
{
	buffer_printf(b, "<h2>What if</h2>\n<div class=\"box\"><table><caption>"
			 "The loop without one of its instructions</caption>"
			 "<thead><tr><th scope=\"col\">Without</th>");
	for (size_t i = 0; i <= p->n_others; i++) {
		buffer_printf(b, "<th scope=\"col\" class=\"n\">");
		html_text(b, p->n_others == 0
				     ? "Cycles"
				     : print_html_core(p, i)->body.model->cpu);
		buffer_printf(b, "</th><th scope=\"col\" class=\"n\">Change"
				 "</th>");
	}
	buffer_printf(b, "<th scope=\"col\">What limits it then");
	if (p->n_others > 0) {
		buffer_printf(b, ", on ");
		html_text(b, p->body.model->cpu);
	}
	buffer_printf(b, "</th></tr></thead><tbody>\n");
}

void print_html_without(struct buffer *b, const struct prediction *p)
{
	enum { MOST = 100 };

	if (p->body.n < 2 || p->body.n > MOST)
		return;
	add_without_head(b, p);
	for (size_t i = 0; i < p->body.n; i++) {
		/* Without its branch it is no loop. */
		if (p->body.ops[i].insn->jumps)
			continue;
		buffer_printf(b, "<tr><th scope=\"row\" class=\"code\">");
		html_text(b, p->body.ops[i].insn->text);
		buffer_printf(b, "</th>");
		add_without(b, p, i);
	}
	buffer_printf(b, "</tbody></table></div>\n");
}
