/* Kernels and their samples; see show_kernels.h.  Each row is converted to
 * cycles without a filter, so that it shows the input of the solver. */
#include "host/cli/show_kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cli/histogram.h"
#include "host/isa/instance.h"
#include "host/solve/fit.h"
#include "host/solve/silence.h"
#include "host/solve/solve.h"

enum { LINE = 160, N_CHAINS = 2 };

struct kernel_walk {
	const struct catalogue *c;
	const char *form;
	const char *const *labels;
	size_t n_labels;
	/* Operations between the two lengths of each calibration chain, in
	 * one iteration. */
	double chain_ops[N_CHAINS];
	size_t n_chains;
	bool ref;
	struct calibration calibration;
	struct buffer printed; /* uint32_t: the numbers of kernels to print */
};

/* Is the form the main step of this label? */
static bool label_is_of(const char *label, const char *form)
{
	const char *at = strchr(label, ':');
	size_t n = strlen(form);

	if (!at)
		return false;
	at++;
	at += strspn(at, "0123456789");
	if (at[-1] != ':' && *at == 'x')
		at++;
	return strncmp(at, form, n) == 0 &&
	       (at[n] == '\0' || at[n] == '@' || at[n] == '+');
}

static bool is_wanted(const struct kernel_walk *w, const char *label)
{
	for (size_t i = 0; i < w->n_labels; i++)
		if (strcmp(w->labels[i], label) == 0)
			return true;
	return label_is_of(label, w->form);
}

static void print_code(const struct catalogue *c, const struct kernel_row *k)
{
	const unsigned char *code = k->code[0];
	size_t left = k->code_bytes[0];
	size_t shown = 0;

	if (!code) {
		printf("    code: not known (the log's kernels are not those "
		       "this version makes)\n");
		return;
	}
	printf("    code, unrolled %u times:\n", k->unroll[0]);
	while (left > 0) {
		char text[LINE];
		size_t n = instance_text(c, code, left, text, sizeof(text));

		if (n == 0)
			return;
		/* Only the first and the last instructions are printed. */
		if (shown < 12 || left < 24)
			printf("      %s\n", text);
		else if (shown == 12)
			printf("      ...\n");
		code += n;
		left -= n;
		shown++;
	}
}

static double difference(const uint64_t *v, size_t larger, size_t smaller)
{
	return (double)v[larger] - (double)v[smaller];
}

/* Ticks per cycle in one row: 1 on a core clock; on a ref clock from the
 * calibration chains; docs/wire.md has the layout. */
static double ticks_per_cycle(const struct kernel_walk *w,
			      const struct sample *m, const uint64_t *row)
{
	double a, b;

	if (m->row == ROW_CORE)
		return 1;
	if (w->n_chains < N_CHAINS)
		return NAN;
	a = difference(row, 0, 7) /
	    (w->chain_ops[0] * (double)m->calib_iterations[0]);
	b = difference(row, 6, 1) /
	    (w->chain_ops[1] * (double)m->calib_iterations[1]);
	return (a + b) / 2;
}

static void add_points(const struct kernel_walk *w, const struct kernel_row *k,
		       const struct sample *m, struct buffer *points)
{
	size_t first = row_is_ref(m->row) ? ROW_LENGTHS : 0;
	double ops = (double)(k->unroll[2] - k->unroll[0]) * k->ops_per_body *
		     (double)m->n_iterations;

	if (!row_is_core(m->row) && !row_is_ref(m->row))
		return;
	for (uint32_t r = 0; r < m->n_rows; r++) {
		const uint64_t *row = m->values + (size_t)r * m->row;
		struct histogram_point p = {
			.cycles = difference(row, first + 2, first) /
				  (ops * ticks_per_cycle(w, m, row)),
			.visit = m->visit,
		};

		if (isfinite(p.cycles))
			buffer_add(points, &p, sizeof(p));
	}
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

	for (size_t i = 0; i < r->n_samples; i++)
		add_points(w, &r->kernel, &r->samples[i], &points);
	histogram_text(&text, (void *)points.bytes,
		       points.n / sizeof(struct histogram_point));
	if (text.n > 0)
		(void)fwrite(text.bytes, 1, text.n, stdout);
	for (size_t i = 0; i < r->n_samples; i++)
		print_ticks(&r->samples[i]);
	buffer_free(&points);
	buffer_free(&text);
}

/* Calibration chains precede the kernels. */
static void note_chain(struct kernel_walk *w, const struct kernel_row *k)
{
	static const char chain[] = "calibrate:";

	if (w->n_chains < N_CHAINS &&
	    strncmp(k->label, chain, sizeof(chain) - 1) == 0)
		w->chain_ops[w->n_chains++] =
			(double)(k->unroll[2] - k->unroll[0]) * k->ops_per_body;
}

static int on_label(void *context, const struct kernel_result *r, struct err *e)
{
	struct kernel_walk *w = context;

	(void)e;
	note_chain(w, &r->kernel);
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

int show_kernels(struct store *s, int64_t run, const struct catalogue *c,
		 const char *form, const char *const *labels, size_t n_labels,
		 struct err *e)
{
	struct kernel_walk w = {
		.c = c, .form = form, .labels = labels, .n_labels = n_labels
	};
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
