/* How well a core's ports and width explain mixes that the port search drew
 * after it had its model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/site/inner.h"
#include "host/solve/solve.h"

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
	struct site_point p = { .name = NULL };

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

static int by_error(const void *a, const void *b)
{
	const struct site_point *x = a, *y = b;

	return (x->error > y->error) - (x->error < y->error);
}

static void add_fit(struct buffer *b, struct site_point *p, size_t n)
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
	site_add_scatter(b, p, n, "measured cycles", "expected cycles",
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
	    solve_mix_packs(c->store, w.run, w.first, &probe, on_mix, &w, e) ==
		    ERR_OK &&
	    w.points.n > 0)
		add_fit(b, (void *)w.points.bytes,
			w.points.n / sizeof(struct site_point));
	buffer_free(&w.points);
	arena_free(&a);
	return e->code;
}
