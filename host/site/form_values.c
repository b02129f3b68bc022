/* The values of a form on a core as tables: one by one, and with each form that
 * reads a result. */
#include <math.h>
#include <string.h>

#include "host/html/html.h"
#include "host/site/inner.h"
#include "host/store/verdict.h"

/* Cells of the value's quality: residual, visits, verdict. */
static void add_quality(struct buffer *b, const struct claim *c)
{
	buffer_printf(b,
		      "<td class=\"n\">%.2g %%</td><td class=\"n\">%u</td>"
		      "<td class=\"words\"><span class=\"%s\">",
		      100 * c->residual, c->visits, site_verdict_class(c));
	html_text(b, c->verdict);
	buffer_printf(b, "</span> <span class=\"note\">");
	html_text(b, strcmp(c->verdict, "model") == 0
			     ? "of a model file"
			     : verdict_meaning(c->verdict));
	buffer_printf(b, "</span></td></tr>\n");
}

static const char quality_heads[] =
	"<th scope=\"col\" class=\"n\">Residual</th><th scope=\"col\" class="
	"\"n\">Visits</th><th scope=\"col\">Verdict</th></tr></thead><tbody>\n";

/* What kinds mean, other than latency and throughput (docs/method.md). */
static const struct {
	const char *kind, *meaning;
} kinds[] = {
	{ "latency-short",
	  "the latency in a chain so short that few instances "
	  "wait at once; latency is that of an endless chain" },
	{ "dependent", "cycles of an instance if each waits for the previous "
		       "one, through a register that it always uses or through "
		       "its place in memory" },
	{ "throughput-long", "cycles of a jump in a loop of more jumps than a "
			     "small core has targets for" },
	{ "queue", "how many instances wait for their sources at once, not "
		   "cycles" },
	{ "slots", "slots of the front end, not cycles" },
	{ "slots-room", "slots that must be left in a cycle, not cycles" },
	{ "slots-before", "it starts only where fewer slots than this of its "
			  "cycle are taken; not cycles" },
};

static void add_kinds(struct buffer *b, const struct site_values *v)
{
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		for (size_t i = 0; i < v->n; i++)
			if (site_is(&v->claims[i], kinds[k].kind)) {
				buffer_printf(b,
					      "<p class=\"note\">%s: %s.</p>\n",
					      kinds[k].kind, kinds[k].meaning);
				break;
			}
}

/* Kinds of chains with another form, which have tables of their own. */
static const struct partners {
	const char *kind, *summary, *caption;
	bool sum; /* of both latencies */
} partners[] = {
	{ "forward", "Forwarding",
	  "A chain that alternates between this form and its partner: cycles "
	  "of one instance of each, and how much longer that is than the sum "
	  "of their latencies",
	  true },
	{ "written", "Written sources",
	  "A chain of this form, whose other source is a result of the "
	  "partner: cycles of an instance, and how much longer that is than "
	  "its latency",
	  false },
};

bool site_has_partner(const struct claim *c)
{
	for (size_t i = 0; i < ARRAY_LEN(partners); i++)
		if (site_is(c, partners[i].kind))
			return true;
	return false;
}

static void add_row(struct buffer *b, const struct claim *c)
{
	buffer_printf(b, "<tr><th scope=\"row\">");
	html_text(b, c->kind);
	buffer_printf(b, "</th><td class=\"pair\">");
	if (*c->source) {
		html_text(b, c->source);
		buffer_printf(b, " \xe2\x86\x92 ");
		html_text(b, c->destination);
	}
	buffer_printf(b, "</td><td class=\"n\">");
	site_add_value(b, c);
	buffer_printf(b, "</td>");
	add_quality(b, c);
}

void site_add_values(struct buffer *b, const struct site_values *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += !site_has_partner(&v->claims[i]);
	if (n == 0)
		return;
	buffer_printf(b,
		      "<div class=\"box\"><table><caption>Every value with its "
		      "verdict</caption><thead><tr><th scope=\"col\">Kind</th>"
		      "<th scope=\"col\">From \xe2\x86\x92 to</th><th scope="
		      "\"col\" class=\"n\">Cycles</th>%s",
		      quality_heads);
	for (size_t i = 0; i < v->n; i++)
		if (!site_has_partner(&v->claims[i]))
			add_row(b, &v->claims[i]);
	buffer_printf(b, "</tbody></table></div>\n");
	add_kinds(b, v);
}

