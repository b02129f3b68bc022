/* A page for each form: values on each core, their evidence, and the same as
 * JSON and as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/html/html.h"
#include "host/site/inner.h"

static void add_span(struct buffer *b, const struct model_span *s)
{
	if (s->has_value)
		html_cycles(b, s->low, s->high);
	else
		buffer_printf(b, "\xe2\x80\x93");
}

/* Words that are separated by commas alone, NULL: none. */
static void add_list(struct buffer *b, const char *words)
{
	for (const char *at = words ? words : ""; *at != '\0';) {
		size_t n = strcspn(at, ",");

		html_escape(b, at, n);
		at += n;
		if (*at == ',') {
			buffer_printf(b, ", ");
			at++;
		}
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

	if (f->form) {
		buffer_printf(b, "<p class=\"asm code\">");
		html_text(b, f->form->example);
		buffer_printf(b, "</p>\n");
	}
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
	buffer_printf(b,
		      "<details><summary>Operands</summary><div class=\"box\">"
		      "<table><caption>Operands by the names that values "
		      "use</caption><thead><tr><th scope=\"col\">Name</th>"
		      "<th scope=\"col\">Access</th><th scope=\"col\">Class"
		      "</th></tr></thead><tbody>");
	for (int i = 0; i < f->form->n_operands; i++) {
		const struct operand *o = &f->form->operands[i];
		char name[ISA_NAME_ROOM];

		operand_name(c, f->form, i, name, sizeof(name));
		buffer_printf(b, "<tr><th scope=\"row\">");
		html_text(b, name);
		buffer_printf(b, "</th><td>%s</td><td>",
			      o->read && o->write ? "read, write"
			      : o->read           ? "read"
			      : o->write          ? "write"
						  : "");
		html_text(b, o->implicit ? "implicit"
			     : o->reg_class < c->n_classes
				     ? c->classes[o->reg_class].name
			     : o->kind == OPERAND_IMM ? "number"
						      : "");
		if (o->tied_to >= 0)
			buffer_printf(b, ", the same register as %d",
				      o->tied_to);
		buffer_printf(b, "</td></tr>\n");
	}
	buffer_printf(b, "</tbody></table></div></details>\n");
}

/* One row per core. */
static void add_summary(struct buffer *b, struct arena *a, const struct site *s,
			const struct site_form *f)
{
	buffer_printf(
		b, "<div class=\"box\"><table><caption>In cycles; latency "
		   "over all pairs of operands</caption><thead><tr>"
		   "<th scope=\"col\">Core</th><th scope=\"col\" class="
		   "\"n\">Latency</th><th scope=\"col\" class=\"n\">"
		   "Reciprocal throughput</th><th scope=\"col\" class="
		   "\"n\">Uops</th><th scope=\"col\">Ports</th>"
		   "<th scope=\"col\">Verdicts of latency</th>"
		   "<th scope=\"col\">Of throughput</th></tr></thead><tbody>");
	for (size_t i = 0; i < s->n_cores; i++) {
		struct site_row r;

		if (!f->on[i])
			continue;
		r = site_row_of(a, &s->cores[i], f->on[i]);
		buffer_printf(b, "<tr><th scope=\"row\"><a href=\"#%s\">",
			      s->cores[i].id);
		html_text(b, s->cores[i].name);
		buffer_printf(b, "</a></th><td class=\"n\">");
		add_span(b, &r.latency);
		buffer_printf(b, "</td><td class=\"n\">");
		add_span(b, &r.throughput);
		buffer_printf(b, "</td><td class=\"n\">");
		add_span(b, &r.uops);
		buffer_printf(b, "</td><td>");
		html_text(b, *r.ports ? r.ports : "\xe2\x80\x93");
		buffer_printf(b, "</td><td>");
		add_list(b, r.latency_verdicts);
		buffer_printf(b, "</td><td>");
		add_list(b, r.throughput_verdicts);
		buffer_printf(b, "</td></tr>\n");
	}
	buffer_printf(b, "</tbody></table></div>\n");
}

static void add_about(struct buffer *b, const char *before, const char *text)
{
	if (!text || *text == '\0')
		return;
	buffer_printf(b, "%s", before);
	html_text(b, text);
}

static void add_place(struct buffer *b, const struct site_core *c,
		      const struct site_values *v)
{
	const struct run *run = NULL;

	for (size_t i = 0; i < c->n_runs; i++)
		if (v->n > 0 && c->runs[i].id == v->claims[0].run)
			run = &c->runs[i];
	buffer_printf(b, "<p class=\"note\">");
	html_text(b, c->source);
	if (run) {
		buffer_printf(b, ", run %" PRId64 " of ", run->id);
		html_text(b, run->date);
		buffer_printf(b, ", clock ");
		html_text(b, run->clock);
		buffer_printf(b, ", anechoic ");
		html_text(b, run->tool);
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
	buffer_printf(b, "<section id=\"%s\"><h2>", c->id);
	html_text(b, c->name);
	buffer_printf(b, "</h2>\n");
	add_place(b, c, v);
	buffer_printf(b, "<div class=\"row\">\n");
	site_add_matrix(b, v);
	site_add_ports(b, c, v->model);
	buffer_printf(b, "</div>\n");
	site_add_values(b, v);
	if (v->model && v->model->values) {
		buffer_printf(b, "<p class=\"note\">Values in the operands: ");
		html_text(b, v->model->values);
		buffer_printf(b, ".</p>\n");
	}
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
static void add_variants(struct buffer *b, struct arena *a,
			 const struct site *s, size_t i)
{
	enum { MOST = 200 };
	size_t first = i, end = i + 1;

	while (first > 0 && is_sibling(&s->forms[first - 1], &s->forms[i]))
		first--;
	while (end < s->n_forms && is_sibling(&s->forms[end], &s->forms[i]))
		end++;
	if (end - first < 2)
		return;
	buffer_printf(b,
		      "<h2>Variants and classes of values</h2>\n<div class="
		      "\"box\"><table><caption>The same instruction: latency "
		      "and reciprocal throughput</caption><thead><tr>"
		      "<th scope=\"col\">Form</th>");
	for (size_t k = 0; k < s->n_cores; k++) {
		buffer_printf(b, "<th scope=\"col\">");
		html_text(b, s->cores[k].name);
		buffer_printf(b, "</th>");
	}
	buffer_printf(b, "</tr></thead><tbody>\n");
	for (size_t x = first; x < end && x < first + MOST; x++) {
		const struct site_form *f = &s->forms[x];

		buffer_printf(b, "<tr><th scope=\"row\"><a href=\"../../form/");
		html_url(b, f->file);
		buffer_printf(b, ".html\"%s>",
			      x == i ? " aria-current=\"page\"" : "");
		html_text(b, f->name);
		buffer_printf(b, "</a></th>");
		for (size_t k = 0; k < s->n_cores; k++) {
			struct site_row r;

			buffer_printf(b, "<td>");
			if (f->on[k]) {
				r = site_row_of(a, &s->cores[k], f->on[k]);
				add_span(b, &r.latency);
				buffer_printf(b, " / ");
				add_span(b, &r.throughput);
			}
			buffer_printf(b, "</td>");
		}
		buffer_printf(b, "</tr>\n");
	}
	buffer_printf(b, "</tbody></table></div>\n");
}

/* ---- files --------------------------------------------------------------- */

static void add_page(struct buffer *b, struct arena *a, const struct site *s,
		     size_t i)
{
	const struct site_form *f = &s->forms[i];
	const char *file = strrchr(f->file, '/') + 1;

	site_begin(b, s, f->name, "../../");
	add_facts(b, s, f);
	buffer_printf(b,
		      "<p class=\"note\">The values of this page: <a href=\"");
	html_url(b, file);
	buffer_printf(b, ".json\">JSON</a>, <a href=\"");
	html_url(b, file);
	buffer_printf(b, ".csv\">CSV</a></p>\n");
	add_summary(b, a, s, f);
	add_operands(b, s, f);
	for (size_t k = 0; k < s->n_cores; k++)
		if (f->on[k])
			add_core(b, s, &s->cores[k], f->on[k]);
	add_variants(b, a, s, i);
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

	add_page(b, &a, s, i);
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
