/* How well a core's model predicts what was measured: mixes that the port
 * search drew after it had its model, and loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/html/html.h"
#include "host/html/svg.h"
#include "host/site/inner.h"
#include "host/solve/solve.h"

/* Expected against measured cycles. */
struct point {
	double measured, expected, error; /* error: relative, at least 0 */
	const char *name;                 /* NULL: none */
};

static int by_error(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return (x->error > y->error) - (x->error < y->error);
}

/* A plot of points whose cycles are all above zero, sorted by error; of many
 * points every second or third is drawn.  Nothing for n == 0. */
static void add_scatter(struct buffer *b, const struct point *p, size_t n,
			const char *x_name, const char *y_name,
			const char *label)
{
	enum { SIZE = 320, MOST = 2000 };
	struct svg_plot plot = { .width = SIZE,
				 .x_name = x_name,
				 .y_name = y_name };
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, fmin(p[i].measured, p[i].expected));
		high = fmax(high, fmax(p[i].measured, p[i].expected));
	}
	if (n == 0)
		return;
	plot.x0 = low / 1.1;
	plot.x1 = high * 1.1;
	svg_begin_square(b, &plot, label);
	for (size_t i = 0; i < n; i += n / MOST + 1) {
		html_printf(b,
			    "<circle class=\"dot\" r=\"2.5\" cx=\"%.4g\" "
			    "cy=\"%.4g\"",
			    svg_x(&plot, p[i].measured),
			    svg_y(&plot, p[i].expected));
		if (p[i].name)
			html_printf(b,
				    "><title>%s: %.4g measured, %.4g expected"
				    "</title></circle>",
				    p[i].name, p[i].measured, p[i].expected);
		else
			html_printf(b, "/>");
	}
	svg_end(b);
}

/* ---- mixes ----------------------------------------------------------------- */

struct fit_walk {
	const struct site_core *c;
	int64_t run; /* newest with a fit */
	uint32_t first;
	bool has_fit;
	struct buffer points;
};

/* Find the newest claim that says where the fit's mixes begin. */
static void find_fit(struct fit_walk *w, const struct view_claims *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct claim *c = &all->list[i];

		if (!claim_is(c, "fit") || !c->has_value || c->run < w->run ||
		    !(c->low_cycles >= 0 && c->low_cycles < UINT32_MAX) ||
		    strcmp(c->board, w->c->board) != 0 ||
		    strcmp(c->isa, w->c->isa) != 0)
			continue;
		w->run = c->run;
		w->first = (uint32_t)c->low_cycles;
		w->has_fit = true;
	}
}

/* Cycles of a mix by the model's ports and width; false if it does not know one
 * of the forms. */
static bool expect(const struct model *m, const struct experiment *x,
		   double *ret)
{
	enum { MAX_USES = 128 };
	struct model_use uses[MAX_USES];
	double slots = 0;
	size_t n = 0;

	for (size_t i = 0; i < x->n_steps; i++) {
		const struct experiment_step *step = &x->steps[i];
		const struct model_form *f = model_find(m, step->form->name);
		double uops = 0;

		if (!f || !f->has_ports || n + f->n_uses > MAX_USES)
			return false;
		for (size_t k = 0; k < f->n_uses; k++) {
			uops += f->uses[k].n_uops;
			uses[n] = f->uses[k];
			uses[n++].n_uops *= step->count;
		}
		if (f->slots.has_value)
			uops = f->slots.low;
		slots += step->count * fmax(1, uops);
	}
	*ret = fmax(model_port_bound(uses, n, NULL), slots / m->width.low);
	return *ret > 0;
}

static int on_mix(void *context, const struct solve_mix *m, struct err *e)
{
	struct err none = { .code = ERR_OK };
	struct fit_walk *w = context;
	struct experiment x;
	struct point p = { .name = NULL };

	(void)e;
	if (!m->has_value || !(m->cycles > 0) ||
	    experiment_parse(w->c->catalogue, m->label, &x, &none) != ERR_OK ||
	    x.kind != EXPERIMENT_MIX || !expect(w->c->model, &x, &p.expected))
		return ERR_OK;
	p.measured = m->cycles;
	p.error = fabs(p.expected - p.measured) / p.measured;
	buffer_add(&w->points, &p, sizeof(p));
	return ERR_OK;
}

static void add_fit(struct buffer *b, struct point *p, size_t n)
{
	double sum = 0;

	qsort(p, n, sizeof(*p), by_error);
	for (size_t i = 0; i < n; i++)
		sum += p[i].error;
	buffer_printf(b,
		      "<h2>Held-out mixes</h2>\n<p>%zu random mixes of forms "
		      "were measured after the search for ports had its "
		      "model, which they did not change. Error of the "
		      "expected cycles: mean %.2f %%, median %.2f %%, 99 %% "
		      "below %.1f %%, worst %.1f %%.</p>\n",
		      n, 100 * sum / (double)n, 100 * p[n / 2].error,
		      100 * p[n - 1 - n / 100].error, 100 * p[n - 1].error);
	add_scatter(b, p, n, "measured cycles", "expected cycles",
		    "Expected against measured cycles of held-out mixes");
}

