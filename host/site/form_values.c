/* The values of a form on a core as tables: one by one, and with each form that
 * reads a result. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/html/html.h"
#include "host/site/inner.h"

#define ARROW " \xe2\x86\x92 "

/* Cells of the value's quality, at the end of a row. */
#define QUALITY_HEADS "|#Residual|#Visits|Verdict"

static void add_quality(struct buffer *b, const struct claim *c)
{
	html_printf(b,
		    "<td class=\"n\">%.2g %%</td><td class=\"n\">%u</td>"
		    "<td class=\"words\"><span class=\"%s\">%s</span> <span "
		    "class=\"note\">%s</span></td></tr>\n",
		    100 * c->residual, c->visits, site_verdict_class(c),
		    claim_verdict(c), verdict_meaning(c->verdict));
}

/* What kinds mean, other than latency and throughput (docs/method/README.md). */
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
		for (size_t i = 0; i < v->claims.n; i++)
			if (claim_is(&v->claims.list[i], kinds[k].kind)) {
				buffer_printf(b,
					      "<p class=\"note\">%s: %s.</p>\n",
					      kinds[k].kind, kinds[k].meaning);
				break;
			}
}

static void add_row(struct buffer *b, const struct claim *c)
{
	html_printf(
		b,
		"<tr><th scope=\"row\">%s</th><td class=\"pair\">%s%s%s</td>"
		"<td class=\"n\">%s</td>",
		c->kind, c->source, *c->source ? ARROW : "",
		*c->source ? c->destination : "", site_value(c).text);
	add_quality(b, c);
}

void site_add_values(struct buffer *b, const struct site_values *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->claims.n; i++)
		n += !view_has_partner(&v->claims.list[i]);
	if (n == 0)
		return;
	html_table_begin(b, "Kind|From" ARROW "to|#Cycles" QUALITY_HEADS,
			 "Every value with its verdict");
	for (size_t i = 0; i < v->claims.n; i++)
		if (!view_has_partner(&v->claims.list[i]))
			add_row(b, &v->claims.list[i]);
	html_table_end(b);
	add_kinds(b, v);
}

/* ---- forwarding ---------------------------------------------------------- */

/* A cell with "2>0" as "2 -> 0", with an arrow. */
static void add_pair(struct buffer *b, const char *pair)
{
	size_t n = strcspn(pair, ">");
	bool two = pair[n] == '>';

	html_printf(b, "<td class=\"pair\">%.*s%s%s</td>", (int)n, pair,
		    two ? ARROW : "", pair + n + two);
}

/* The latency of the pair "2>0"; NULL: not measured. */
static const struct claim *latency_of(const struct site_values *v,
				      const char *pair)
{
	size_t n = strcspn(pair, ">");
	char source[SITE_TEXT];
	const struct claim *c;

	if (!v || n >= sizeof(source))
		return NULL;
	memcpy(source, pair, n);
	source[n] = '\0';
	c = view_pair(&v->claims, "latency", source,
		      pair + n + (pair[n] == '>'));
	return c && c->has_value ? c : NULL;
}

/* Cells with the latencies, and how much longer the chain is. */
static void add_difference(struct buffer *b, const struct effect *p,
			   const struct claim *c, const struct claim *x,
			   const struct claim *y)
{
	/* What two settled values may differ by. */
	static const double tolerance = 0.01;
	double sum, more;

	if (!c->has_value || !x || (p->pairs->sum && !y)) {
		buffer_printf(b, "<td></td><td></td>");
		return;
	}
	sum = claim_middle(x) + (p->pairs->sum ? claim_middle(y) : 0);
	more = claim_middle(c) - sum;
	buffer_printf(b, "<td class=\"n\">%.3g</td><td class=\"n\">", sum);
	if (fabs(more) <= tolerance * sum)
		buffer_printf(b, "0</td>");
	else
		buffer_printf(b, "%+.2g</td>", more);
}

static void add_partner(struct buffer *b, const struct effect *p,
			const struct site *s, const struct site_core *core,
			const struct site_values *v, const struct claim *c)
{
	size_t n = strcspn(c->destination, "@");
	const char *pair = c->destination + n + (c->destination[n] == '@');
	const struct site_form *f =
		site_find_form(s, core->isa, c->destination, n);
	const struct site_values *other = f ? f->on[core - s->cores] : NULL;

	buffer_printf(b, "<tr>");
	add_pair(b, c->source);
	if (f)
		html_printf(b,
			    "<th scope=\"row\" class=\"pair\"><a href=\"../../"
			    "form/%s.html\">%.*s</a></th>",
			    f->file, (int)n, c->destination);
	else
		html_printf(b, "<th scope=\"row\" class=\"pair\">%.*s</th>",
			    (int)n, c->destination);
	add_pair(b, pair);
	html_printf(b, "<td class=\"n\">%s</td>", site_value(c).text);
	add_difference(b, p, c, latency_of(v, c->source),
		       latency_of(other, pair));
	add_quality(b, c);
}

static void add_partners(struct buffer *b, const struct effect *p,
			 const struct site *s, const struct site_core *core,
			 const struct site_values *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->claims.n; i++)
		n += claim_is(&v->claims.list[i], p->kind->claim);
	if (n == 0)
		return;
	html_printf(b, "<details><summary>%s: %zu partners</summary>",
		    p->pairs->summary, n);
	html_heads_begin(b,
			 "This form|Partner|Partner, from" ARROW "to|#Cycles",
			 "%s", p->pairs->caption);
	html_head(b, true, p->pairs->sum ? "Latencies" : "Latency");
	html_head(b, true, "Longer by");
	html_head(b, true, "Residual");
	html_head(b, true, "Visits");
	html_head(b, false, "Verdict");
	html_heads_end(b);
	for (size_t i = 0; i < v->claims.n; i++)
		if (claim_is(&v->claims.list[i], p->kind->claim))
			add_partner(b, p, s, core, v, &v->claims.list[i]);
	html_table_end(b);
	buffer_printf(b, "</details>");
}

void site_add_partners(struct buffer *b, const struct site *s,
		       const struct site_core *core,
		       const struct site_values *v)
{
	for (size_t i = 0; effects[i]; i++)
		if (effects[i]->pairs)
			add_partners(b, effects[i], s, core, v);
}
