/* A comparison by scheduling classes as text and JSON. */
#include "host/cli/compare_classes.h"

#include <stdio.h>
#include <string.h>

#include "host/base/json.h"
#include "host/codec/number.h"

enum { SHOWN = 40, NAME = 30 };

static void span_text(const struct model_span *s, char *text, size_t room)
{
	if (s->high - s->low <= 0.05 * s->high)
		(void)snprintf(text, room, "%.3g", (s->low + s->high) / 2);
	else
		(void)snprintf(text, room, "%.3g..%.3g", s->low, s->high);
}

/* Names of classes without a name in the source are lists of all members; the
 * beginning shows which. */
static void name_text(const char *name, char ret[NAME + 1])
{
	size_t n = strlen(name);

	if (n <= NAME)
		(void)snprintf(ret, NAME + 1, "%s", name);
	else
		(void)snprintf(ret, NAME + 1, "%.*s..", NAME - 2, name);
}

static void print_counts(const struct compare_classes_report *r)
{
	const struct class_report *f = r->found;
	const double share = class_share_right(f);

	buffer_printf(r->out, "%zu values of classes; tolerance %g %%; ", f->n,
		      100 * r->tolerance);
	if (share < 0)
		buffer_printf(r->out, "none is judged");
	else
		buffer_printf(r->out, "%.1f %% of those judged are right",
			      100 * share);
	buffer_printf(r->out, "\n\n%-11s", "");
	for (enum class_verdict v = 0; v < CLASS_N_VERDICTS; v++)
		buffer_printf(r->out, " %9s", class_verdict_words[v]);
	for (enum class_value k = 0; k < CLASS_N_KINDS; k++) {
		buffer_printf(r->out, "\n%-11s", class_kind_words[k]);
		for (enum class_verdict v = 0; v < CLASS_N_VERDICTS; v++)
			buffer_printf(r->out, " %9zu", f->counts[k][v]);
	}
	buffer_printf(r->out, "\n");
}

static bool is_bad(const struct class_finding *f)
{
	return f->verdict == CLASS_WRONG || f->verdict == CLASS_MIXED;
}

static void print_finding(struct buffer *b, const struct class_finding *f)
{
	char name[NAME + 1], span[40];

	name_text(f->name, name);
	span_text(&f->measured, span, sizeof(span));
	buffer_printf(b, "%-*s %-10s %5zu %7.3g %12s  ", NAME, name,
		      class_kind_words[f->kind], f->n_members, f->table, span);
	if (f->verdict == CLASS_WRONG)
		buffer_printf(b, "%.3g\n", f->write);
	else
		buffer_printf(b, "mixed\n");
	buffer_printf(b, "  %s%s", f->members[0].form->name,
		      f->n_members > 1 ? ", .." : "");
	if (*f->split != '\0')
		buffer_printf(b, "\n  by %s", f->split);
	buffer_printf(b, "\n");
}

void compare_print_classes_text(const struct compare_classes_report *r)
{
	const struct class_report *f = r->found;
	size_t shown = 0, bad = 0;

	buffer_printf(r->out, "ours   %s (%s)\ntable  %s (%s)\n", r->ours->cpu,
		      r->ours->source, r->table->cpu, r->table->source);
	print_counts(r);
	for (size_t i = 0; i < f->n; i++)
		bad += is_bad(&f->findings[i]);
	if (bad == 0)
		return;
	buffer_printf(r->out, "\n%-*s %-10s %5s %7s %12s  %s\n", NAME, "class",
		      "kind", "forms", "table", "measured", "write");
	for (size_t i = 0; i < f->n && shown < SHOWN; i++)
		if (is_bad(&f->findings[i])) {
			print_finding(r->out, &f->findings[i]);
			shown++;
		}
	if (shown < bad)
		buffer_printf(r->out, "and %zu more: --format json\n",
			      bad - shown);
}

/* ---- JSON --------------------------------------------------------------- */

static void add_pair(struct buffer *b, const char *key, const char *text)
{
	buffer_printf(b, "\"%s\": ", key);
	json_add_string(b, text);
}

static void add_span(struct buffer *b, const struct model_span *s)
{
	buffer_printf(b, "[");
	number_add(b, s->low);
	buffer_printf(b, ", ");
	number_add(b, s->high);
	buffer_printf(b, "]");
}

static void add_finding_json(struct buffer *b, const struct class_finding *f)
{
	buffer_printf(b, "    { ");
	add_pair(b, "class", f->name);
	buffer_printf(b, ", ");
	add_pair(b, "kind", class_kind_words[f->kind]);
	buffer_printf(b, ", ");
	add_pair(b, "verdict", class_verdict_words[f->verdict]);
	buffer_printf(b, ", \"table\": ");
	number_add(b, f->table);
	buffer_printf(b, ", \"measured\": ");
	add_span(b, &f->measured);
	if (f->verdict == CLASS_WRONG) {
		buffer_printf(b, ", \"write\": ");
		number_add(b, f->write);
	}
	if (*f->split != '\0') {
		buffer_printf(b, ", ");
		add_pair(b, "split", f->split);
	}
	buffer_printf(b, ", \"error\": ");
	number_add(b, f->error);
	buffer_printf(b, ", \"members\": [");
	for (size_t i = 0; i < f->n_members; i++) {
		buffer_printf(b, "%s\n      { ", i > 0 ? "," : "");
		add_pair(b, "form", f->members[i].form->name);
		buffer_printf(b, ", \"measured\": ");
		add_span(b, &f->members[i].measured[f->kind]);
		buffer_printf(b, " }");
	}
	buffer_printf(b, "] }");
}

void compare_print_classes_json(const struct compare_classes_report *r)
{
	const struct class_report *f = r->found;
	const double share = class_share_right(f);
	struct buffer *b = r->out;

	buffer_printf(b, "{\n  \"format\": \"anechoic classes 1\",\n  ");
	add_pair(b, "ours", r->ours->source);
	buffer_printf(b, ",\n  ");
	add_pair(b, "table", r->table->source);
	buffer_printf(b, ",\n  \"tolerance\": ");
	number_add(b, r->tolerance);
	buffer_printf(b, ",\n  \"right\": ");
	if (share < 0)
		buffer_printf(b, "null");
	else
		number_add(b, share);
	buffer_printf(b, ",\n  \"findings\": [");
	for (size_t i = 0; i < f->n; i++) {
		buffer_printf(b, i > 0 ? ",\n" : "\n");
		add_finding_json(b, &f->findings[i]);
	}
	buffer_printf(b, "]\n}\n");
}