int site_add_fit(struct buffer *b, const struct site_core *c, struct err *e)
{
	struct solve_probe probe = { .cycles = 0 };
	struct fit_walk w = { .c = c };
	struct arena a = { 0 };
	struct view_claims all;

	if (!c->model || !c->model->width.has_value ||
	    !(c->model->width.low > 0) || !site_choose(c))
		return ERR_OK;
	if (view_read_port_claims(c->store, &a, 0, "", &all, e) == ERR_OK)
		find_fit(&w, &all);
	if (w.has_fit &&
	    solve_mix_packs(c->store,
			    &(struct solve_mixing){ w.run, w.first, &probe,
						    on_mix, &w, false },
			    e) == ERR_OK &&
	    w.points.n > 0)
		add_fit(b, (void *)w.points.bytes,
			w.points.n / sizeof(struct point));
	buffer_free(&w.points);
	arena_free(&a);
	return e->code;
}

/* ---- loops ----------------------------------------------------------------- */

/* Within this relative distance a prediction is close. */
static const double close_by = 0.2;

/* A prediction that is slower by less is not: measurements scatter. */
static const double not_slower = 1.01;

/* The loops that a program predicted; 0 is this one. */
static size_t points_of(const struct site_loops *s, size_t tool,
			struct point *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct site_loop *x = &s->list[i];
		double cycles = tool == 0 ? x->predicted : x->tools[tool - 1];

		if (cycles > 0)
			ret[n++] = (struct point){
				.measured = x->measured,
				.expected = cycles,
				.error = fabs(cycles / x->measured - 1),
				.name = x->name,
			};
	}
	qsort(ret, n, sizeof(*ret), by_error);
	return n;
}

static void add_figures(struct buffer *b, const char *name,
			const struct point *p, size_t n)
{
	size_t n_close = 0, n_not_slower = 0, n_twice = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += p[i].error;
		n_close += p[i].error <= close_by;
		n_not_slower += p[i].expected <= not_slower * p[i].measured;
		n_twice += p[i].expected > 2 * p[i].measured ||
			   2 * p[i].expected < p[i].measured;
	}
	if (n == 0)
		return;
	html_printf(b,
		    "<tr><th scope=\"row\">%s</th><td class=\"n\">%zu</td>"
		    "<td class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td>"
		    "<td class=\"n\">%.0f %%</td><td class=\"n\">%.0f %%</td>"
		    "<td class=\"n\">%zu</td></tr>\n",
		    name, n, 100 * sum / (double)n, 100 * p[n / 2].error,
		    100 * (double)n_close / (double)n,
		    100 * (double)n_not_slower / (double)n, n_twice);
}

static const struct site_loop *find_loop(const struct site_loops *s,
					 const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].name == name)
			return &s->list[i];
	return NULL;
}

/* The loops, the worst first. */
static void add_list(struct buffer *b, const struct site_loops *s,
		     const struct point *p, size_t n)
{
	html_printf(b,
		    "<details><summary>The %zu loops, the worst first"
		    "</summary>",
		    n);
	html_table_begin(b,
			 "Loop|#Measured|#Predicted|#Error|What limits it, as "
			 "predicted",
			 "Cycles of an iteration");
	for (size_t i = n; i-- > 0;)
		html_printf(b,
			    "<tr><th scope=\"row\">%s</th><td class=\"n\">"
			    "%.4g</td><td class=\"n\">%.4g</td><td class="
			    "\"n\">%+.1f %%</td><td>%s</td></tr>\n",
			    p[i].name, p[i].measured, p[i].expected,
			    100 * (p[i].expected / p[i].measured - 1),
			    find_loop(s, p[i].name)->limit);
	html_table_end(b);
	buffer_printf(b, "</details>\n");
}

static void add_set(struct buffer *b, const struct site_loops *s)
{
	struct point *p = xrealloc(NULL, s->n + 1, sizeof(*p));
	size_t n;

	html_printf(b,
		    "<h2>Loops</h2>\n<p>%zu loops of %s were measured on this "
		    "core. None of them was used to make the model.</p>\n",
		    s->n, s->path);
	html_table_begin(b,
			 "Program|#Loops|#Mean|#Median|#Within 20 %|#Not "
			 "slower than measured|#Off by 2 times",
			 "Error of the predicted cycles");
	for (size_t tool = 0; tool <= s->n_tools; tool++) {
		n = points_of(s, tool, p);
		add_figures(b, tool == 0 ? "anechoic" : s->tools[tool - 1], p,
			    n);
	}
	html_table_end(b);
	n = points_of(s, 0, p);
	add_scatter(b, p, n, "measured cycles", "predicted cycles",
		    "Predicted against measured cycles of loops");
	add_list(b, s, p, n);
	free(p);
}

void site_add_loops(struct buffer *b, const struct site_core *c)
{
	for (const struct site_loops *s = c->loops; s; s = s->next)
		add_set(b, s);
}
