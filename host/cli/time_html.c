/* The page of `anechoic time --html` of a piece of code. */
#include <inttypes.h>

#include "host/base/version.h"
#include "host/cli/time_blocks.h"
#include "host/html/html.h"
#include "host/predict/print.h"
#include "host/predict/report.h"

static void put_fact(struct buffer *b, const char *name, const char *value)
{
	html_printf(b, "<dt>%s</dt><dd>%s</dd>", name, value);
}

static void put_facts(const struct timing_job *j, struct buffer *b)
{
	const struct claim *c = &j->result.claim;
	double middle = (c->low_cycles + c->high_cycles) / 2;

	buffer_printf(b, "<dl class=\"facts\">");
	if (c->has_value)
		put_fact(b, "Measured",
			 arena_printf(j->a,
				      "%.4g cycles (%.4g to %.4g), %s, %" PRIu32
				      " visits",
				      middle, c->low_cycles, c->high_cycles,
				      claim_verdict(c), c->visits));
	else
		put_fact(b, "Measured",
			 arena_printf(j->a, "no value: %s (%s)",
				      claim_verdict(c), c->detail));
	if (j->model)
		put_fact(b, "Predicted",
			 arena_printf(j->a, "%.4g cycles, by %s: %s",
				      j->predicted, j->model_name,
				      j->prediction.why));
	else
		put_fact(
			b, "Predicted",
			arena_printf(j->a, "no value: %s",
				     j->no_prediction ? j->no_prediction : ""));
	if (j->model && c->has_value && middle > 0)
		put_fact(b, "Difference",
			 arena_printf(j->a, "%+.1f %%",
				      100 * (j->predicted / middle - 1)));
	put_fact(b, "Board",
		 arena_printf(j->a, "%s, %s", j->c.board->name,
			      j->c.board->isa));
	buffer_printf(b, "</dl>\n");
}

/* What limits the prediction, as `predict` has it; without one, the code. */
static void put_code(const struct timing_job *j, struct buffer *b)
{
	const struct loop *l = j->request.loop;
	const struct program *p = &j->in.program;

	if (j->model) {
		struct report r = report_make(&j->prediction);

		buffer_printf(b, "<h2>The prediction</h2>\n");
		print_html_table(b, &r);
		buffer_printf(b, "<h2>Dependencies</h2>\n<div class=\"box\">");
		print_graph(b, &j->prediction);
		buffer_printf(b, "</div>\n");
		return;
	}
	buffer_printf(b, "<h2>The code</h2>\n<pre>");
	for (size_t k = l->first; k <= l->last; k++)
		html_printf(b, "%s\n",
			    p->insns[k].text ? p->insns[k].text : "");
	buffer_printf(b, "</pre>\n");
}

static void put_page(const struct timing_job *j, struct buffer *b)
{
	const struct claim *c = &j->result.claim;
	const char *unit = j->snippet.own_loop ? "iteration" : "copy";
	struct html_page page = { .title = j->snippet.key };
	struct buffer text = { 0 };

	if (c->has_value)
		page.title = arena_printf(
			j->a, "%s: %.4g cycles per %s", j->request.name,
			(c->low_cycles + c->high_cycles) / 2, unit);
	html_begin(b, &page);
	put_facts(j, b);
	put_code(j, b);
	time_print_text(j, &text);
	buffer_printf(b, "<details><summary>The same as text</summary><pre>\n");
	html_escape(b, (const char *)text.bytes, text.n);
	buffer_printf(b, "</pre></details>\n");
	buffer_free(&text);
	html_end(b, arena_printf(j->a, "Written by anechoic time %s.",
				 anechoic_version));
}

int time_write_html(const struct timing_job *j, const struct corpus *w,
		    struct err *e)
{
	struct buffer b = { 0 };

	if (!j->o->html)
		return ERR_OK;
	if (w)
		time_html_blocks(w, &b);
	else
		put_page(j, &b);
	(void)file_write(j->o->html, b.bytes, b.n, e);
	buffer_free(&b);
	return e->code;
}
