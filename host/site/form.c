/* A page for each form: values on each core, their evidence, and the same as
 * JSON and as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/html/html.h"
#include "host/site/inner.h"

#define DASH "\xe2\x80\x93"

/* Words that are separated by commas alone, with blanks; NULL: none. */
static void add_list(struct buffer *b, const char *words)
{
	for (const char *at = words ? words : ""; *at != '\0';) {
		size_t n = strcspn(at, ",");
		bool more = at[n] == ',';

		html_printf(b, "%.*s%s", (int)n, at, more ? ", " : "");
		at += n + more;
	}
}

static void add_words(struct buffer *b, const char *what, const char *list)
{
	if (*list == '\0')
		return;
	buffer_printf(b, "<li>%s", what);
	add_list(b, list);
	buffer_printf(b, "</li>");
}

static void add_facts(struct buffer *b, const struct site *s,
		      const struct site_form *f)
{
	const struct catalogue *c = site_catalogue(s, f->isa);
	char extension[SITE_TEXT], kinds[SITE_TEXT], width[SITE_TEXT] = "";
	unsigned bits = site_width(f, c);

	if (f->form)
		html_printf(b, "<p class=\"asm code\">%s</p>\n",
			    f->form->example);
	site_extension(f, c, extension);
	site_kinds(f, c, kinds);
	if (bits)
		(void)snprintf(width, sizeof(width), "%u bits", bits);
	buffer_printf(b, "<ul class=\"tags\" aria-label=\"Facts\">");
	add_words(b, "", f->isa);
	add_words(b, "", extension);
	add_words(b, "operands: ", kinds);
	add_words(b, "", width);
	buffer_printf(b, "</ul>\n");
}

static void add_operands(struct buffer *b, const struct site *s,
			 const struct site_form *f)
{
	const struct catalogue *c = site_catalogue(s, f->isa);

	if (!f->form || f->form->n_operands == 0)
		return;
	buffer_printf(b, "<details><summary>Operands</summary>");
	html_table_begin(b, "Name|Access|Class",
			 "Operands by the names that values use");
	for (int i = 0; i < f->form->n_operands; i++) {
		const struct operand *o = &f->form->operands[i];
		char name[ISA_NAME_ROOM];

		operand_name(c, f->form, i, name, sizeof(name));
		html_printf(b, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s",
			    name,
			    o->read && o->write ? "read, write"
			    : o->read           ? "read"
			    : o->write          ? "write"
						: "",
			    o->implicit ? "implicit"
			    : o->reg_class < c->n_classes
				    ? c->classes[o->reg_class].name
			    : o->kind == OPERAND_IMM ? "number"
						     : "");
		if (o->tied_to >= 0)
			html_printf(b, ", the same register as %d", o->tied_to);
		buffer_printf(b, "</td></tr>\n");
	}
	html_table_end(b);
	buffer_printf(b, "</details>\n");
}

/* One row per core. */
static void add_summary(struct buffer *b, const struct site *s,
			const struct site_form *f)
{
	html_table_begin(b,
			 "Core|#Latency|#Reciprocal throughput|#Uops|Ports|"
			 "Verdicts of latency|Of throughput",
			 "In cycles; latency over all pairs of operands");
	for (size_t i = 0; i < s->n_cores; i++) {
		const struct site_row *r = site_row(f, i);

		if (!f->on[i])
			continue;
		html_printf(b,
			    "<tr><th scope=\"row\"><a href=\"#%s\">%s</a></th>"
			    "<td class=\"n\">%s</td><td class=\"n\">%s</td>"
			    "<td class=\"n\">%s</td><td>%s</td><td>",
			    s->cores[i].id, s->cores[i].name,
			    site_span(&r->of.latency, DASH).text,
			    site_span(&r->of.throughput, DASH).text,
			    site_span(&r->uops, DASH).text,
			    *r->ports ? r->ports : DASH);
		add_list(b, r->of.latency_verdicts);
		buffer_printf(b, "</td><td>");
		add_list(b, r->of.throughput_verdicts);
		buffer_printf(b, "</td></tr>\n");
	}
	html_table_end(b);
}

static void add_about(struct buffer *b, const char *before, const char *text)
{
	if (text && *text)
		html_printf(b, "%s%s", before, text);
}

static void add_place(struct buffer *b, const struct site_core *c,
		      const struct site_values *v)
{
	const struct run *run = NULL;

	for (size_t i = 0; i < c->n_runs; i++)
		if (v->claims.n > 0 && c->runs[i].id == v->claims.list[0].run)
			run = &c->runs[i];
	html_printf(b, "<p class=\"note\">%s", c->source);
	if (run) {
		html_printf(b, ", run %" PRId64 " of %s, clock %s, anechoic %s",
			    run->id, run->date, run_clock(run), run->tool);
	} else if (c->model) {
		add_about(b, ", ", c->model->about.date);
		add_about(b, ", anechoic ", c->model->about.tool);
	}
	if (c->model) {
		add_about(b, ". Core: ", c->model->about.core);
		add_about(b, ". System: ", c->model->about.system);
	}
	buffer_printf(b,
		      ". <a href=\"../../core/%s.html\">The core and its "
		      "environment</a></p>\n",
		      c->id);
}

