/* The list of cores, and pages that compare two of them, or all: where values
 * differ, by how much, and one core against another as a plot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/site/inner.h"

enum { SHOWN = 200, N_KINDS = 2 };

/* Values within this relative distance agree. */
static const double same = 0.03;

static const struct {
	const char *title, *axis;
	size_t offset;
} kinds[N_KINDS] = {
	{ "Reciprocal throughput", "throughput",
	  offsetof(struct site_row, of.throughput) },
	{ "Latency", "latency", offsetof(struct site_row, of.latency) },
};

/* A form that two or more of the cores have. */
struct compared {
	const struct site_form *form;
	double ratio; /* at least, by the bounds of the intervals */
};

struct comparison {
	struct site *s;
	size_t n;
	size_t cores[SITE_MAX_COMPARED];
};

static const struct model_span *span_of(const struct comparison *w, size_t core,
					size_t form, size_t kind)
{
	const struct site_row *row =
		site_row(&w->s->forms[form], w->cores[core]);

	return (const void *)((const char *)row + kinds[kind].offset);
}

static const struct site_core *core_of(const struct comparison *w, size_t i)
{
	return &w->s->cores[w->cores[i]];
}

static double middle(const struct model_span *s)
{
	return (s->low + s->high) / 2;
}

/* ---- what differs -------------------------------------------------------- */

/* How far apart the cores certainly are: the highest lower bound over the
 * lowest upper bound, at least 1; 0: fewer than two values. */
static double ratio_of(const struct comparison *w, size_t form, size_t kind)
{
	double low = INFINITY, high = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct model_span *v = span_of(w, i, form, kind);

		if (!v->has_value || !(v->low > 0))
			continue;
		low = fmin(low, v->high);
		high = fmax(high, v->low);
		n++;
	}
	return n < 2 ? 0 : fmax(1, high / low);
}

static int by_ratio(const void *a, const void *b)
{
	const struct compared *x = a, *y = b;

	if (x->ratio != y->ratio)
		return x->ratio < y->ratio ? 1 : -1;
	return strcmp(x->form->name, y->form->name);
}

static void add_differing(struct buffer *b, const struct comparison *w,
			  const struct compared *list, size_t n, size_t kind)
{
	html_heads_begin(b, "Form",
			 "%s in cycles: the forms that differ most%s",
			 kinds[kind].title, n > SHOWN ? ", the first 200" : "");
	for (size_t i = 0; i < w->n; i++)
		html_head(b, true, core_of(w, i)->name);
	html_head(b, true, "At least times");
	html_heads_end(b);
	for (size_t k = 0; k < n && k < SHOWN; k++) {
		size_t form = (size_t)(list[k].form - w->s->forms);

		html_printf(b,
			    "<tr><th scope=\"row\"><a href=\"../form/%s.html\">"
			    "%s</a></th>",
			    list[k].form->file, list[k].form->name);
		for (size_t i = 0; i < w->n; i++)
			html_printf(
				b, "<td class=\"n\">%s</td>",
				site_span(span_of(w, i, form, kind), "").text);
		html_printf(b, "<td class=\"n\">%.3g</td></tr>\n",
			    list[k].ratio);
	}
	html_table_end(b);
}

static void add_kind(struct buffer *b, const struct comparison *w, size_t kind)
{
	struct compared *list =
		xrealloc(NULL, w->s->n_forms + 1, sizeof(*list));
	size_t n = 0, n_all = 0;

	for (size_t i = 0; i < w->s->n_forms; i++) {
		double ratio = ratio_of(w, i, kind);

		n_all += ratio > 0;
		if (ratio > 1 + same)
			list[n++] = (struct compared){ .form = &w->s->forms[i],
						       .ratio = ratio };
	}
	buffer_printf(b,
		      "<h2>%s</h2>\n<p>%zu forms have values on two cores or "
		      "more; %zu (%.1f %%) agree within %.0f %% or their "
		      "intervals meet, %zu differ.</p>\n",
		      kinds[kind].title, n_all, n_all - n,
		      n_all ? 100 * (double)(n_all - n) / (double)n_all : 0,
		      100 * same, n);
	if (n > 0) {
		qsort(list, n, sizeof(*list), by_ratio);
		add_differing(b, w, list, n, kind);
	}
	free(list);
}

/* ---- plots --------------------------------------------------------------- */

static bool point_of(const struct comparison *w, size_t other, size_t form,
		     size_t kind, double *ret_x, double *ret_y)
{
	const struct model_span *x = span_of(w, 0, form, kind);
	const struct model_span *y = span_of(w, other, form, kind);

	if (!x->has_value || !y->has_value || !(x->low > 0) || !(y->low > 0))
		return false;
	*ret_x = middle(x);
	*ret_y = middle(y);
	return true;
}