/* ---- forwarding ---------------------------------------------------------- */

/* "2>0" as "2 -> 0", with an arrow. */
static void add_pair(struct buffer *b, const char *pair)
{
	size_t n = strcspn(pair, ">");

	html_escape(b, pair, n);
	if (pair[n] == '>') {
		buffer_printf(b, " \xe2\x86\x92 ");
		html_text(b, pair + n + 1);
	}
}

/* The latency of the pair "2>0"; NULL: not measured. */
static const struct claim *latency_of(const struct site_values *v,
				      const char *pair)
{
	size_t n = strcspn(pair, ">");

	for (size_t i = 0; v && i < v->n; i++) {
		const struct claim *c = &v->claims[i];

		if (site_is(c, "latency") && c->has_value &&
		    strncmp(c->source, pair, n) == 0 && c->source[n] == '\0' &&
		    strcmp(c->destination, pair + n + (pair[n] == '>')) == 0)
			return c;
	}
	return NULL;
}

static double middle(const struct claim *c)
{
	return (c->low_cycles + c->high_cycles) / 2;
}

/* Cells with the latencies, and how much longer the chain is. */
static void add_difference(struct buffer *b, const struct partners *p,
			   const struct claim *c, const struct claim *x,
			   const struct claim *y)
{
	/* What two settled values may differ by. */
	static const double tolerance = 0.01;
	double sum, more;

	if (!c->has_value || !x || (p->sum && !y)) {
		buffer_printf(b, "<td></td><td></td>");
		return;
	}
	sum = middle(x) + (p->sum ? middle(y) : 0);
	more = middle(c) - sum;
	buffer_printf(b, "<td class=\"n\">%.3g</td><td class=\"n\">", sum);
	if (fabs(more) <= tolerance * sum)
		buffer_printf(b, "0</td>");
	else
		buffer_printf(b, "%+.2g</td>", more);
}

static void add_partner(struct buffer *b, const struct partners *p,
			const struct site *s, const struct site_core *core,
			const struct site_values *v, const struct claim *c)
{
	size_t n = strcspn(c->destination, "@");
	const char *pair = c->destination + n + (c->destination[n] == '@');
	const struct site_form *f =
		site_find_form(s, core->isa, c->destination, n);
	const struct site_values *other = f ? f->on[core - s->cores] : NULL;

	buffer_printf(b, "<tr><td class=\"pair\">");
	add_pair(b, c->source);
	buffer_printf(b, "</td><th scope=\"row\" class=\"pair\">");
	if (f) {
		buffer_printf(b, "<a href=\"../../form/");
		html_url(b, f->file);
		buffer_printf(b, ".html\">");
	}
	html_escape(b, c->destination, n);
	buffer_printf(b, "%s</th><td class=\"pair\">", f ? "</a>" : "");
	add_pair(b, pair);
	buffer_printf(b, "</td><td class=\"n\">");
	site_add_value(b, c);
	buffer_printf(b, "</td>");
	add_difference(b, p, c, latency_of(v, c->source),
		       latency_of(other, pair));
	add_quality(b, c);
}

static void add_partners(struct buffer *b, const struct partners *p,
			 const struct site *s, const struct site_core *core,
			 const struct site_values *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += site_is(&v->claims[i], p->kind);
	if (n == 0)
		return;
	buffer_printf(
		b,
		"<details><summary>%s: %zu partners</summary>"
		"<div class=\"box\"><table><caption>%s</caption><thead><tr>"
		"<th scope=\"col\">This form</th><th scope=\"col\">"
		"Partner</th><th scope=\"col\">Partner, from \xe2\x86\x92 "
		"to</th><th scope=\"col\" class=\"n\">Cycles</th>"
		"<th scope=\"col\" class=\"n\">%s</th>"
		"<th scope=\"col\" class=\"n\">Longer by</th>%s",
		p->summary, n, p->caption, p->sum ? "Latencies" : "Latency",
		quality_heads);
	for (size_t i = 0; i < v->n; i++)
		if (site_is(&v->claims[i], p->kind))
			add_partner(b, p, s, core, v, &v->claims[i]);
	buffer_printf(b, "</tbody></table></div></details>");
}

void site_add_partners(struct buffer *b, const struct site *s,
		       const struct site_core *core,
		       const struct site_values *v)
{
	for (size_t i = 0; i < ARRAY_LEN(partners); i++)
		add_partners(b, &partners[i], s, core, v);
}
