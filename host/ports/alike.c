/* Forms of later batches that are like forms of the first one.
 *
 * Before the second batch, the forms of all are asked whether known uses explain
 * them: those of forms that are the same in published tables.  That takes their
 * slots, four or more saturation kernels and random mixes, but no class and no
 * unit.  A form that is like none of them is asked with its batch. */
#include <math.h>

#include "host/ports/question.h"

/* Chosen: while this share of a batch's forms is like others, asking costs less than
 * it saves. */
static const double least_alike = 0.5;
/* Errors of a value are this many times its sigma. */
static const double of_sigma = 4.5;

/* The throughput that other kernels measured is the time alone. */
static bool take_throughput(const struct ports_form *x, struct form_state *f)
{
	double cycles = (x->throughput.low + x->throughput.high) / 2;

	if (!x->throughput.has_value || cycles <= 0)
		return false;
	f->alone = (struct ports_value){
		.has_value = true,
		.cycles = cycles,
		.sigma = (x->throughput.high - cycles) / cycles / of_sigma,
	};
	return true;
}

/* Mark the forms of the batch that may be like others.  The breakers of a form are
 * not in its throughput. */
static int set_alone(struct infer *in)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_forms);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, in->q->n_forms);
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		const struct ports_form *x = &in->q->forms[i];

		if (x->batch != in->batch || x->n_breakers > 0 ||
		    !published_is_found(in, x->published))
			continue;
		in->f[i].alike = true;
		if (!take_throughput(x, &in->f[i]))
			infer_add(&mixes[n++], i, 1);
	}
	if (infer_measure(in, PORTS_SINGLES, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++)
		in->f[mixes[i].part[0].form].alone = values[i];
	return ERR_OK;
}

/* As if it had not been asked. */
static void leave(struct infer *in, uint32_t form)
{
	struct form_state *f = &in->f[form];

	f->alike = false;
	f->alone = (struct ports_value){ .has_value = false };
	f->slots = 0;
	f->slots_low = 1;
	f->slots_high = HUGE_VAL;
	f->lost = false;
	f->n_uses = 0;
	f->n_checks = 0;
	f->class_id = PORTS_NONE;
	f->verdict = in->answers[form].verdict = PORTS_UNFINISHED;
	in->answers[form].n_uses = 0;
	in->answers[form].class_id = PORTS_NONE;
	in->answers[form].how = "";
}

/* Only forms that may be like others are asked. */
static void choose_forms(struct infer *in)
{
	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		uint32_t like[PUBLISHED_MOST];

		if (!infer_in_batch(in, i))
			continue;
		if (!in->f[i].alone.has_value || in->f[i].lost ||
		    published_list(in, i, like) == 0)
			leave(in, i);
	}
}

int infer_ask_alike(struct infer *in)
{
	struct saturation w = { .in = in };

	if (set_alone(in) != ERR_OK)
		return in->e->code;
	choose_forms(in);
	if (infer_slots(in) != ERR_OK)
		return in->e->code;
	choose_forms(in);
	saturation_begin(&w);
	return question_ask(&w, true);
}

bool infer_keep_alike(struct infer *in)
{
	size_t n = infer_n_in_batch(in);

	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (infer_in_batch(in, i) && in->answers[i].verdict != PORTS_OK)
			leave(in, i);
	return (double)infer_n_in_batch(in) >= least_alike * (double)n;
}