/* Forms of equal place are one dot, whose title counts them. */
static void add_dots(struct buffer *b, const struct comparison *w, size_t other,
		     size_t kind, const struct svg_plot *p)
{
	enum { CELL = 4 };
	size_t columns = (size_t)p->width / CELL + 1;
	size_t rows = (size_t)p->height / CELL + 1;
	uint32_t *count = xrealloc(NULL, columns * rows, sizeof(*count));
	size_t *first = xrealloc(NULL, columns * rows, sizeof(*first));
	double x, y;

	memset(count, 0, columns * rows * sizeof(*count));
	for (size_t i = 0; i < w->s->n_forms; i++) {
		size_t cell;

		if (!point_of(w, other, i, kind, &x, &y))
			continue;
		cell = (size_t)((svg_x(p, x) - p->left) / CELL) +
		       columns * (size_t)((svg_y(p, y) - p->top) / CELL);
		if (count[cell]++ == 0)
			first[cell] = i;
	}
	for (size_t i = 0; i < columns * rows; i++) {
		size_t row = i / columns;

		if (count[i] == 0)
			continue;
		html_printf(b,
			    "<circle class=\"dot\" r=\"%.3g\" cx=\"%.4g\" "
			    "cy=\"%.4g\"><title>%s",
			    1.5 + fmin(5, log2((double)count[i]) / 2),
			    p->left + (double)(i % columns) * CELL + CELL / 2.0,
			    p->top + (double)row * CELL + CELL / 2.0,
			    w->s->forms[first[i]].name);
		if (count[i] > 1)
			html_printf(b, " and %u more", count[i] - 1);
		html_printf(b, "</title></circle>");
	}
	free(count);
	free(first);
}

static void add_plot(struct buffer *b, const struct comparison *w, size_t other,
		     size_t kind)
{
	enum { SIZE = 380 };
	const char *x_core = core_of(w, 0)->name;
	const char *y_core = core_of(w, other)->name;
	double low = INFINITY, high = 0, x, y;
	char x_name[SITE_TEXT], y_name[SITE_TEXT], label[3 * SITE_TEXT];
	struct svg_plot p = { .width = SIZE,
			      .x_name = x_name,
			      .y_name = y_name };

	for (size_t i = 0; i < w->s->n_forms; i++)
		if (point_of(w, other, i, kind, &x, &y)) {
			low = fmin(low, fmin(x, y));
			high = fmax(high, fmax(x, y));
		}
	if (!(high > 0))
		return;
	(void)snprintf(x_name, sizeof(x_name), "%s on %s", kinds[kind].axis,
		       x_core);
	(void)snprintf(y_name, sizeof(y_name), "%s on %s", kinds[kind].axis,
		       y_core);
	(void)snprintf(label, sizeof(label), "%s against %s", y_name, x_name);
	p.x0 = low / 1.2;
	p.x1 = high * 1.2;
	svg_begin_square(b, &p, label);
	add_dots(b, w, other, kind, &p);
	svg_end(b);
}

/* ---- pages --------------------------------------------------------------- */

static struct html_span width_text(const struct site_core *c)
{
	const struct claim *issue = site_issue_width(c);
	struct html_span text = { "" };

	if (c->model && c->model->width.has_value)
		return site_span(&c->model->width, "");
	if (issue)
		(void)snprintf(text.text, sizeof(text.text),
			       "\xe2\x89\xa5 %.600s", site_value(issue).text);
	return text;
}

/* A cell with a number above 0, or empty. */
static void add_count(struct buffer *b, size_t n)
{
	html_printf(b, n ? "<td class=\"n\">%zu</td>" : "<td class=\"n\"></td>",
		    n);
}

static void add_machine(struct buffer *b, const struct comparison *w)
{
	html_heads_begin(b, "Core|#Forms|#Width|#Ports", "The cores");
	for (size_t k = 0; k < SITE_N_SIZES; k++)
		html_head(b, true, site_sizes[k].name);
	html_heads_end(b);
	for (size_t i = 0; i < w->n; i++) {
		const struct site_core *c = core_of(w, i);

		html_printf(b,
			    "<tr><th scope=\"row\"><a href=\"../core/%s.html\">"
			    "%s</a></th><td class=\"n\">%zu</td><td class="
			    "\"n\">%s</td>",
			    c->id, c->name, c->n_forms, width_text(c).text);
		add_count(b, c->model ? c->model->n_ports : 0);
		for (size_t k = 0; k < SITE_N_SIZES; k++)
			add_count(b, site_size(c->model, k));
		buffer_printf(b, "</tr>\n");
	}
	html_table_end(b);
}

static void add_title(struct buffer *b, const struct comparison *w)
{
	for (size_t i = 0; i < w->n; i++)
		buffer_printf(b, "%s%s",
			      i == 0      ? ""
			      : w->n == 2 ? " and "
					  : ", ",
			      core_of(w, i)->name);
}

