/* Print the source with the numbers as comments on the lines of the loop. */
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/predict/print.h"
#include "host/predict/report.h"

/* The numbers of a row, behind a text that is `columns` wide. */
static void source_numbers(struct buffer *b, const struct report *r, size_t i,
			   size_t columns)
{
	enum { NUMBERS_AT = 48 };
	const struct body *body = &r->p->body;
	const struct report_row *x = &r->rows[i];
	int pad = columns < NUMBERS_AT ? NUMBERS_AT - (int)columns : 1;

	buffer_printf(b, "%*s%s", pad, "",
		      body->program->c->isa->loop->comment);
	for (size_t k = 0; k < r->p->pressure.n_ports; k++)
		if (x->share[k] > PRINT_HIDDEN)
			buffer_printf(b, " %s:%.2f", body->model->ports[k].name,
				      x->share[k]);
	if (x->on_critical)
		buffer_printf(b, " CP:%.1f", x->critical);
	if (x->on_carried)
		buffer_printf(b, " LCD:%.1f", x->carried);
	if (x->op->fused)
		buffer_printf(b, " fused");
	if (x->op->assumed)
		buffer_printf(b, " assumed");
}

static void source_summary(struct buffer *b, const struct prediction *p)
{
	buffer_printf(b,
		      "%s %.2f cycles per iteration: throughput %.2f, "
		      "loop-carried %.2f, critical path %.2f; %s\n",
		      p->body.program->c->isa->loop->comment, p->cycles,
		      p->throughput, p->carried.cycles, p->critical.cycles,
		      p->why);
}

/* Width of a line in columns, with tabs of eight. */
static size_t source_columns(const char *text, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		at = text[i] == '\t' ? (at / 8 + 1) * 8 : at + 1;
	return at;
}

static void from_source(struct buffer *b, const struct report *r)
{
	const struct body *body = &r->p->body;
	const struct source *s = body->program->source;
	uint32_t low = UINT32_MAX, high = 0;

	for (size_t i = 0; i < body->n; i++) {
		uint32_t line = body->ops[i].insn->line;

		low = line < low ? line : low;
		high = line > high ? line : high;
	}
	for (uint32_t line = 1; line <= s->n_lines; line++) {
		const char *text = s->text + s->lines[line - 1];
		size_t n = s->lines[line] - 1 - s->lines[line - 1];

		if (body->ops[0].insn->line == line)
			source_summary(b, r->p);
		buffer_add(b, text, n);
		/* A function that is called twice has two. */
		for (size_t i = 0; i < body->n && line >= low && line <= high;
		     i++)
			if (body->ops[i].insn->line == line)
				source_numbers(b, r, i,
					       source_columns(text, n));
		if (line < s->n_lines)
			buffer_printf(b, "\n");
	}
}

void print_annotated(struct buffer *b, const struct prediction *p)
{
	struct report r = report_table(p);

	if (p->body.program->source) {
		from_source(b, &r);
		return;
	}
	source_summary(b, p);
	for (size_t i = 0; i < p->body.n; i++) {
		buffer_printf(b, "\t%s", r.rows[i].text);
		source_numbers(b, &r, i, 8 + strlen(r.rows[i].text));
		buffer_printf(b, "\n");
	}
}
