/* The page of `anechoic time --hex --html`: scores, a plot of measured against
 * predicted cycles, and the blocks, those with the worst predictions first. */
#include <math.h>
#include <stdlib.h>

#include "host/base/version.h"
#include "host/cli/time_blocks.h"
#include "host/html/html.h"
#include "host/html/svg.h"

/* A block and by how much its prediction is off; below 0: it has no pair. */
struct ranked {
	const struct block *block;
	size_t number;
	double off;
};

static bool is_pair(const struct block *b)
{
	return time_block_value(b) > 0 && b->scored->predicted > 0;
}

static int by_error(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Too high by a factor is as bad as too low by it. */
static struct ranked *rank_blocks(const struct corpus *w)
{
	struct ranked *ret = ARENA_ARRAY(w->a, struct ranked, w->n + 1);

	for (size_t i = 0; i < w->n; i++) {
		const struct block *b = &w->blocks[i];

		ret[i] = (struct ranked){ .block = b,
					  .number = i + 1,
					  .off = -1 };
		if (is_pair(b))
			ret[i].off = fabs(log(b->scored->predicted /
					      time_block_value(b)));
	}
	qsort(ret, w->n, sizeof(*ret), by_error);
	return ret;
}

static void put_scores(const struct corpus *w, struct buffer *b)
{
	enum { PERCENT = 100 };
	size_t n;
	const struct scored_pair *list = scored_pairs(&w->scored, &n);

	if (n == 0)
		return;
	html_table_begin(b,
			 "Columns|#Blocks|#Mean error|#Median|#Within 10 %|"
			 "#Within 20 %|#Above twice|#Below half|#Tau",
			 "How well they agree");
	for (size_t i = 0; i < n; i++) {
		const struct score *s = &list[i].score;

		html_printf(b,
			    "<tr><th scope=\"row\">%s</th><td class=\"n\">%zu"
			    "</td><td class=\"n\">%.1f %%</td>"
			    "<td class=\"n\">%.1f %%</td>"
			    "<td class=\"n\">%.0f %%</td>"
			    "<td class=\"n\">%.0f %%</td>"
			    "<td class=\"n\">%.1f %%</td>"
			    "<td class=\"n\">%.1f %%</td>"
			    "<td class=\"n\">%.3f</td></tr>\n",
			    list[i].what, s->n, PERCENT * s->mean,
			    PERCENT * s->median, PERCENT * s->within_10,
			    PERCENT * s->within_20, PERCENT * s->twice,
			    PERCENT * s->half, s->tau);
	}
	html_table_end(b);
}

static void put_plot(const struct corpus *w, const struct ranked *list,
		     struct buffer *b)
{
	enum { SIZE = 460 };
	static const double margin = 1.2;
	double low = INFINITY, high = 0;
	struct svg_plot p = { .width = SIZE,
			      .x_name = "measured cycles",
			      .y_name = "predicted cycles" };

	for (size_t i = 0; i < w->n && list[i].off >= 0; i++) {
		double x = time_block_value(list[i].block);
		double y = list[i].block->scored->predicted;

		low = fmin(low, fmin(x, y));
		high = fmax(high, fmax(x, y));
	}
	if (!(high > 0))
		return;
	p.x0 = low / margin;
	p.x1 = high * margin;
	buffer_printf(b, "<h2>Measured and predicted</h2>\n<p>A dot is a "
			 "block, and leads to it.</p>\n<div class=\"box\">");
	svg_begin_square(b, &p, "Predicted cycles against measured ones");
	for (size_t i = 0; i < w->n && list[i].off >= 0; i++) {
		const struct block *k = list[i].block;
		double x = time_block_value(k);

		html_printf(b,
			    "<a href=\"#b%zu\"><circle class=\"dot\" r=\"2.5\" "
			    "cx=\"%.4g\" cy=\"%.4g\"><title>%s: measured %.4g, "
			    "predicted %.4g</title></circle></a>",
			    list[i].number, svg_x(&p, x),
			    svg_y(&p, k->scored->predicted), k->name, x,
			    k->scored->predicted);
	}
	svg_end(b);
	buffer_printf(b, "</div>\n");
}

static void put_cycles(struct buffer *b, double x)
{
	if (x > 0)
		html_printf(b, "<td class=\"n\">%.4g</td>", x);
	else
		buffer_printf(b, "<td class=\"n\"></td>");
}

static const char *word_of(const struct block *b)
{
	return b->error ? "refused" : claim_verdict(&b->result.claim);
}

static void put_rows(const struct corpus *w, const struct ranked *list,
		     struct buffer *b)
{
	buffer_printf(b, "<h2>Blocks</h2>\n");
	html_heads_begin(b, "Block|Of|#Measured|#Predicted|#Error|#Given",
			 "The worst predictions first");
	for (size_t k = 0; k < w->scored.n_against; k++)
		html_head(b, true, w->scored.against[k]);
	html_head(b, false, "Verdict");
	html_heads_end(b);
	for (size_t i = 0; i < w->n; i++) {
		const struct block *x = list[i].block;

		html_printf(b,
			    "<tr><th scope=\"row\"><a href=\"#b%zu\">%s</a>"
			    "</th><td>%s</td>",
			    list[i].number, x->name,
			    scored_word(x->scored->category));
		put_cycles(b, time_block_value(x));
		put_cycles(b, x->scored->predicted);
		if (list[i].off >= 0)
			html_printf(b, "<td class=\"n\">%+.1f %%</td>",
				    100 * (x->scored->predicted /
						   time_block_value(x) -
					   1));
		else
			buffer_printf(b, "<td class=\"n\"></td>");
		put_cycles(b, x->scored->given);
		for (size_t k = 0; k < w->scored.n_against; k++)
			put_cycles(b, x->scored->against[k]);
		html_printf(b, "<td>%s</td></tr>\n", word_of(x));
	}
	html_table_end(b);
}

/* Its instructions, interval and reasons. */
static void put_detail(const struct ranked *r, struct buffer *b)
{
	const struct block *x = r->block;
	const struct claim *c = &x->result.claim;

	html_printf(b, "<h3 id=\"b%zu\">%s</h3>\n<p>", r->number, x->name);
	if (x->error)
		html_printf(b, "Refused: %s.", x->error);
	else if (c->has_value)
		html_printf(b, "%.4g to %.4g cycles, %s; %u visits.",
			    c->low_cycles, c->high_cycles, claim_verdict(c),
			    (unsigned)c->visits);
	else
		html_printf(b, "No value: %s (%s).", claim_verdict(c),
			    c->detail);
	html_printf(b, "</p>\n<pre>");
	for (size_t i = x->loop.first; i <= x->loop.last && i < x->program.n;
	     i++)
		html_printf(b, "%s\n",
			    x->program.insns[i].text ? x->program.insns[i].text
						     : "");
	html_printf(b, "</pre>\n<p><code>%s</code></p>\n", x->scored->key);
}

void time_html_blocks(const struct corpus *w, struct buffer *b)
{
	const struct timing_job *j = w->j;
	const struct ranked *list = rank_blocks(w);
	size_t values = 0;
	struct html_page page = {
		.title = arena_printf(w->a, "%s: %zu blocks",
				      j->o->hex ? j->o->hex : j->o->file, w->n)
	};

	for (size_t i = 0; i < w->n; i++)
		values += time_block_value(&w->blocks[i]) > 0;
	html_begin(b, &page);
	html_printf(b,
		    "<p>On %s (%s); %zu with a value. Predicted by %s.</p>\n",
		    j->c.board->name, j->c.board->isa, values,
		    j->model ? j->model_name : "nothing");
	put_scores(w, b);
	put_plot(w, list, b);
	put_rows(w, list, b);
	buffer_printf(b, "<h2>Details</h2>\n");
	for (size_t i = 0; i < w->n; i++)
		put_detail(&list[i], b);
	html_end(b, arena_printf(w->a, "Written by anechoic time %s.",
				 anechoic_version));
}
