/* A page for each core: what it is, what was measured of it and what not, how
 * well measurements repeat, and how well its model explains held-out mixes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/isa/variant.h"
#include "host/site/inner.h"
#include "host/site/structures.h"
#include "host/view/finding.h"

/* Cells with a number, its share and a bar of the share. */
static void add_share(struct buffer *b, size_t n, size_t of)
{
	enum { WIDTH = 160, HEIGHT = 12 };
	double share = of ? (double)n / (double)of : 0;

	html_printf(b,
		    "<td class=\"n\">%zu</td><td class=\"n\">%.1f %%</td>"
		    "<td><svg viewBox=\"0 0 %d %d\" width=\"%d\" height="
		    "\"%d\" aria-hidden=\"true\">",
		    n, 100 * share, WIDTH, HEIGHT, WIDTH, HEIGHT);
	svg_rect(b, "frame", (struct svg_box){ 0, 0, WIDTH, HEIGHT }, NULL);
	svg_rect(b, "bar", (struct svg_box){ 0, 0, WIDTH * share, HEIGHT },
		 NULL);
	buffer_printf(b, "</svg></td>");
}

static void add_fact(struct buffer *b, const char *name, const char *value)
{
	if (value && *value)
		html_printf(b, "<dt>%s</dt><dd>%s</dd>", name, value);
}

/* ---- what it is ---------------------------------------------------------- */

static void add_identity(struct buffer *b, const struct site_core *c)
{
	static const struct model_about nothing = { .core = NULL };
	const struct model_about *m = c->model ? &c->model->about : &nothing;
	const char *slash = strrchr(c->path, '/');
	const struct {
		const char *name, *text;
	} facts[] = {
		{ "Core", c->identity },
		{ "CPU, as LLVM names it", c->cpu },
		{ "Instruction set", c->isa },
		{ "Board", c->board },
		{ "Source", c->source },
		{ "File", slash ? slash + 1 : c->path },
		{ "Measured core", m->core },
		{ "System", m->system },
		{ "Date", m->date },
		{ "Measured by", m->tool },
		{ "Noise", m->noise },
		{ "Forms with values", m->share },
	};

	buffer_printf(b, "<dl class=\"facts\">");
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		add_fact(b, facts[i].name, facts[i].text);
	buffer_printf(b, "</dl>\n");
}

static void add_width(struct buffer *b, const struct site_core *c)
{
	const struct claim *issue = site_issue_width(c);

	if (c->model->width.has_value)
		html_printf(b, "<dt>Width</dt><dd>%s slots in a cycle</dd>",
			    site_span(&c->model->width, "").text);
	else if (issue)
		html_printf(b,
			    "<dt>Width</dt><dd>at least %s instructions in a "
			    "cycle: no kernel has more</dd>",
			    site_value(issue).text);
}

static void add_machine(struct buffer *b, const struct site_core *c)
{
	const struct model *m = c->model;

	buffer_printf(b, "<h2>Machine</h2>\n<dl class=\"facts\">");
	add_width(b, c);
	add_fact(b, "Order",
		 m->in_order      ? "in program order"
		 : m->order_known ? "out of order"
				  : "not measured");
	for (size_t i = 0; i < SITE_N_SIZES; i++)
		if (site_size(m, i))
			html_printf(b, "<dt>%s</dt><dd>%zu</dd>",
				    site_sizes[i].name, site_size(m, i));
	if (m->n_ports > 0)
		buffer_printf(b, "<dt>Ports</dt><dd>");
	for (size_t i = 0; i < m->n_ports; i++)
		html_printf(b, "%s%s%s", i ? ", " : "", m->ports[i].name,
			    m->ports[i].pseudo ? " (unit)" : "");
	buffer_printf(b, "%s</dl>\n", m->n_ports ? "</dd>" : "");
	for (size_t i = 0; i < m->n_notes; i++) {
		buffer_printf(b, "%s", i ? "" : "<ul class=\"note\">");
		html_printf(b, "<li>%s</li>", m->notes[i]);
	}
	if (m->n_notes > 0)
		buffer_printf(b, "</ul>\n");
}

static int add_env(void *context, const char *key, const char *value,
		   struct err *e)
{
	(void)e;
	add_fact(context, key, value);
	return ERR_OK;
}

