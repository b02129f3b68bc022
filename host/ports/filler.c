/* Find a filler: a form that takes one slot of the front end and no port that
 * shows.
 *
 * A high rate is not enough: a no-operation that is fused with the instruction
 * before it takes no slot. A filler adds up. When the front end is the limit, a
 * mix of D slots and k fillers takes (D + k) / W cycles, with the same whole D
 * for several consecutive k.  A few k may agree by chance where the front end
 * has no constant width, so a filler is confirmed with more. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/infer.h"

enum {
	TRIED = 8, /* forms, those of the best rank first */
	COUNTS = 4,
	CONFIRM = 12, /* counts of a filler that is accepted */
	OTHERS = 16,  /* forms that it is tried with then */
	MOST_OF = 3,
	ONE_FAILS_OF = 4, /* at most one of so many takes no whole slots */
};

/* The front end allows only rates within this distance of whole slots. */
static const double whole_rate = 0.015;
/* The front end must be this much slower than the ports, to hide them. */
static const double margin = 1.15;
/* Tolerances of D, lower and upper limit; a fused pair changes D by one. */
static const double least_off = 0.3, most_off = 0.6;
/* A front end that runs 5.88 of 6 fillers in a cycle (seen on a Zen 3) differs from
 * a whole rate by more than `little` and by so many standard errors, and by no more
 * than most_lost, which is what a rate may differ from a whole one (width.c). */
static const double little = 0.01, errors = 3, most_lost = 0.045;

struct filler_candidate {
	uint32_t form;
	uint16_t rank;
};

static int filler_compare(const void *a, const void *b)
{
	const struct filler_candidate *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

static bool is_whole(const struct ports_value *v, double rate)
{
	double off = fmax(whole_rate, infer_tolerance(v));

	return fabs(rate / round(rate) - 1) <= off;
}

static size_t filler_candidates(const struct infer *in, double rate,
				struct filler_candidate *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		const struct ports_value *v = &in->f[i].alone;
		double limit = fmax(infer_equal_rates, infer_tolerance(v));

		if (v->has_value && fabs(v->cycles * rate - 1) <= limit &&
		    is_whole(v, rate))
			list[n++] = (struct filler_candidate){
				i, in->q->forms[i].rank
			};
	}
	qsort(list, n, sizeof(*list), filler_compare);
	return n < TRIED ? n : TRIED;
}

/* The smallest number of fillers with which the front end is the limit. */
static uint32_t first_count(const struct infer *in, double rate)
{
	double n = ceil(in->base_cycles * rate * margin -
			infer_instances(&in->base));

	return n < 2 ? 2 : (uint32_t)n;
}

/* v[i] is the base with `first` + i fillers, i < n.  A disturbance makes a value
 * larger, so MOST_OF of MOST_OF + 1 values must be close to the least. */
static bool adds_up(const struct infer *in, double rate, uint32_t first,
		    const struct ports_value *v, uint32_t n)
{
	double low = HUGE_VAL, off = least_off;
	uint32_t n_values = 0, n_close = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!v[i].has_value)
			continue;
		n_values++;
		low = fmin(low, v[i].cycles * rate - (first + i));
		off = fmax(off, v[i].cycles * rate * infer_tolerance(&v[i]));
	}
	off = fmin(off, most_off);
	for (uint32_t i = 0; i < n; i++)
		n_close += v[i].has_value &&
			   v[i].cycles * rate - (first + i) <= low + off;
	/* The base cannot take this many slots in its time alone. */
	if (low > in->base_cycles * rate + most_off)
		return false;
	return (MOST_OF + 1) * n_values >= MOST_OF * n &&
	       (MOST_OF + 1) * n_close >= MOST_OF * n_values;
}

static void add_counts(const struct infer *in, uint32_t form, uint32_t first,
		       uint32_t n, struct ports_mix *mixes)
{
	for (uint32_t i = 0; i < n; i++) {
		mixes[i] = in->base;
		infer_add(&mixes[i], form, first + i);
	}
}

/* Other forms that a filler is tried with, evenly spread over the list. */
static size_t list_others(const struct infer *in, uint32_t filler,
			  uint32_t ret[OTHERS])
{
	size_t n = 0, seen = 0, all = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < in->q->n_forms; i++) {
			const struct form_state *f = &in->f[i];

			if (i == filler || !infer_in_batch(in, i) ||
			    !f->alone.has_value || f->alone.cycles > 1.1 ||
			    in->q->forms[i].n_breakers > 0 ||
			    !infer_may_mix(in, i, filler))
				continue;
			if (pass == 0)
				all++;
			else if (n < OTHERS && seen++ % (all / OTHERS + 1) == 0)
				ret[n++] = i;
		}
	return n;
}

