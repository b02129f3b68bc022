/* How well a core's model predicts loops that were measured on it: figures of
 * each program, a plot, and a table of the loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/html/html.h"
#include "host/site/inner.h"

/* Within this relative distance a prediction is close. */
static const double close_by = 0.2;

/* A prediction that is slower by less is not: measurements scatter. */
static const double not_slower = 1.01;

static int by_error(const void *a, const void *b)
{
	const struct site_point *x = a, *y = b;

	return (x->error > y->error) - (x->error < y->error);
}

/* The loops that a program predicted; 0 is this one. */
static size_t points_of(const struct site_loops *s, size_t tool,
			struct site_point *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct site_loop *x = &s->list[i];
		double cycles = tool == 0 ? x->predicted : x->tools[tool - 1];

		if (cycles > 0)
			ret[n++] = (struct site_point){
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
			const struct site_point *p, size_t n)
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
		     const struct site_point *p, size_t n)
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
	struct site_point *p = xrealloc(NULL, s->n + 1, sizeof(*p));
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
	site_add_scatter(b, p, n, "measured cycles", "predicted cycles",
			 "Predicted against measured cycles of loops");
	add_list(b, s, p, n);
	free(p);
}

void site_add_loops(struct buffer *b, const struct site_core *c)
{
	for (const struct site_loops *s = c->loops; s; s = s->next)
		add_set(b, s);
}