static int add_runs(struct buffer *b, const struct site_core *c, struct err *e)
{
	for (size_t i = 0; i < c->n_runs && e->code == ERR_OK; i++) {
		const struct run *r = &c->runs[i];

		html_printf(
			b,
			i + 1 == c->n_runs
				? "<details open><summary>Run %" PRId64
				  " of %s: %s</summary><dl class=\"facts\">"
				: "<details><summary>Run %" PRId64
				  " of %s: %s</summary><dl class=\"facts\">",
			r->id, r->date, r->what);
		add_fact(b, "forms", *r->forms ? r->forms : "all");
		add_fact(b, "clock", run_clock(r));
		add_fact(b, "anechoic", r->tool);
		add_fact(b, "finished", r->finished ? "yes" : "no");
		(void)store_envs(c->store, r->id, add_env, b, e);
		buffer_printf(b, "</dl></details>\n");
	}
	return e->code;
}

/* ---- shares -------------------------------------------------------------- */

struct count {
	const char *word, *meaning;
	size_t n;
};

static int by_count(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->word, y->word);
}

/* Rows of counts, most frequent first. */
static void add_counts(struct buffer *b, struct count *list, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += list[i].n;
	qsort(list, n, sizeof(*list), by_count);
	for (size_t i = 0; i < n && list[i].n > 0; i++) {
		html_printf(b, "<tr><th scope=\"row\">%s</th>", list[i].word);
		add_share(b, list[i].n, all);
		html_printf(b, "<td class=\"note\">%s</td></tr>\n",
			    list[i].meaning);
	}
	html_table_end(b);
}

/* Of a table of counts, behind the first. */
#define COUNT_HEADS "|#Number|#Share||Meaning"

static bool has_value(const struct site_values *v)
{
	for (size_t i = 0; i < v->claims.n; i++)
		if (v->claims.list[i].has_value)
			return true;
	return v->model && v->model->has_ports;
}

/* The catalogue with the statuses that forms have on this core; without a CPU
 * that LLVM knows, that of all of them. */
static const struct catalogue *core_catalogue(const struct site_core *c,
					      struct arena *a,
					      struct catalogue **ret_own)
{
	struct err unknown = { .code = ERR_OK };

	*ret_own = NULL;
	if (c->cpu && *c->cpu && strcmp(c->cpu, "any") != 0 &&
	    catalogue_load(a, c->catalogue->isa, c->cpu, ret_own, &unknown) ==
		    ERR_OK)
		return *ret_own;
	return c->catalogue;
}

/* Variants that are measured only where they are asked for count only where
 * they have a value. */
static void add_catalogue(struct buffer *b, const struct site_core *c)
{
	struct arena a = { 0 };
	struct catalogue *own;
	const struct catalogue *all = core_catalogue(c, &a, &own);
	size_t n = 0;
	struct count counts[] = {
#define X(id, text, why) [FORM_##id] = { text, why, 0 },
		FORM_STATUS_LIST(X)
#undef X
			[FORM_N_STATUS] = { "measured",
					    "has a value on this core", 0 },
	};
	struct count *measured = &counts[FORM_N_STATUS];

	counts[FORM_MEASURABLE].word = "not measured";
	counts[FORM_MEASURABLE].meaning =
		"it could run in a kernel and was not asked for, or no value "
		"came out";
	for (size_t i = 0; i < all->n_forms; i++) {
		const struct form *f = &all->forms[i];
		const struct site_values *v = site_find_values(c, f->name);

		if (v && has_value(v))
			measured->n++;
		else if (form_chosen(f, families_default()))
			counts[f->status].n++;
	}
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		n += counts[i].n;
	buffer_printf(b, "<h2>Share of the catalogue</h2>\n");
	html_table_begin(b, "Forms" COUNT_HEADS,
			 "All %zu forms of the default set and others with a "
			 "value, by what became of them%s%s",
			 n, own ? " on " : "", own ? c->cpu : "");
	add_counts(b, counts, ARRAY_LEN(counts));
	if (own)
		catalogue_free(own);
	arena_free(&a);
}

/* Verdicts of all claims of one kind. */
static void add_verdicts(struct buffer *b, const struct site_core *c,
			 const char *kind, const char *caption)
{
	enum { MOST = 64 };
	struct count counts[MOST];
	size_t n = 0;

	for (size_t i = 0; i < c->claims.n; i++) {
		const struct claim *x = &c->claims.list[i];
		size_t k = 0;

		if (!claim_is(x, kind) || strchr(x->form, '+'))
			continue;
		while (k < n && strcmp(counts[k].word, claim_verdict(x)) != 0)
			k++;
		if (k == MOST)
			continue;
		if (k == n)
			counts[n++] = (struct count){
				claim_verdict(x), verdict_meaning(x->verdict), 0
			};
		counts[k].n++;
	}
	if (n == 0)
		return;
	html_table_begin(b, "Verdict" COUNT_HEADS, "%s", caption);
	add_counts(b, counts, n);
}