/* Do other forms take whole slots, too?  Three instances of each are measured
 * with enough fillers to make the front end the limit; one value in ONE_FAILS_OF
 * may be no multiple of three.  Where the front end has no constant width, one
 * base may add up by chance. */
static int adds_up_elsewhere(struct infer *in, double rate, uint32_t form,
			     bool *ret)
{
	enum { TIMES = 3 };
	uint32_t others[OTHERS];
	size_t n = list_others(in, form, others), n_values = 0, n_whole = 0;
	struct ports_mix mixes[OTHERS] = { { .n = 0 } };
	struct ports_value values[OTHERS];

	for (size_t i = 0; i < n; i++) {
		double cycles = TIMES * in->f[others[i]].alone.cycles;

		infer_add(&mixes[i], others[i], TIMES);
		infer_add(&mixes[i], form,
			  2 + (uint32_t)ceil(margin * margin * cycles * rate));
	}
	if (infer_measure(in, PORTS_SINGLES, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		double slots = values[i].cycles * rate - mixes[i].part[1].count;
		double off =
			values[i].cycles * rate * infer_tolerance(&values[i]);

		if (!values[i].has_value)
			continue;
		n_values++;
		n_whole += fabs(slots - TIMES * round(slots / TIMES)) <=
			   fmin(fmax(off, least_off), most_off);
	}
	*ret = ONE_FAILS_OF * (n_values - n_whole) <= n_values;
	return ERR_OK;
}

/* Fillers that start in a cycle, by what each of the values takes more than the
 * one before it (a line of least squares): a front end may lose a little in all
 * of them.  It is `rate` if that is within its error, or if a value is missing. */
static double rate_of_counts(const struct ports_value v[CONFIRM], double rate)
{
	const double middle = (CONFIRM - 1) / 2.0;
	double slope = 0, error = 0, squares = 0;

	for (int i = 0; i < CONFIRM; i++) {
		double x = i - middle;

		if (!v[i].has_value)
			return rate;
		slope += x * v[i].cycles;
		error += pow(x * v[i].cycles * v[i].sigma, 2);
		squares += x * x;
	}
	slope /= squares;
	error = sqrt(error) / squares;
	return fabs(slope - 1 / rate) <= fmax(errors * error, little / rate)
		       ? rate
		       : 1 / slope;
}

static int confirm(struct infer *in, double rate, uint32_t first, uint32_t form)
{
	struct ports_mix mixes[CONFIRM];
	struct ports_value values[CONFIRM];
	bool elsewhere = false;
	double own;

	add_counts(in, form, first, CONFIRM, mixes);
	if (infer_measure(in, PORTS_SINGLES, mixes, CONFIRM, values) != ERR_OK)
		return in->e->code;
	own = rate_of_counts(values, rate);
	if (fabs(own / rate - 1) > most_lost ||
	    !adds_up(in, own, first, values, CONFIRM))
		return ERR_OK;
	if (adds_up_elsewhere(in, own, form, &elsewhere) != ERR_OK)
		return in->e->code;
	if (elsewhere) {
		in->filler = (int32_t)form;
		in->filled_width = own;
	}
	return ERR_OK;
}

int infer_filler(struct infer *in, double rate)
{
	struct filler_candidate *list =
		ARENA_ARRAY(in->a, struct filler_candidate, in->q->n_forms);
	size_t n = filler_candidates(in, rate, list);
	uint32_t first = first_count(in, rate);
	struct ports_mix mixes[TRIED * COUNTS];
	struct ports_value values[TRIED * COUNTS];

	in->filler = PORTS_NONE;
	for (size_t i = 0; i < n; i++)
		add_counts(in, list[i].form, first, COUNTS, &mixes[i * COUNTS]);
	/* Without a base to fill up, the form is accepted as it is. */
	if (in->base.n == 0) {
		in->filler = n > 0 ? (int32_t)list[0].form : PORTS_NONE;
		in->filled_width = rate;
		return ERR_OK;
	}
	if (infer_measure(in, PORTS_SINGLES, mixes, n * COUNTS, values) !=
	    ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n && in->filler == PORTS_NONE; i++)
		if (adds_up(in, rate, first, &values[i * COUNTS], COUNTS) &&
		    confirm(in, rate, first, list[i].form) != ERR_OK)
			return in->e->code;
	return ERR_OK;
}