static void add_core(struct buffer *b, const struct site *s,
		     const struct site_core *c, const struct site_values *v)
{
	html_printf(b, "<section id=\"%s\"><h2>%s</h2>\n", c->id, c->name);
	add_place(b, c, v);
	buffer_printf(b, "<div class=\"row\">\n");
	site_add_matrix(b, v);
	site_add_ports(b, c, v->model);
	buffer_printf(b, "</div>\n");
	site_add_values(b, v);
	if (v->model && v->model->values)
		html_printf(b,
			    "<p class=\"note\">Values in the operands: %s."
			    "</p>\n",
			    v->model->values);
	site_add_partners(b, s, c, v);
	site_add_evidence(b, c, v);
	site_add_command(b, c, v->name);
	buffer_printf(b, "</section>\n");
}

/* ---- variants ------------------------------------------------------------ */

static size_t base_length(const char *name)
{
	return strcspn(name, "/");
}

static bool is_sibling(const struct site_form *x, const struct site_form *y)
{
	size_t n = base_length(x->name);

	return strcmp(x->isa, y->isa) == 0 && base_length(y->name) == n &&
	       strncmp(x->name, y->name, n) == 0;
}

/* Forms of the same instruction: its variants, and its classes of values. */
static void add_variants(struct buffer *b, const struct site *s, size_t i)
{
	enum { MOST = 200 };
	size_t first = i, end = i + 1;

	while (first > 0 && is_sibling(&s->forms[first - 1], &s->forms[i]))
		first--;
	while (end < s->n_forms && is_sibling(&s->forms[end], &s->forms[i]))
		end++;
	if (end - first < 2)
		return;
	buffer_printf(b, "<h2>Variants and classes of values</h2>\n");
	html_heads_begin(b, "Form",
			 "The same instruction: latency and reciprocal "
			 "throughput");
	for (size_t k = 0; k < s->n_cores; k++)
		html_head(b, false, s->cores[k].name);
	html_heads_end(b);
	for (size_t x = first; x < end && x < first + MOST; x++) {
		const struct site_form *f = &s->forms[x];

		html_printf(
			b,
			x == i ? "<tr><th scope=\"row\"><a href=\"../../form/"
				 "%s.html\" aria-current=\"page\">%s</a></th>"
			       : "<tr><th scope=\"row\"><a href=\"../../form/"
				 "%s.html\">%s</a></th>",
			f->file, f->name);
		for (size_t k = 0; k < s->n_cores; k++) {
			const struct view_row *r = &site_row(f, k)->of;

			if (f->on[k])
				html_printf(
					b, "<td>%s / %s</td>",
					site_span(&r->latency, DASH).text,
					site_span(&r->throughput, DASH).text);
			else
				buffer_printf(b, "<td></td>");
		}
		buffer_printf(b, "</tr>\n");
	}
	html_table_end(b);
}

/* ---- files --------------------------------------------------------------- */

static void add_page(struct buffer *b, const struct site *s, size_t i)
{
	const struct site_form *f = &s->forms[i];
	const char *file = strrchr(f->file, '/') + 1;

	site_begin(b, s, f->name, "../../");
	add_facts(b, s, f);
	html_printf(b,
		    "<p class=\"note\">The values of this page: <a href=\"%s"
		    ".json\">JSON</a>, <a href=\"%s.csv\">CSV</a></p>\n",
		    file, file);
	add_summary(b, s, f);
	add_operands(b, s, f);
	for (size_t k = 0; k < s->n_cores; k++)
		if (f->on[k])
			add_core(b, s, &s->cores[k], f->on[k]);
	add_variants(b, s, i);
	site_end(b, s);
}

static int write_form(struct site *s, size_t i, struct buffer *b, struct err *e)
{
	static void (*const data[])(struct buffer *, const struct site *,
				    const struct site_form *) = {
		site_form_json,
		site_form_csv,
	};
	static const char *const ends[] = { "json", "csv" };
	struct arena a = { 0 };
	const char *file = s->forms[i].file;

	add_page(b, s, i);
	(void)folder_add(&s->folder, arena_printf(&a, "form/%s.html", file), b,
			 e);
	for (size_t k = 0; k < ARRAY_LEN(ends) && e->code == ERR_OK; k++) {
		data[k](b, s, &s->forms[i]);
		(void)folder_add(&s->folder,
				 arena_printf(&a, "form/%s.%s", file, ends[k]),
				 b, e);
	}
	arena_free(&a);
	return e->code;
}

int site_write_forms(struct site *s, struct err *e)
{
	struct buffer b = { 0 };

	if (folder_make(&s->folder, "form", e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < s->n_forms && e->code == ERR_OK; i++) {
		const char *file = s->forms[i].file;
		char *isa = arena_printf(&s->a, "form/%.*s",
					 (int)strcspn(file, "/"), file);

		if (i == 0 || strcmp(s->forms[i - 1].isa, s->forms[i].isa) != 0)
			(void)folder_make(&s->folder, isa, e);
		if (e->code == ERR_OK && site_check_stop(s, e) == ERR_OK)
			(void)write_form(s, i, &b, e);
	}
	buffer_free(&b);
	return e->code;
}
