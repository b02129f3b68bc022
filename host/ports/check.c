/* Random mixes of all forms. Trial mixes find the forms that the model does not
 * fit; the mixes of the fit then measure the error of all others. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/published.h"

enum {
	/* A form is rejected when at least LEAST_OFF of its mixes are wrong,
	 * and most of them are. */
	LEAST_OFF = 3,
	/* Trial mixes of each form, and how many of them must be wrong. */
	TRIALS = 4,
	LEAST_OFF_TRIAL = 2,
	LEAST_AS_EXPECTED = 3,
	LEAST_PUBLISHED = 2,
	MOST_OFF = 3, /* one of this many mixes */
	/* A form is in doubt when so many of its mixes are a little wrong. */
	LEAST_IN_DOUBT = 2,
};

static const double off = 0.10;
/* Chosen: a mix within this is as the model says. */
static const double as_expected = 0.05;
/* Wrong by more than this and than noise explains, in standard errors. */
static const double a_little = 0.01, of_noise = 4.5;

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
		    f->verdict == PORTS_UNFINISHED ||
		    f->verdict == PORTS_CLOSES)
			return false;
		for (size_t k = 0; k < f->n_uses; k++) {
			uops += f->uses[k].n_uops;
			uses[n] = f->uses[k];
			uses[n++].n_uops *= count;
		}
		/* Two uops may share a slot. */
		if (f->slots.has_value &&
		    (w->uneven || f->slots.low == f->slots.high ||
		     f->slots.low > uops))
			uops = f->slots.low;
		slots += count * fmax(1, uops);
	}
	bound = model_port_bound(uses, n, NULL);
	*ret_cycles = fmax(bound, slots / w->width.low);
	return true;
}

static int check_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static struct ports_errors check_summary(double *errors, size_t n)
{
	struct ports_errors s = { .n = n };

	if (n == 0)
		return s;
	qsort(errors, n, sizeof(*errors), check_compare);
	for (size_t i = 0; i < n; i++)
		s.mean += errors[i] / (double)n;
	s.median = errors[n / 2];
	s.p99 = errors[n - 1 - n / 100];
	s.worst = errors[n - 1];
	return s;
}

struct check_trial {
	size_t n;
	struct ports_mix *mixes;
	struct ports_value *values;
	/* Relative; negative: faster than measured; NAN: none. */
	double *errors;
};

/* Measure mixes that are slower than expected in other orders. */
static int try_orders(struct infer *in, enum ports_phase phase,
		      struct check_trial *t)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, t->n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, t->n + 1);
	size_t *of = ARENA_ARRAY(in->a, size_t, t->n + 1), n = 0;
	double uneven = in->filler == PORTS_NONE ? infer_uneven : 0;

	for (size_t i = 0; i < t->n; i++) {
		double least = fmax(a_little, of_noise * t->values[i].sigma);

		if (isnan(t->errors[i]) ||
		    (1 + t->errors[i]) * (1 + uneven) > 1 - least)
			continue;
		mixes[n] = t->mixes[i];
		values[n] = t->values[i];
		of[n++] = i;
	}
	if (infer_measure_orders(in, phase, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		t->errors[of[i]] = (1 + t->errors[of[i]]) *
					   t->values[of[i]].cycles /
					   values[i].cycles -
				   1;
		t->values[of[i]] = values[i];
	}
	return ERR_OK;
}

static int try_mixes(struct infer *in, enum ports_phase phase,
		     struct check_trial *t)
{
	t->values = ARENA_ARRAY(in->a, struct ports_value, t->n + 1);
	t->errors = ARENA_ARRAY(in->a, double, t->n + 1);
	if (infer_measure(in, phase, t->mixes, t->n, t->values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < t->n; i++) {
		double expected;

		t->errors[i] = NAN;
		if (t->values[i].has_value &&
		    ports_expect(in->w, &t->mixes[i], &expected))
			t->errors[i] = expected / t->values[i].cycles - 1;
	}
	return try_orders(in, phase, t);
}

/* ---- forms that the model does not fit ------------------------------- */

struct off_count {
	unsigned n_all, n_off;
};

/* Wrong by more than `most`, or, if it is 0, by more than a little.
 * `slower`: a mix may be slower than the model by this share for a reason that
 * is none of its forms. */
static bool is_off(const struct check_trial *t, size_t i, double most,
		   double slower)
{
	if (most == 0)
		most = fmax(a_little, of_noise * t->values[i].sigma);
	return t->errors[i] > most ||
	       (1 + t->errors[i]) * (1 + slower) < 1 - most;
}

/* What a front end without a constant width may take more. */
static double slower_of(const struct infer *in)
{
	return in->filler == PORTS_NONE ? infer_uneven : in->slowdown;
}

static void count_off(const struct infer *in, const struct check_trial *t,
		      double most, double slower, struct off_count *n)
{
	for (size_t i = 0; i < in->q->n_forms; i++)
		n[i] = (struct off_count){ 0, 0 };
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->mixes[i].n; k++) {
			struct off_count *c = &n[t->mixes[i].part[k].form];

			if (isnan(t->errors[i]))
				continue;
			c->n_all++;
			c->n_off += is_off(t, i, most, slower);
		}
}