static int write_page(struct comparison *w, const char *file, struct err *e)
{
	struct buffer b = { 0 }, title = { 0 };

	add_title(&title, w);
	site_begin(&b, w->s, buffer_text(&title), "../");
	buffer_free(&title);
	add_machine(&b, w);
	buffer_printf(&b, "<div class=\"row\">\n");
	for (size_t k = 0; k < N_KINDS; k++)
		for (size_t i = 1; i < w->n; i++)
			add_plot(&b, w, i, k);
	buffer_printf(&b, "</div>\n<p class=\"note\">Each dot is one form, or "
			  "several at the same place; on the dashed line both "
			  "cores are equal. An interval is drawn at its "
			  "middle.</p>\n");
	for (size_t k = 0; k < N_KINDS; k++)
		add_kind(&b, w, k);
	site_end(&b, w->s);
	(void)folder_add(&w->s->folder, file, &b, e);
	buffer_free(&b);
	return e->code;
}

static const char *pair_file(struct arena *a, size_t i, size_t k)
{
	return arena_printf(a, "compare/%zu-%zu.html", i + 1, k + 1);
}

/* Cores of one instruction set that are compared together with core `first`:
 * these and those behind it, up to SITE_MAX_COMPARED. */
static size_t group_of(const struct site *s, size_t first,
		       size_t list[SITE_MAX_COMPARED])
{
	size_t n = 0;

	for (size_t i = 0; i < first; i++)
		if (strcmp(s->cores[i].isa, s->cores[first].isa) == 0)
			return 0;
	for (size_t i = first; i < s->n_cores && n < SITE_MAX_COMPARED; i++)
		if (strcmp(s->cores[i].isa, s->cores[first].isa) == 0)
			list[n++] = i;
	return n;
}

/* A page for every two of the cores, up to SITE_MAX_COMPARED of them, and one
 * for all of these together. */
static int write_group(struct site *s, size_t first, struct buffer *index,
		       struct err *e)
{
	struct comparison w = { .s = s };

	w.n = group_of(s, first, w.cores);
	if (w.n < 2)
		return ERR_OK;
	buffer_printf(index, "<ul>\n");
	for (size_t i = 0; i < w.n; i++) {
		for (size_t k = i + 1; k < w.n; k++) {
			struct comparison pair = {
				.s = s,
				.n = 2,
				.cores = { w.cores[i], w.cores[k] },
			};
			const char *file =
				pair_file(&s->a, w.cores[i], w.cores[k]);

			if (site_check_stop(s, e) != ERR_OK ||
			    write_page(&pair, file, e) != ERR_OK)
				return e->code;
			html_printf(index,
				    "<li><a href=\"%s\">%s and %s</a></li>\n",
				    file, core_of(&w, i)->name,
				    core_of(&w, k)->name);
		}
	}
	if (w.n > 2) {
		const char *file =
			arena_printf(&s->a, "compare/all-%zu.html", first + 1);

		html_printf(index,
			    "<li><a href=\"%s\">%s%zu cores of %s</a></li>\n",
			    file,
			    w.n == SITE_MAX_COMPARED ? "the first " : "all ",
			    w.n, s->cores[first].isa);
		(void)write_page(&w, file, e);
	}
	buffer_printf(index, "</ul>\n");
	return e->code;
}

static void add_list(struct buffer *b, const struct site *s)
{
	site_begin(b, s, "Cores", "");
	html_table_begin(b, "Core|Instruction set|Source|#Forms",
			 "Where the values of each core come from");
	for (size_t i = 0; i < s->n_cores; i++) {
		const struct site_core *c = &s->cores[i];

		html_printf(b,
			    "<tr><th scope=\"row\"><a href=\"core/%s.html\">%s"
			    "</a></th><td>%s</td><td>%s</td><td class=\"n\">"
			    "%zu</td></tr>\n",
			    c->id, c->name, c->isa, c->source, c->n_forms);
	}
	html_table_end(b);
	buffer_printf(b, "<h2>Comparisons</h2>\n");
	if (s->n_cores < 2)
		buffer_printf(b, "<p>A comparison needs two cores.</p>\n");
}

int site_write_compare(struct site *s, struct err *e)
{
	struct buffer b = { 0 };

	add_list(&b, s);
	if (folder_make(&s->folder, "compare", e) == ERR_OK)
		for (size_t i = 0; i < s->n_cores && e->code == ERR_OK; i++)
			(void)write_group(s, i, &b, e);
	site_end(&b, s);
	if (e->code == ERR_OK)
		(void)folder_add(&s->folder, "cores.html", &b, e);
	buffer_free(&b);
	return e->code;
}