/* ---- repeatability ------------------------------------------------------- */

/* How far apart the rows of a kernel are: shares of kernels by the width that
 * holds half of their rows. */
static void add_spread(struct buffer *b, const struct site_core *c)
{
	static const double edges[] = { 0.0005, 0.001, 0.002, 0.005,
					0.01,   0.02,  0.05,  0.1 };
	enum { BINS = ARRAY_LEN(edges) + 1 };
	enum { BAR = 62, HEIGHT = 120, TOP = 18, FOOT = 20, ROOM = 48 };
	size_t bins[BINS] = { 0 }, n = 0, most = 1;
	char text[ROOM];

	for (size_t i = 0; i < c->n_evidence; i++) {
		size_t k = 0;

		if (c->evidence[i].n_rows < 4)
			continue;
		while (k < BINS - 1 && c->evidence[i].spread >= edges[k])
			k++;
		bins[k]++;
		n++;
	}
	if (n == 0)
		return;
	for (size_t k = 0; k < BINS; k++)
		most = bins[k] > most ? bins[k] : most;
	buffer_printf(b,
		      "<h2>Repeatability</h2>\n<p>Half of the samples of a "
		      "kernel lie in a range around their median. The share "
		      "of %zu kernels by the width of this range, before "
		      "anything is filtered:</p>\n",
		      n);
	svg_begin(b, BAR * (double)BINS, TOP + HEIGHT + FOOT,
		  "Kernels by the spread of their samples");
	for (size_t k = 0; k < BINS; k++) {
		double h = (double)HEIGHT * (double)bins[k] / (double)most;
		double x = BAR * (double)k;

		svg_rect(
			b, "bar",
			(struct svg_box){ x + 3, TOP + HEIGHT - h, BAR - 6, h },
			NULL);
		(void)snprintf(text, sizeof(text), "%.1f %%",
			       100 * (double)bins[k] / (double)n);
		svg_text(b, "tick", x + BAR / 2.0, TOP + HEIGHT - h - 4,
			 "middle", text);
		(void)snprintf(text, sizeof(text), "%s%.3g %%",
			       k == BINS - 1 ? ">= " : "< ",
			       100 * edges[k == BINS - 1 ? k - 1 : k]);
		svg_text(b, "tick", x + BAR / 2.0, TOP + HEIGHT + FOOT - 5,
			 "middle", text);
	}
	svg_end(b);
}

/* ---- pages --------------------------------------------------------------- */

static int write_core(struct site *s, const struct site_core *c,
		      struct buffer *b, struct err *e)
{
	struct arena a = { 0 };

	site_begin(b, s, c->name, "../");
	add_identity(b, c);
	if (c->model)
		add_machine(b, c);
	add_catalogue(b, c);
	if (site_has_classes(c))
		html_printf(b,
			    "<p><a href=\"../classes/%s.html\">LLVM's "
			    "scheduling classes of %s</a></p>\n",
			    c->id, c->model->cpu);
	if (finding_claims(&c->claims, CLAIM_STRUCTURE).n > 0)
		html_printf(b, "<h2>%s</h2>\n", "Structures");
	site_structures(b, &c->claims);
	add_verdicts(b, c, "latency", "Latencies, of each pair of operands");
	add_verdicts(b, c, "throughput", "Throughputs");
	add_spread(b, c);
	if (c->store)
		(void)site_add_fit(b, c, e);
	site_add_loops(b, c);
	if (c->store && e->code == ERR_OK) {
		buffer_printf(b, "<h2>Runs and their environment</h2>\n");
		(void)add_runs(b, c, e);
	}
	site_end(b, s);
	if (e->code == ERR_OK)
		(void)folder_add(&s->folder,
				 arena_printf(&a, "core/%s.html", c->id), b, e);
	arena_free(&a);
	return e->code;
}

int site_write_cores(struct site *s, struct err *e)
{
	struct buffer b = { 0 };

	if (folder_make(&s->folder, "core", e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < s->n_cores; i++)
		if (site_check_stop(s, e) != ERR_OK ||
		    write_core(s, &s->cores[i], &b, e) != ERR_OK)
			break;
	buffer_free(&b);
	return e->code;
}
