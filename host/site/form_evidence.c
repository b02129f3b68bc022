/* The evidence of a form's values: the kernel, the line through its three
 * lengths, a histogram of its samples, and how to measure it again. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/site/inner.h"

enum { LENGTHS = PACK_LENGTHS };

static double ops_of(const struct site_evidence *x, size_t length)
{
	return (double)x->unroll[length] * x->ops_per_body;
}

/* The three lengths in a small plot: instances, and cycles of an iteration. */
static void add_line(struct buffer *b, const struct site_evidence *x)
{
	enum { WIDTH = 150, HEIGHT = 70, PAD = 6 };
	double most = fmax(x->cycles[LENGTHS - 1], x->cycles[0]);
	double last = ops_of(x, LENGTHS - 1);

	if (!(most > 0) || !(last > 0))
		return;
	buffer_printf(
		b,
		"<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" role=\"img\" aria-label=\"Cycles of "
		"three lengths\"><path class=\"axis\" d=\"M%d %dV%dH%d"
		"\"/><path class=\"fit\" d=\"M%.4g %.4gL%.4g %.4g\"/>",
		WIDTH, HEIGHT, WIDTH, HEIGHT, PAD, PAD, HEIGHT - PAD,
		WIDTH - PAD, PAD + (WIDTH - 2 * PAD) * ops_of(x, 0) / last,
		PAD + (HEIGHT - 2 * PAD) * (1 - x->cycles[0] / most),
		(double)(WIDTH - PAD),
		PAD + (HEIGHT - 2 * PAD) * (1 - x->cycles[LENGTHS - 1] / most));
	for (size_t i = 0; i < LENGTHS; i++)
		buffer_printf(b,
			      "<circle class=\"bar\" r=\"3\" cx=\"%.4g\" "
			      "cy=\"%.4g\"/>",
			      PAD + (WIDTH - 2 * PAD) * ops_of(x, i) / last,
			      PAD + (HEIGHT - 2 * PAD) *
					      (1 - x->cycles[i] / most));
	buffer_printf(b,
		      "</svg><figcaption class=\"note\">%.4g, %.4g, %.4g "
		      "instances: %.5g, %.5g, %.5g cycles. Slope <b>%.4g</b>"
		      ", residual %.2g %%.</figcaption></figure>",
		      ops_of(x, 0), ops_of(x, 1), ops_of(x, 2), x->cycles[0],
		      x->cycles[1], x->cycles[2], x->slope, 100 * x->residual);
}

static void add_histogram(struct buffer *b, const struct site_evidence *x)
{
	enum { BAR = 6, HEIGHT = 60 };
	uint32_t most = 1;

	if (!(x->step > 0))
		return;
	for (size_t i = 0; i < SITE_BINS; i++)
		most = x->bins[i] > most ? x->bins[i] : most;
	buffer_printf(b,
		      "<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" "
		      "height=\"%d\" role=\"img\" aria-label=\"Histogram of "
		      "samples\"><path class=\"hist\" d=\"",
		      BAR * SITE_BINS, HEIGHT + 1, BAR * SITE_BINS, HEIGHT + 1);
	for (size_t i = 0; i < SITE_BINS; i++)
		if (x->bins[i] > 0)
			buffer_printf(
				b, "M%zu %dv-%.3gh%dv%.3g", i * BAR, HEIGHT,
				(double)x->bins[i] * HEIGHT / most, BAR - 1,
				(double)x->bins[i] * HEIGHT / most);
	buffer_printf(b,
		      "\"/><path class=\"axis\" d=\"M0 %d.5H%d\"/></svg>"
		      "<figcaption class=\"note\">%u rows of %u visits; %.4g "
		      "to %.4g cycles",
		      HEIGHT, BAR * SITE_BINS, x->n_rows, x->n_visits, x->low,
		      x->low + SITE_BINS * x->step);
	if (x->below + x->above > 0)
		buffer_printf(b, "; %u below, %u above", x->below, x->above);
	buffer_printf(b, "</figcaption></figure>");
}

static void add_kernel(struct buffer *b, const struct site_evidence *x)
{
	html_printf(b,
		    "<p class=\"note\">Kernel <code>%s</code>, id 0x%016" PRIx64
		    "</p><div class=\"row\">",
		    x->label, x->id);
	if (x->code)
		html_printf(b, "<pre>%s</pre>", x->code);
	else
		buffer_printf(b,
			      "<p class=\"note\">The database has no code of "
			      "this kernel.</p>");
	add_line(b, x);
	add_histogram(b, x);
	buffer_printf(b, "</div>");
	if (x->fault)
		html_printf(b, "<p class=\"no\">The core stopped at it: %s</p>",
			    x->fault);
}

static void add_one(struct buffer *b, const struct claim *c,
		    const struct site_evidence *x)
{
	html_printf(b, "<details><summary>%s", c->kind);
	if (*c->source)
		html_printf(b, " %s \xe2\x86\x92 %s", c->source,
			    c->destination);
	html_printf(b,
		    ": <b>%s</b> <span class=\"%s\">%s</span></summary><p>%s"
		    "</p>",
		    site_value(c).text, site_verdict_class(c), claim_verdict(c),
		    c->detail);
	if (x)
		add_kernel(b, x);
	buffer_printf(b, "</details>\n");
}

void site_add_evidence(struct buffer *b, const struct site_core *c,
		       const struct site_values *v)
{
	if (v->claims.n == 0 || !c->store)
		return;
	buffer_printf(b,
		      "<h3>Evidence</h3>\n<p class=\"note\">The start of each "
		      "kernel, the cycles of its three lengths with the line "
		      "through them, and all samples, none left out.</p>\n");
	for (size_t i = 0; i < v->claims.n; i++)
		if (!view_has_partner(&v->claims.list[i]))
			add_one(b, &v->claims.list[i],
				site_find_evidence(c, v->claims.list[i].run,
						   v->claims.list[i].kernel));
}

/* Append a name as part of a regular expression in single quotes. */
static void add_exact(struct buffer *b, const char *name)
{
	for (; *name != '\0'; name++) {
		if (strchr(".[]()*+?{}|^$\\", *name))
			buffer_printf(b, "\\");
		html_escape(b, name, 1);
	}
}

void site_add_command(struct buffer *b, const struct site_core *c,
		      const char *form)
{
	const char *words[] = { form, c->board, c->isa };

	if (!c->store)
		return;
	/* A name that a shell would take apart is no form of ours. */
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i][strspn(words[i], "abcdefghijklmnopqrstuvwxyz"
					      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					      "0123456789-_.,=/")])
			return;
	buffer_printf(b,
		      "<h3>To measure it again</h3>\n<pre>anechoic measure "
		      "--board %s --isa %s --forms '^",
		      c->board, c->isa);
	add_exact(b, form);
	buffer_printf(b,
		      "$' --db again.db\nanechoic show --db again.db %s"
		      "</pre>\n",
		      form);
}
