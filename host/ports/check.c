/* The fit: random mixes of all forms, drawn when the model is done. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/infer.h"

enum {
	MAX_FIT_PARTS = 5,
	/* A form is listed when so many of its mixes are off, and most are. */
	LEAST_OFF = 3,
};

static const double off = 0.10;

bool ports_expect(const struct ports_answer *w, const struct ports_mix *mix,
		  double *ret_cycles)
{
	struct model_use uses[PORTS_MAX_PARTS * PORTS_MAX_USES];
	double slots = 0, bound;
	size_t n = 0;

	for (size_t i = 0; i < mix->n; i++) {
		const struct ports_answer_form *f =
			&w->forms[mix->part[i].form];
		double uops = 0, count = mix->part[i].count;

		if (f->verdict == PORTS_NO_VALUE ||
		    f->verdict == PORTS_UNFINISHED)
			return false;
		for (size_t k = 0; k < f->n_uses; k++) {
			uops += f->uses[k].n_uops;
			uses[n] = f->uses[k];
			uses[n++].n_uops *= count;
		}
		if (f->slots.has_value &&
		    (f->slots.low == f->slots.high || f->slots.low > uops))
			uops = f->slots.low;
		slots += count * fmax(1, uops);
	}
	bound = model_port_bound(uses, n, NULL);
	*ret_cycles = fmax(bound, slots / w->width.low);
	return true;
}

static bool is_drawn(const struct ports_answer_form *f)
{
	return f->verdict == PORTS_OK || f->verdict == PORTS_UNSURE;
}

static struct ports_mix draw(struct infer *in, const uint32_t *forms, size_t n)
{
	struct ports_mix mix = { .n = 0 };
	size_t want =
		2 + (size_t)(infer_random(in) * (double)(MAX_FIT_PARTS - 1));

	for (size_t tries = 0; tries < 64 && mix.n < want; tries++) {
		uint32_t form = forms[(size_t)(infer_random(in) * (double)n)];
		bool there = false;

		for (size_t k = 0; k < mix.n; k++)
			there |= mix.part[k].form == form;
		if (!there)
			infer_add(&mix, form, 1);
	}
	return mix;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static struct ports_errors summary(double *errors, size_t n)
{
	struct ports_errors s = { .n = n };

	if (n == 0)
		return s;
	qsort(errors, n, sizeof(*errors), compare);
	for (size_t i = 0; i < n; i++)
		s.mean += errors[i] / (double)n;
	s.median = errors[n / 2];
	s.p99 = errors[n - 1 - n / 100];
	s.worst = errors[n - 1];
	return s;
}

static void judge(struct infer *in, const struct ports_mix *mixes,
		  const struct ports_value *values, size_t n)
{
	unsigned *n_off = ARENA_ARRAY(in->a, unsigned, in->q->n_forms);
	unsigned *n_all = ARENA_ARRAY(in->a, unsigned, in->q->n_forms);
	double *errors = ARENA_ARRAY(in->a, double, n + 1);
	size_t n_errors = 0;

	for (size_t i = 0; i < n; i++) {
		double expected, error;

		if (!values[i].has_value ||
		    !ports_expect(in->w, &mixes[i], &expected))
			continue;
		error = fabs(expected / values[i].cycles - 1);
		errors[n_errors++] = error;
		for (size_t k = 0; k < mixes[i].n; k++) {
			n_all[mixes[i].part[k].form]++;
			n_off[mixes[i].part[k].form] += error > off;
		}
		if (error > off)
			infer_conflict(in, &mixes[i], values[i].cycles,
				       expected);
	}
	in->w->fit = summary(errors, n_errors);
	for (size_t i = 0; i < in->q->n_forms; i++)
		if (n_off[i] >= LEAST_OFF && 2 * n_off[i] > n_all[i])
			in->answers[i].verdict = PORTS_MISFIT;
}

int infer_fit(struct infer *in)
{
	size_t n = in->q->n_fit, n_forms = 0;
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	uint32_t *forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms);

	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (is_drawn(&in->w->forms[i]))
			forms[n_forms++] = i;
	if (n_forms < 2)
		return ERR_OK;
	for (size_t i = 0; i < n; i++)
		mixes[i] = draw(in, forms, n_forms);
	if (infer_measure(in, PORTS_FIT, mixes, n, values) != ERR_OK)
		return in->e->code;
	judge(in, mixes, values, n);
	return ERR_OK;
}
