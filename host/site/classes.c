/* The page of a measured core against LLVM's tables of its CPU, by scheduling
 * class; docs/compare.md says what a verdict means. */
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/llvm/classes.h"
#include "host/isa/mc_sched.h"
#include "host/site/inner.h"

enum { SHOWN = 1000, NAME = 60 };

static const double tolerance = 0.05;

/* LLVM has no tables of some CPUs that it knows. */
bool site_has_classes(const struct site_core *c)
{
	struct mc_sched *tables = NULL;
	struct err none = { .code = ERR_OK };
	const char *triple;
	bool has;

	if (!c->model || c->model->llvm || c->model->n_forms == 0)
		return false;
	triple = c->catalogue->isa->triple;
	has = mc_sched_knows(triple, c->model->cpu) &&
	      mc_sched_open(triple, c->model->cpu, &tables, &none) == ERR_OK;
	mc_sched_close(tables);
	return has;
}

/* A form of the class, with a link to its page where it has one. */
static void add_member(struct buffer *b, const struct site *s,
		       const struct site_core *c, const struct form *f)
{
	const struct site_form *page =
		site_find_form(s, c->isa, f->name, strlen(f->name));

	if (page)
		html_printf(b, "<a href=\"../form/%s.html\">%s</a>", page->file,
			    f->name);
	else
		html_text(b, f->name);
}

static void add_finding(struct buffer *b, const struct site *s,
			const struct site_core *c,
			const struct class_finding *f)
{
	html_printf(b, "<tr><th scope=\"row\">%.*s%s</th><td>", NAME, f->name,
		    strlen(f->name) > NAME ? ".." : "");
	add_member(b, s, c, f->members[0].form);
	html_printf(b,
		    "</td><td>%s</td><td class=\"n\">%zu</td><td class="
		    "\"n\">%.3g</td><td class=\"n\">%s</td><td>%s",
		    class_kind_words[f->kind], f->n_members, f->table,
		    html_cycles(f->measured.low, f->measured.high).text,
		    class_verdict_words[f->verdict]);
	if (f->verdict == CLASS_WRONG)
		html_printf(b, ": write %.3g", f->write);
	if (*f->split != '\0')
		html_printf(b, " by %s", f->split);
	buffer_printf(b, "</td></tr>\n");
}

static void add_counts(struct buffer *b, const struct class_report *r)
{
	static const char columns[] = "Kind|#Right|#Wrong|#Mixed|#Unknown";
	const double share = class_share_right(r);

	if (share < 0)
		html_table_begin(b, columns, "Classes; none is judged");
	else
		html_table_begin(b, columns,
				 "Classes; %.1f %% of those judged are right",
				 100 * share);
	for (enum class_value k = 0; k < CLASS_N_KINDS; k++) {
		html_printf(b, "<tr><th scope=\"row\">%s</th>",
			    class_kind_words[k]);
		for (size_t v = 0; v < CLASS_N_VERDICTS; v++)
			html_printf(b, "<td class=\"n\">%zu</td>",
				    r->counts[k][v]);
		buffer_printf(b, "</tr>\n");
	}
	html_table_end(b);
}

static void add_page(struct buffer *b, const struct site *s,
		     const struct site_core *c, const struct class_report *r)
{
	size_t shown = 0;

	site_begin(b, s, "Scheduling classes", "../");
	html_printf(b,
		    "<p>Values of <a href=\"../core/%s.html\">%s</a> against "
		    "LLVM's tables of %s, by scheduling class, the largest "
		    "error first.</p>\n",
		    c->id, c->name, c->model->cpu);
	add_counts(b, r);
	html_table_begin(b,
			 "Class|First form|Kind|#Forms|#Table|#Measured|"
			 "Verdict",
			 "Classes that are wrong, or whose members differ");
	for (size_t i = 0; i < r->n && shown < SHOWN; i++) {
		const struct class_finding *f = &r->findings[i];

		if (f->verdict != CLASS_WRONG && f->verdict != CLASS_MIXED)
			continue;
		add_finding(b, s, c, f);
		shown++;
	}
	html_table_end(b);
	site_end(b, s);
}

static int write_page(struct site *s, const struct site_core *c, struct err *e)
{
	struct arena a = { 0 };
	struct buffer b = { 0 };
	struct model *table = NULL;
	struct class_report found;
	struct class_request q = { .c = c->catalogue,
				   .ours = c->model,
				   .tolerance = tolerance };

	if (import_llvm(&a, c->catalogue, c->model->cpu, &table, e) == ERR_OK &&
	    llvm_class_names(&a, c->catalogue, c->model->cpu, &q.names, e) ==
		    ERR_OK) {
		q.table = table;
		class_compare(&a, &q, &found);
		add_page(&b, s, c, &found);
		(void)folder_add(&s->folder,
				 arena_printf(&a, "classes/%s.html", c->id), &b,
				 e);
	}
	buffer_free(&b);
	arena_free(&a);
	return e->code;
}

int site_write_classes(struct site *s, struct err *e)
{
	bool begun = false;

	for (size_t i = 0; i < s->n_cores && e->code == ERR_OK; i++) {
		if (!site_has_classes(&s->cores[i]) ||
		    site_check_stop(s, e) != ERR_OK)
			continue;
		if (!begun && folder_make(&s->folder, "classes", e) != ERR_OK)
			break;
		begun = true;
		(void)write_page(s, &s->cores[i], e);
	}
	return e->code;
}
