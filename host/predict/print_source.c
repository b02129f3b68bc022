/* Print the source with the numbers as comments on the lines of the loop. */
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/predict/print.h"

enum { NUMBERS_AT = 48 };

static void print_source_numbers(struct buffer *b, const struct prediction *p,
				 size_t i)
{
	const struct pressure *x = &p->pressure;

	buffer_printf(b, "%s", p->body.program->c->isa->loop->comment);
	for (size_t k = 0; k < x->n_ports; k++)
		if (x->share[i * x->n_ports + k] > 5e-3)
			buffer_printf(b, " %s:%.2f",
				      p->body.model->ports[k].name,
				      x->share[i * x->n_ports + k]);
	if (p->critical.on[i])
		buffer_printf(b, " CP:%.1f", p->critical.marks[i]);
	if (p->carried.on[i])
		buffer_printf(b, " LCD:%.1f", p->carried.marks[i]);
	if (p->body.ops[i].fused)
		buffer_printf(b, " fused");
	if (p->body.ops[i].assumed)
		buffer_printf(b, " assumed");
}

static void print_source_summary(struct buffer *b, const struct prediction *p)
{
	buffer_printf(b,
		      "%s %.2f cycles per iteration: throughput %.2f, "
		      "loop-carried %.2f, critical path %.2f; %s\n",
		      p->body.program->c->isa->loop->comment, p->cycles,
		      p->throughput, p->carried.cycles, p->critical.cycles,
		      p->why);
}

/* Width of a line in columns, with tabs of eight. */
static size_t print_source_columns(const char *text, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		at = text[i] == '\t' ? (at / 8 + 1) * 8 : at + 1;
	return at;
}

static void print_source_pad(struct buffer *b, size_t from)
{
	do
		buffer_printf(b, " ");
	while (++from < NUMBERS_AT);
}

static void from_source(struct buffer *b, const struct prediction *p)
{
	const struct source *s = p->body.program->source;
	size_t i = 0;

	for (uint32_t line = 1; line <= s->n_lines; line++) {
		size_t from = s->lines[line - 1], to = s->lines[line] - 1;
		bool first = i == 0;

		if (i < p->body.n && p->body.ops[i].insn->line == line && first)
			print_source_summary(b, p);
		buffer_add(b, s->text + from, to - from);
		while (i < p->body.n && p->body.ops[i].insn->line == line) {
			print_source_pad(b, print_source_columns(s->text + from,
								 to - from));
			print_source_numbers(b, p, i++);
		}
		if (line < s->n_lines)
			buffer_printf(b, "\n");
	}
}

void print_annotated(struct buffer *b, const struct prediction *p)
{
	if (p->body.program->source) {
		from_source(b, p);
		return;
	}
	print_source_summary(b, p);
	for (size_t i = 0; i < p->body.n; i++) {
		const char *text = p->body.ops[i].insn->text;

		buffer_printf(b, "\t%s", text);
		print_source_pad(b, 8 + strlen(text));
		print_source_numbers(b, p, i);
		buffer_printf(b, "\n");
	}
}
