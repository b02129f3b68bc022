/* Kernels and their samples; see show.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/show.h"
#include "host/experiment/label.h"
#include "host/solve/fit.h"
#include "host/solve/solve.h"
#include "host/view/samples.h"

struct kernel_walk {
	const struct catalogue *c;
	const char *form;
	const struct view_claims *claims;
	bool ref;
	struct calibration calibration;
	struct buffer printed; /* uint32_t: the numbers of kernels to print */
};

/* Is the form the main step of this label? */
static bool label_is_of(const char *label, const char *form)
{
	struct arena a = { 0 };
	struct label l;
	bool is = label_split(&a, label, &l) &&
		  strcmp(label_first_form(&a, &l), form) == 0;

	arena_free(&a);
	return is;
}

static bool is_wanted(const struct kernel_walk *w, const char *label)
{
	for (size_t i = 0; i < w->claims->n; i++)
		if (strcmp(w->claims->list[i].label, label) == 0)
			return true;
	return label_is_of(label, w->form);
}

static void print_buffer(struct buffer *b)
{
	(void)fwrite(b->bytes, 1, b->n, stdout);
	buffer_free(b);
}

static void print_code(const struct catalogue *c, const struct kernel_row *k)
{
	/* Of own code its frame is at the begin. */
	enum { INDENT = 6, FIRST = 12, FIRST_OF_CODE = 100, LAST_BYTES = 24 };
	bool own = strncmp(k->label, "code:", strlen("code:")) == 0;
	struct buffer b = { 0 };

	if (!k->code[0]) {
		printf("    code: not known (the log's kernels are not those "
		       "this version makes)\n");
		return;
	}
	printf("    code, unrolled %u times:\n", k->unroll[0]);
	view_code(&b, c, k, INDENT, own ? FIRST_OF_CODE : FIRST, LAST_BYTES);
	print_buffer(&b);
}

static void print_ticks(const struct sample *m)
{
	printf("    visit %u: %" PRIu64 " iterations, %u rows of ticks, the "
	       "first:\n     ",
	       m->visit, m->n_iterations, m->n_rows);
	for (uint32_t i = 0; i < m->row && m->n_rows > 0; i++)
		printf(" %" PRIu64, m->values[i]);
	for (uint32_t i = 0; m->retired && i < m->row && m->n_rows > 0; i++)
		printf("%s%" PRIu64, i ? " " : "; instructions ",
		       m->retired[i]);
	(void)putchar('\n');
}

static void add_silence_ref(struct silence *s, const struct shape *k,
			    const struct calibration *c,
			    const struct kernel_result *r)
{
	struct visit *visits;

	if (!fit_possible(k->unroll) || k->ops_per_body == 0)
		return;
	visits = xrealloc(NULL, r->n_samples + 1, sizeof(*visits));
	silence_add_ref(s, visits,
			visits_read(k, c, r->samples, r->n_samples, visits));
	free(visits);
}

static void print_silence(const struct kernel_walk *w,
			  const struct kernel_result *r)
{
	enum { TEXT = 240 };
	const struct kernel_row *k = &r->kernel;
	struct silence s = { .n_rows = 0 };
	struct shape shape = { .ops_per_body = k->ops_per_body,
			       .class = (uint8_t)k->class };
	char text[TEXT];

	memcpy(shape.unroll, k->unroll, sizeof(shape.unroll));
	if (w->ref)
		add_silence_ref(&s, &shape, &w->calibration, r);
	else
		silence_add(&s, k, r->samples, r->n_samples);
	if (s.n_rows == 0)
		return;
	silence_text(&s, text, sizeof(text));
	printf("    silence: %s; spread ", text);
	if (w->ref)
		printf("%.2g %%\n", 100 * s.spread);
	else
		printf("%" PRIu64 " cycles\n", s.spread_cycles);
}

static void print_samples(const struct kernel_walk *w,
			  const struct kernel_result *r)
{
	struct buffer points = { 0 };
	struct buffer text = { 0 };

	view_points(&w->calibration, r, &points);
	view_histogram(&text, (void *)points.bytes,
		       points.n / sizeof(struct view_point));
	print_buffer(&text);
	for (size_t i = 0; i < r->n_samples; i++)
		print_ticks(&r->samples[i]);
	buffer_free(&points);
}

static int on_label(void *context, const struct kernel_result *r, struct err *e)
{
	struct kernel_walk *w = context;

	(void)e;
	if (is_wanted(w, r->kernel.label))
		buffer_add(&w->printed, &r->index, sizeof(r->index));
	return ERR_OK;
}

static int on_kernel(void *context, const struct kernel_result *r,
		     struct err *e)
{
	struct kernel_walk *w = context;
	const struct kernel_row *k = &r->kernel;

	(void)e;
	printf("\n  %s\n    kernel %u, id 0x%016" PRIx64 ", lengths %u %u %u\n",
	       k->label, r->index, k->id, k->unroll[0], k->unroll[1],
	       k->unroll[2]);
	print_code(w->c, k);
	print_samples(w, r);
	print_silence(w, r);
	if (r->fault)
		printf("    fault: %s, code %" PRIu64 ", pc 0x%" PRIx64
		       ", address 0x%" PRIx64 "\n",
		       r->fault->cause, r->fault->code, r->fault->pc,
		       r->fault->address);
	return ERR_OK;
}

int show_kernels(struct store *s, const struct catalogue *c, const char *form,
		 const struct view_claims *claims, struct err *e)
{
	const int64_t run = claims->list->run;
	struct kernel_walk w = { .c = c, .form = form, .claims = claims };
	const struct store_part names = { .labels_only = true };
	const uint32_t *list;
	size_t n;

	if (solve_calibration(s, run, &w.calibration, e) != ERR_OK)
		return e->code;
	w.ref = w.calibration.kernels[PACK_CALIB_CHAIN_A].ops_per_body > 0;
	/* A run has many kernels, of which few are this form's: their samples
	 * and code alone are read. */
	(void)store_kernels_of(s, run, &names, on_label, &w, e);
	list = (const void *)w.printed.bytes;
	n = w.printed.n / sizeof(*list);
	for (size_t i = 0; i < n && e->code == ERR_OK; i++) {
		const struct store_part part = { .first = list[i],
						 .end = list[i] + 1,
						 .code = true };

		(void)store_kernels_of(s, run, &part, on_kernel, &w, e);
	}
	buffer_free(&w.printed);
	return e->code;
}
