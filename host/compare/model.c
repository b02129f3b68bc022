/* See model.h. */
#include "host/compare/model.h"
#include "host/experiment/experiment.h"
#include "host/isa/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
	const struct catalogue *c;
	const struct model *ours, *theirs;
	double tolerance;
	struct compare_models *ret;
};

static void span_text(const struct model_span *s, char text[80])
{
	if (s->low == s->high)
		(void)snprintf(text, 80, "%g", s->low);
	else
		(void)snprintf(text, 80, "%g..%g", s->low, s->high);
}

static void add_difference(const struct comparison *w, enum compare_kind kind,
			   const struct compare_model_difference *d)
{
	struct compare_model_difference copy = *d;

	copy.place = w->ret->differences[kind].n / sizeof(copy);
	buffer_add(&w->ret->differences[kind], &copy, sizeof(copy));
}

static void judge_span(const struct comparison *w, enum compare_kind kind,
		       const char *form, const char *what, struct model_span x,
		       struct model_span y)
{
	double room = w->tolerance * fmax(x.high, y.high);
	bool exact = x.high - x.low <= room && y.high - y.low <= room;
	enum compare_result r = COMPARE_DIFFERS;
	struct compare_model_difference d = { .form = form };

	if (!x.has_value || !y.has_value)
		return;
	if (x.low <= y.high + room && y.low <= x.high + room)
		r = exact ? COMPARE_AGREES : COMPARE_INSIDE;
	w->ret->counts.n[kind][r]++;
	if (r != COMPARE_DIFFERS)
		return;
	(void)snprintf(d.what, sizeof(d.what), "%s", what);
	span_text(&x, d.ours);
	span_text(&y, d.theirs);
	d.cycles = fmax(x.low, y.low) - fmin(x.high, y.high);
	d.relative = d.cycles / fmax(x.high, y.high);
	add_difference(w, kind, &d);
}

static void judge_latencies(const struct comparison *w,
			    const struct model_form *x,
			    const struct model_form *y)
{
	const struct form *f = catalogue_form(w->c, x->name);

	for (int i = 0; i < f->n_operands; i++)
		for (int k = 0; k < f->n_operands; k++) {
			char source[20], destination[20], what[48];

			if (!f->operands[i].read || !f->operands[k].write)
				continue;
			operand_name(w->c, f, i, source, sizeof(source));
			operand_name(w->c, f, k, destination,
				     sizeof(destination));
			(void)snprintf(what, sizeof(what), "%s>%s", source,
				       destination);
			judge_span(w, COMPARE_LATENCY, x->name, what,
				   model_latency(x, i, k),
				   model_latency(y, i, k));
		}
}

static bool is_pseudo(const struct model *m, model_ports set)
{
	for (size_t i = 0; i < m->n_ports; i++)
		if ((set >> i & 1) != 0 && !m->ports[i].pseudo)
			return false;
	return true;
}

/* Cycles on sets of each size. */
static void count_cycles(const struct model *m, const struct model_form *f,
			 double cycles[MODEL_MAX_PORTS + 1], char text[80])
{
	size_t n = 0;

	memset(cycles, 0, (MODEL_MAX_PORTS + 1) * sizeof(*cycles));
	for (size_t i = 0; i < f->n_uses; i++)
		if (!is_pseudo(m, f->uses[i].ports))
			cycles[model_ports_count(f->uses[i].ports)] +=
				f->uses[i].n_uops * f->uses[i].cycles;
	(void)snprintf(text, 80, "none");
	for (size_t i = 1; i <= MODEL_MAX_PORTS && n < 60; i++)
		if (cycles[i] > 0)
			n += (size_t)snprintf(text + n, 80 - n, "%s%g on %zu",
					      n > 0 ? " + " : "", cycles[i], i);
}

static void judge_ports(const struct comparison *w, const struct model_form *x,
			const struct model_form *y)
{
	double ours[MODEL_MAX_PORTS + 1], theirs[MODEL_MAX_PORTS + 1];
	struct compare_model_difference d = { .form = x->name };
	bool same = true;
	double all = 0;

	if (!x->has_ports || !y->has_ports)
		return;
	count_cycles(w->ours, x, ours, d.ours);
	count_cycles(w->theirs, y, theirs, d.theirs);
	for (size_t i = 0; i <= MODEL_MAX_PORTS; i++) {
		same = same && fabs(ours[i] - theirs[i]) <=
				       w->tolerance * fmax(ours[i], theirs[i]);
		d.cycles += fabs(ours[i] - theirs[i]);
		all += fmax(ours[i], theirs[i]);
	}
	d.relative = all > 0 ? d.cycles / all : 0;
	w->ret->counts
		.n[COMPARE_PORTS][same ? COMPARE_AGREES : COMPARE_DIFFERS]++;
	if (!same)
		add_difference(w, COMPARE_PORTS, &d);
}

static int by_size(const void *a, const void *b)
{
	const struct compare_model_difference *x = a, *y = b;

	if (x->relative != y->relative)
		return x->relative > y->relative ? -1 : 1;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static void sort(struct buffer *list)
{
	size_t n = list->n / sizeof(struct compare_model_difference);

	if (n > 0)
		qsort(list->bytes, n, sizeof(struct compare_model_difference),
		      by_size);
}

void compare_models(const struct catalogue *c, const struct model *ours,
		    const struct model *theirs, double tolerance,
		    struct compare_models *ret)
{
	const struct comparison w = { .c = c,
				      .ours = ours,
				      .theirs = theirs,
				      .tolerance = tolerance,
				      .ret = ret };

	*ret = (struct compare_models){ .n_common = 0 };
	for (size_t i = 0; i < ours->n_forms; i++) {
		const struct model_form *x = &ours->forms[i];
		const struct model_form *y = model_find(theirs, x->name);

		if (!y)
			continue;
		ret->n_common++;
		judge_latencies(&w, x, y);
		judge_span(&w, COMPARE_THROUGHPUT, x->name, "", x->throughput,
			   y->throughput);
		judge_span(&w, COMPARE_SLOTS, x->name, "", x->slots, y->slots);
		judge_ports(&w, x, y);
	}
	for (size_t k = 0; k < COMPARE_N_KINDS; k++)
		sort(&ret->differences[k]);
}

void compare_models_free(struct compare_models *w)
{
	for (size_t k = 0; k < COMPARE_N_KINDS; k++)
		buffer_free(&w->differences[k]);
}
