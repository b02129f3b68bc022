/* What the samples of a core's kernels show: medians of the three lengths, the
 * line through them, a histogram of all rows, the code.  No row is filtered, so
 * that it shows the input of the solver. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/scale.h"
#include "host/isa/instance.h"
#include "host/site/inner.h"
#include "host/solve/fit.h"
#include "host/solve/sandwich.h"
#include "host/solve/solve.h"

enum { LINE = 160, SHOWN = 6 };

/* Bins are at least this share of the value wide: narrower ones show noise. */
static const double finest = 0.0005;
static const double least = 1e-9;

struct point {
	double cycles;                /* per op */
	double lengths[PACK_LENGTHS]; /* cycles of an iteration */
};

struct evidence_walk {
	struct site *s;
	struct site_core *c;
	int64_t run;
	struct calibration calibration;
	/* Kernels to read, ascending; the walk has passed the first `at`. */
	const uint32_t *wanted;
	size_t n_wanted, at;
	struct buffer found;  /* struct site_evidence */
	struct buffer points; /* struct point */
	struct buffer text;
};

static int by_double(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int by_cycles(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return by_double(&x->cycles, &y->cycles);
}

/* One row in cycles; false if its ticks per cycle are not known. */
static bool read_row(const struct evidence_walk *w, const struct kernel_row *k,
		     const struct sample *m, size_t row, struct point *ret)
{
	const uint64_t *v = m->values + row * m->row;
	double n = (double)m->n_iterations;
	struct sandwich_row r;

	if (m->row == ROW_CORE) {
		r.tpc = 1;
		for (size_t i = 0; i < PACK_LENGTHS; i++)
			r.lengths[i] = (double)v[i];
	} else if (!w->calibration.usable || !sandwich_ok(m) ||
		   !sandwich_read(&w->calibration, m, row, &r) ||
		   !(r.tpc > 0)) {
		return false;
	}
	for (size_t i = 0; i < PACK_LENGTHS; i++)
		ret->lengths[i] = r.lengths[i] / (n * r.tpc);
	ret->cycles = (ret->lengths[PACK_LENGTHS - 1] - ret->lengths[0]) /
		      ((double)(k->unroll[PACK_LENGTHS - 1] - k->unroll[0]) *
		       k->ops_per_body);
	return isfinite(ret->cycles);
}

/* The scale covers nine of ten rows; p is sorted. */
static void fill_bins(struct site_evidence *x, const struct point *p, size_t n)
{
	double low = p[n / 20].cycles, high = p[n - 1 - n / 20].cycles;
	double step = fmax(finest * fmax(fabs(low), fabs(high)), least);

	x->step = scale_step(fmax((high - low) / (SITE_BINS - 2), step));
	x->low = floor(low / x->step) * x->step;
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

static void fill_line(struct site_evidence *x, const struct point *p, size_t n)
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
	struct point p, *list;
	size_t n;

	w->points.n = 0;
	if (!fit_possible(r->kernel.unroll) || r->kernel.ops_per_body == 0)
		return;
	for (size_t i = 0; i < r->n_samples; i++) {
		const struct sample *m = &r->samples[i];

		if (m->n_iterations == 0)
			continue;
		for (uint32_t k = 0; k < m->n_rows; k++)
			if (read_row(w, &r->kernel, m, k, &p))
				buffer_add(&w->points, &p, sizeof(p));
	}
	list = (void *)w->points.bytes;
	n = w->points.n / sizeof(p);
	x->n_rows = (uint32_t)n;
	if (n == 0)
		return;
	qsort(list, n, sizeof(p), by_cycles);
	fill_bins(x, list, n);
	fill_line(x, list, n);
	if (list[n / 2].cycles > 0)
		x->spread = (list[n - 1 - n / 4].cycles - list[n / 4].cycles) /
			    list[n / 2].cycles;
}

static const char *read_code(struct evidence_walk *w,
			     const struct kernel_row *k)
{
	const unsigned char *code = k->code[0];
	size_t left = code ? k->code_bytes[0] : 0;

	w->text.n = 0;
	for (size_t shown = 0; left > 0; shown++) {
		char text[LINE];
		size_t n = shown < SHOWN
				   ? instance_text(w->c->catalogue, code, left,
						   text, sizeof(text))
				   : 0;

		if (n == 0) {
			buffer_printf(&w->text, "...");
			break;
		}
		buffer_printf(&w->text, "%s\n", text);
		code += n;
		left -= n;
	}
	buffer_add(&w->text, "", 1);
	return code ? arena_strdup(&w->s->a, (const char *)w->text.bytes)
		    : NULL;
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
	uint32_t *wanted = ARENA_ARRAY(&w->s->a, uint32_t, c->n_claims + 1);

	w->wanted = wanted;
	w->n_wanted = w->at = 0;
	for (size_t i = 0; i < c->n_claims; i++)
		if (has_kernel(&c->claims[i], w->run))
			wanted[w->n_wanted++] = c->claims[i].kernel;
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
	if (e->code == ERR_OK && w.found.n > 0) {
		c->evidence = arena_copy(&s->a, w.found.bytes, w.found.n);
		c->n_evidence = w.found.n / sizeof(*c->evidence);
	}
	buffer_free(&w.found);
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