/* The form with the largest share of wrong mixes, among forms with at least
 * `least` of them and more than one in `most`; PORTS_NONE: none. */
static int32_t worst_form(const struct infer *in, const struct off_count *n,
			  unsigned least, unsigned most)
{
	int32_t worst = PORTS_NONE;

	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (n[i].n_off >= least && most * n[i].n_off > n[i].n_all &&
		    (worst == PORTS_NONE ||
		     n[i].n_off * n[worst].n_all > n[worst].n_off * n[i].n_all))
			worst = (int32_t)i;
	return worst;
}

/* The mixes of this form no longer count. */
static void leave_out(struct check_trial *t, uint32_t form)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->mixes[i].n; k++)
			if (t->mixes[i].part[k].form == form)
				t->errors[i] = NAN;
}

/* Reject the worst form first, and no longer count its mixes against the other
 * forms in them. */
static void leave_misfits(struct infer *in, struct check_trial *t,
			  unsigned least, unsigned most)
{
	struct off_count *n =
		ARENA_ARRAY(in->a, struct off_count, in->q->n_forms);
	int32_t worst;

	count_off(in, t, off, slower_of(in), n);
	while ((worst = worst_form(in, n, least, most)) != PORTS_NONE) {
		in->answers[worst].verdict = PORTS_MISFIT;
		leave_out(t, (uint32_t)worst);
		count_off(in, t, off, slower_of(in), n);
	}
}

/* Mark forms as open if LEAST_IN_DOUBT or more of their mixes are off by more
 * than a_little and noise, the largest share first.  Mixes with a form that is
 * open do not count. */
static void open_doubtful(struct infer *in, struct check_trial *t)
{
	enum { ANY_SHARE = 1000 };
	struct off_count *n =
		ARENA_ARRAY(in->a, struct off_count, in->q->n_forms);
	int32_t worst;

	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (in->answers[i].verdict == PORTS_OPEN)
			leave_out(t, i);
	count_off(in, t, 0, slower_of(in), n);
	while ((worst = worst_form(in, n, LEAST_IN_DOUBT, ANY_SHARE)) !=
	       PORTS_NONE) {
		in->answers[worst].verdict = PORTS_OPEN;
		in->answers[worst].how = arena_printf(
			in->a,
			"%s; but %u of %u random mixes with it take more than "
			"1 %% longer or shorter than the model says",
			in->answers[worst].how, n[worst].n_off, n[worst].n_all);
		leave_out(t, (uint32_t)worst);
		count_off(in, t, 0, slower_of(in), n);
	}
}

/* A form of which some kernels showed more than its uops take: the core did not
 * share its ports well there, or a uop is missing.  Mixes that are as the model
 * says decide for the former. */
static void settle_slower(struct infer *in, const struct check_trial *t)
{
	struct off_count *n =
		ARENA_ARRAY(in->a, struct off_count, in->q->n_forms);

	count_off(in, t, as_expected, 0, n);
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct ports_answer_form *w = &in->answers[i];

		if (!infer_in_batch(in, i) || !in->f[i].slower ||
		    w->verdict != PORTS_OPEN || n[i].n_off > 0 ||
		    n[i].n_all < LEAST_AS_EXPECTED)
			continue;
		w->verdict = PORTS_OK;
		w->how = arena_printf(in->a,
				      "%s, but all %u random mixes with it "
				      "are within 5 %% of what its ports say",
				      w->how, n[i].n_all);
	}
}

/* A form with the uses of another one that is the same in published tables, and
 * fewer kernels that agree than are enough: mixes that are as the model says count,
 * too. */
