/* What the samples of a core's kernels show: medians of the three lengths, the
 * line through them, a histogram of all rows, the code.  No row is filtered, so
 * that it shows the input of the solver. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/site/inner.h"
#include "host/solve/fit.h"
#include "host/solve/solve.h"
#include "host/view/samples.h"

enum { SHOWN = 6 };

struct evidence_walk {
	struct site *s;
	struct site_core *c;
	int64_t run;
	struct calibration calibration;
	/* Kernels to read, ascending; the walk has passed the first `at`. */
	const uint32_t *wanted;
	size_t n_wanted, at;
	struct buffer found;  /* struct site_evidence */
	struct buffer points; /* struct view_point */
	struct buffer text;
};

static int by_double(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* p is sorted. */
static void fill_bins(struct site_evidence *x, const struct view_point *p,
		      size_t n)
{
	struct view_scale scale = view_scale_of(p, n, SITE_BINS - 2);

	x->step = scale.step;
	x->low = scale.low;
	for (size_t i = 0; i < n; i++) {
		double bin = floor((p[i].cycles - x->low) / x->step);

		if (bin < 0)
			x->below++;
		else if (bin >= SITE_BINS)
			x->above++;
		else
			x->bins[(size_t)bin]++;
	}
}

static void fill_line(struct site_evidence *x, const struct view_point *p,
		      size_t n)
{
	double *one = xrealloc(NULL, n, sizeof(*one));
	struct fit fit;

	for (size_t i = 0; i < PACK_LENGTHS; i++) {
		for (size_t k = 0; k < n; k++)
			one[k] = p[k].lengths[i];
		qsort(one, n, sizeof(*one), by_double);
		x->cycles[i] = one[n / 2];
	}
	free(one);
	fit = fit_line(x->cycles, x->unroll);
	x->slope = fit.rise / (fit.run * x->ops_per_body);
	x->residual = fit.residual;
}

static void fill_samples(struct evidence_walk *w, const struct kernel_result *r,
			 struct site_evidence *x)
{
	const struct view_point *list;
	size_t n;

	w->points.n = 0;
	view_points(&w->calibration, r, &w->points);
	list = (void *)w->points.bytes;
	n = w->points.n / sizeof(*list);
	x->n_rows = (uint32_t)n;
	if (n == 0)
		return;
	fill_bins(x, list, n);
	fill_line(x, list, n);
	if (list[n / 2].cycles > 0)
		x->spread = (list[n - 1 - n / 4].cycles - list[n / 4].cycles) /
			    list[n / 2].cycles;
}

static const char *read_code(struct evidence_walk *w,
			     const struct kernel_row *k)
{
	if (!k->code[0])
		return NULL;
	w->text.n = 0;
	view_code(&w->text, w->c->catalogue, k, 0, SHOWN, 0);
	return arena_strdup(&w->s->a, buffer_text(&w->text));
}

static int on_kernel(void *context, const struct kernel_result *r,
		     struct err *e)
{
	struct evidence_walk *w = context;
	const struct kernel_row *k = &r->kernel;
	struct site_evidence x = {
		.run = w->run,
		.kernel = r->index,
		.id = k->id,
		.ops_per_body = k->ops_per_body,
		.n_visits = (uint32_t)r->n_samples,
	};

	while (w->at < w->n_wanted && w->wanted[w->at] < r->index)
		w->at++;
	if (w->at == w->n_wanted || w->wanted[w->at] != r->index)
		return site_check_stop(w->s, e);
	memcpy(x.unroll, k->unroll, sizeof(x.unroll));
	x.label = arena_strdup(&w->s->a, k->label);
	fill_samples(w, r, &x);
	x.code = read_code(w, k);
	if (r->fault)
		x.fault = arena_strdup(&w->s->a, r->fault->cause);
	buffer_add(&w->found, &x, sizeof(x));
	return ERR_OK;
}

/* Is there a page for the claim, with a kernel? */
static bool has_kernel(const struct claim *c, int64_t run)
{
	return c->run == run && *c->label != '\0' && *c->form != '\0' &&
	       !strchr(c->form, '+');
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int walk_run(struct evidence_walk *w, struct err *e)
{
	const struct site_core *c = w->c;
	uint32_t *wanted = ARENA_ARRAY(&w->s->a, uint32_t, c->claims.n + 1);

	w->wanted = wanted;
	w->n_wanted = w->at = 0;
	for (size_t i = 0; i < c->claims.n; i++)
		if (has_kernel(&c->claims.list[i], w->run))
			wanted[w->n_wanted++] = c->claims.list[i].kernel;
	if (w->n_wanted == 0)
		return ERR_OK;
	qsort(wanted, w->n_wanted, sizeof(*wanted), by_number);
	if (solve_calibration(c->store, w->run, &w->calibration, e) != ERR_OK)
		return e->code;
	return store_kernels(c->store, w->run, on_kernel, w, e);
}

int site_read_evidence(struct site *s, struct site_core *c, struct err *e)
{
	struct evidence_walk w = { .s = s, .c = c };

	for (size_t i = 0; c->store && i < c->n_runs && e->code == ERR_OK;
	     i++) {
		w.run = c->runs[i].id;
		(void)walk_run(&w, e);
	}
	c->evidence = buffer_take_list(&s->a, &w.found, sizeof(*c->evidence),
				       &c->n_evidence);
	buffer_free(&w.points);
	buffer_free(&w.text);
	return e->code;
}

static int by_place(const void *a, const void *b)
{
	const struct site_evidence *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

const struct site_evidence *site_find_evidence(const struct site_core *c,
					       int64_t run, uint32_t kernel)
{
	const struct site_evidence key = { .run = run, .kernel = kernel };

	return c->n_evidence ? bsearch(&key, c->evidence, c->n_evidence,
				       sizeof(key), by_place)
			     : NULL;
}