static void settle_published(struct infer *in, const struct check_trial *t)
{
	struct off_count *n =
		ARENA_ARRAY(in->a, struct off_count, in->q->n_forms);

	count_off(in, t, as_expected, slower_of(in), n);
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct ports_answer_form *w = &in->answers[i];
		unsigned checks = w->n_checks + n[i].n_all;

		if (!infer_in_batch(in, i) || w->n_checks == 0 ||
		    w->verdict != PORTS_OPEN || n[i].n_off > 0 ||
		    n[i].n_all < LEAST_PUBLISHED || checks < PUBLISHED_CHECKS)
			continue;
		w->verdict = PORTS_OK;
		w->how = arena_printf(in->a, "%s and %u random mixes", w->how,
				      n[i].n_all);
		w->n_checks = checks;
	}
}

int infer_trial(struct infer *in)
{
	struct check_trial t = { .n = 0 };

	t.mixes = infer_draw_trial(in, TRIALS, &t.n);
	if (try_mixes(in, PORTS_TRIAL, &t) != ERR_OK)
		return in->e->code;
	leave_misfits(in, &t, LEAST_OFF_TRIAL, MOST_OFF);
	settle_slower(in, &t);
	settle_published(in, &t);
	return ERR_OK;
}

/* ---- the fit ------------------------------------------------------------- */

/* Note how many mixes of the fit are wrong by more than 10 %, if these are more
 * than 1 % of all.  The model was made from none of them. */
static void note_residual(struct infer *in, const struct check_trial *t,
			  size_t n_judged)
{
	enum { LEAST_PERCENT = 1, ANY_SHARE = 1000 };
	struct off_count *n =
		ARENA_ARRAY(in->a, struct off_count, in->q->n_forms);
	size_t slower = 0, faster = 0;
	int32_t worst;

	for (size_t i = 0; i < t->n; i++) {
		slower += t->errors[i] < -off;
		faster += t->errors[i] > off;
	}
	count_off(in, t, off, 0, n);
	worst = worst_form(in, n, 1, ANY_SHARE);
	if (worst == PORTS_NONE ||
	    100 * (slower + faster) <= LEAST_PERCENT * n_judged)
		return;
	infer_note(in,
		   arena_printf(in->a,
				"Ports do not explain %zu of %zu random mixes: "
				"the model is over 10 %% below the measured "
				"time of %zu and over 10 %% above that of %zu. "
				"%s has the largest share of such mixes among "
				"its own.",
				slower + faster, n_judged, slower, faster,
				in->q->forms[worst].name));
}

static bool has_left(const struct infer *in, const struct ports_mix *mix)
{
	for (size_t k = 0; k < mix->n; k++)
		if (in->answers[mix->part[k].form].verdict == PORTS_LEFT)
			return true;
	return false;
}

static void drop_left(const struct infer *in, struct check_trial *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (has_left(in, &t->mixes[i]))
			t->errors[i] = NAN;
}

/* Every other mix helps to say which forms are left to tables.  The error of what is
 * kept is that of the rest, of mixes without such forms.  Then all mixes leave more:
 * what is kept in the end is no worse than that error says. */
static void judge_halves(struct infer *in, struct check_trial *t)
{
	double *errors = ARENA_ARRAY(in->a, double, t->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		errors[i] = i % 2 == 0 ? t->errors[i] : NAN;
	infer_leave_unconfirmed(in, t->mixes, errors, t->n);
	drop_left(in, t);
	for (size_t i = 1; i < t->n; i += 2)
		if (!isnan(t->errors[i]))
			errors[n++] = fabs(t->errors[i]);
	in->w->kept_fit = check_summary(errors, n);
	infer_leave_unconfirmed(in, t->mixes, t->errors, t->n);
}

static void check_judge(struct infer *in, struct check_trial *t)
{
	double *errors = ARENA_ARRAY(in->a, double, t->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		double measured = t->values[i].cycles;

		if (isnan(t->errors[i]))
			continue;
		errors[n++] = fabs(t->errors[i]);
		if (fabs(t->errors[i]) > off)
			infer_conflict(in, &t->mixes[i], measured,
				       measured * (1 + t->errors[i]));
	}
	in->w->fit = check_summary(errors, n);
	note_residual(in, t, n);
	judge_halves(in, t);
	leave_misfits(in, t, LEAST_OFF, 2);
	open_doubtful(in, t);
}

int infer_fit(struct infer *in)
{
	struct check_trial t = { .n = in->q->n_fit };

	t.mixes = infer_draw_fit(in, &t.n);
	if (try_mixes(in, PORTS_FIT, &t) != ERR_OK)
		return in->e->code;
	check_judge(in, &t);
	return ERR_OK;
}
