/* Find the width of the front end.
 *
 * The fastest form is not enough: a core that fuses no-operations with the
 * instruction before them runs more of them than its width. A rate is accepted
 * if slower forms with different ports reach it together, or if forms of that
 * rate fill up a mix of slower ones slot by slot (filler.c). If no rate is
 * accepted, the width is the rate of the fastest mix.
 *
 * The fastest mix is found greedily: each form that makes it faster joins it,
 * in proportion to its own rate. */
#include <math.h>
#include <string.h>

#include "host/ports/infer.h"

enum {
	PER_KIND = 6, /* forms to try for each rate and kind */
	N_KINDS = 4,
	MAX_RATE = 16,
	MAX_TRIED = N_KINDS * PER_KIND * (MAX_RATE + 1),
	MAX_PLATEAUS = 8,
	ATTEMPTS = 4, /* to find a mix that is fast twice */
	/* Leave room for a filler. */
	MAX_PARTS = PORTS_MAX_PARTS - 2,
};

/* A mix must be this much faster to prove that the front end is wider. */
static const double gain = 1.05;
/* A rate this close to a whole number counts as whole. */
static const double whole_width_tolerance = 0.045;
/* Chosen: how much too fast the fastest of many mixes may be, relative. */
static const double too_fast = 0.08;
/* A form below this fraction of a rate is not limited by the same resource. */
static const double slower_rate = 0.85;

static void set_width(struct infer *in, double rate)
{
	double whole = round(rate);

	in->width =
		fabs(rate / whole - 1) <= whole_width_tolerance ? whole : rate;
	in->cap = (unsigned)floor(in->width + 0.5);
}

static double width_rate_of(const struct infer *in, uint32_t form)
{
	const struct ports_value *v = &in->f[form].alone;

	return v->has_value ? 1 / v->cycles : 0;
}

static bool width_has_rate(const struct infer *in, uint32_t form, unsigned rate,
			   double most)
{
	double r = width_rate_of(in, form);

	return r > 0 && r <= most &&
	       fabs(r / rate - 1) <= whole_width_tolerance;
}

/* Forms that are alike as far as the width is concerned. */
struct width_kind {
	unsigned rate;     /* instances per cycle, whole */
	double most;       /* no form is faster than this */
	bool memory;       /* with or without a memory access */
	unsigned from, to; /* ranks */
};

static bool width_is_of(const struct infer *in, uint32_t form,
			const struct width_kind *k)
{
	const struct ports_form *f = &in->q->forms[form];

	return f->memory == k->memory && f->rank >= k->from &&
	       f->rank <= k->to && width_has_rate(in, form, k->rate, k->most);
}

/* Add forms of a kind: at most PER_KIND, evenly spread, because neighbours are
 * similar. */
static size_t width_pick(const struct infer *in, const struct width_kind *kind,
			 uint32_t *list)
{
	size_t have = 0, seen = 0, n = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < in->q->n_forms; i++) {
			if (!width_is_of(in, i, kind))
				continue;
			if (pass == 0)
				have++;
			else if (seen++ % (have / PER_KIND + 1) == 0)
				list[n++] = i;
		}
	return n;
}

static uint16_t width_best_rank(const struct infer *in,
				const struct width_kind *kind)
{
	uint16_t best = UINT16_MAX;

	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (in->q->forms[i].rank < best && width_is_of(in, i, kind))
			best = in->q->forms[i].rank;
	return best;
}

/* Choose the forms to try: for every whole rate some of the best rank and some
 * others, with and without memory. The front end is the limit only if the forms
 * use different ports. A form that loads and computes competes with forms that
 * compute. */
static size_t width_choose(const struct infer *in, double most, uint32_t *list)
{
	size_t n = 0;

	for (unsigned rate = 1; rate <= MAX_RATE; rate++)
		for (int memory = 0; memory < 2; memory++) {
			struct width_kind kind = { rate, most, memory, 0,
						   UINT16_MAX };
			unsigned best = width_best_rank(in, &kind);

			kind.from = kind.to = best;
			n += width_pick(in, &kind, list + n);
			kind.from = best + 1;
			kind.to = UINT16_MAX;
			n += width_pick(in, &kind, list + n);
		}
	return n;
}

static bool width_is_in(const struct ports_mix *mix, uint32_t form)
{
	for (size_t i = 0; i < mix->n; i++)
		if (mix->part[i].form == form)
			return true;
	return false;
}

/* Instances of a form in proportion to its rate per cycle. */
static uint32_t at_rate(const struct infer *in, uint32_t form)
{
	double n = round(width_rate_of(in, form));

	return n < 1 ? 1 : (uint32_t)n;
}

/* Index of the fastest mix whose rate is confirmed by a second measurement; n:
 * none. A core that decodes some instructions at varying speed may need less
 * time for a long body than for a short one. The slope between the two is then
 * faster than any front end. */
static int fastest_twice(struct infer *in, const struct ports_mix *tried,
			 struct ports_value *values, size_t n, size_t *ret)
{
	for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
		double best = 0;
		struct ports_value v;

		*ret = n;
		for (size_t i = 0; i < n; i++) {
			double r =
				infer_instances(&tried[i]) / values[i].cycles;

			if (!values[i].has_value || r <= best)
				continue;
			best = r;
			*ret = i;
		}
		if (*ret == n)
			return ERR_OK;
		if (infer_measure(in, PORTS_SINGLES, &tried[*ret], 1, &v) !=
		    ERR_OK)
			return in->e->code;
		if (v.has_value &&
		    v.cycles < values[*ret].cycles * (1 + infer_equal_rates)) {
			/* The fastest of many is fast by chance, too. */
			values[*ret].cycles =
				fmax(values[*ret].cycles, v.cycles);
			return ERR_OK;
		}
		values[*ret].has_value = false;
	}
	*ret = n;
	return ERR_OK;
}

/* Add one form to the mix and update *rate if that is faster. Forms that do not
 * make it faster leave the list, because they will not later either. */
static int width_grow(struct infer *in, uint32_t *list, size_t *n_list,
		      struct ports_mix *mix, double *rate)
{
	const size_t n = *n_list;
	const double least = *rate;
	struct ports_mix *tried = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, n + 1);
	struct ports_mix start = *mix;
	size_t n_tried = 0, best;

	for (size_t i = 0; i < n; i++) {
		if (width_is_in(mix, list[i]))
			continue;
		tried[n_tried] = start;
		infer_add(&tried[n_tried++], list[i], at_rate(in, list[i]));
	}
	if (infer_measure(in, PORTS_SINGLES, tried, n_tried, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n_tried; i++)
		values[i].has_value &=
			infer_instances(&tried[i]) > least * values[i].cycles;
	if (fastest_twice(in, tried, values, n_tried, &best) != ERR_OK)
		return in->e->code;
	*n_list = 0;
	for (size_t i = 0; i < n_tried; i++) {
		if (!values[i].has_value)
			continue;
		list[(*n_list)++] = tried[i].part[start.n].form;
	}
	if (best < n_tried) {
		*rate = infer_instances(&tried[best]) / values[best].cycles;
		*mix = tried[best];
	}
	return ERR_OK;
}

static size_t leave_out(uint32_t *list, size_t n, int32_t form)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if ((int32_t)list[i] != form)
			list[kept++] = list[i];
	return kept;
}

/* Find the fastest mix of forms with a rate of at most `most`, without the form
 * `without` (PORTS_NONE: all); *ret_rate is 0 when there are none. */
static int fastest_mix(struct infer *in, double most, int32_t without,
		       struct ports_mix *ret, double *ret_rate)
{
	uint32_t list[MAX_TRIED];
	size_t n = leave_out(list, width_choose(in, most, list), without);
	double before = 0;

	*ret = (struct ports_mix){ .n = 0 };
	*ret_rate = 0;
	for (size_t i = 0; i < n; i++)
		if (width_rate_of(in, list[i]) >
		    *ret_rate * (1 + whole_width_tolerance)) {
			*ret_rate = width_rate_of(in, list[i]);
			ret->n = 0;
			infer_add(ret, list[i], at_rate(in, list[i]));
		}
	while (*ret_rate > before * gain && ret->n < MAX_PARTS) {
		before = *ret_rate;
		if (width_grow(in, list, &n, ret, ret_rate) != ERR_OK)
			return in->e->code;
	}
	return ERR_OK;
}

/* List the distinct rates, fastest first. A rate of a single form is kept,
 * because that form may be the only filler. */
static size_t width_plateaus(const struct infer *in, double *ret)
{
	double below = HUGE_VAL;
	size_t n = 0;

	while (n < MAX_PLATEAUS) {
		double best = 0;

		for (uint32_t i = 0; i < in->q->n_forms; i++) {
			double r = width_rate_of(in, i);

			if (r > best && r < below)
				best = r;
		}
		if (best == 0)
			break;
		ret[n++] = best;
		below = best * (1 - infer_equal_rates);
	}
	return n;
}

/* How fast is the best mix of forms slower than this rate? */
static int width_reach(struct infer *in, double rate, int32_t without,
		       double *ret_reached)
{
	if (fastest_mix(in, rate * slower_rate, without, &in->base,
			ret_reached) != ERR_OK)
		return in->e->code;
	in->base_cycles =
		in->base.n > 0 ? infer_instances(&in->base) / *ret_reached : 0;
	return ERR_OK;
}

/* Find the fastest rate that slower forms reach together; 0: none. *ret_most:
 * the rate of the fastest mix. */
static int reached_rate(struct infer *in, const double *rates, size_t n,
			double *ret_rate, double *ret_most)
{
	*ret_rate = *ret_most = 0;
	for (size_t i = 0; i < n; i++) {
		struct ports_mix mix;
		double best, together;

		if (fastest_mix(in, rates[i] * (1 + infer_equal_rates),
				PORTS_NONE, &mix, &best) != ERR_OK)
			return in->e->code;
		*ret_most = fmax(*ret_most, best);
		/* A mix of forms of this rate is faster still, so the front end
		 * limits neither these forms nor slower ones. */
		if (best > rates[i] * gain)
			return ERR_OK;
		if (width_reach(in, rates[i], PORTS_NONE, &together) != ERR_OK)
			return in->e->code;
		/* Slower forms are faster together: something else limits the
		 * forms of this rate, such as a move that takes ports only in
		 * mixes. */
		if (together > rates[i] * gain)
			return ERR_OK;
		/* No-operations may be a little slower than the front end. */
		if (in->base.n > 0 &&
		    together >= rates[i] * (1 - infer_equal_rates)) {
			*ret_rate = fmax(best, fmax(rates[i], together));
			return ERR_OK;
		}
	}
	return ERR_OK;
}

/* If no form fills up a base of one form that no other makes faster, that form
 * may be slower in mixes than alone: try the fastest mix without it. */
static int fill_another(struct infer *in, double rate)
{
	double together;

	if (in->filler != PORTS_NONE || in->base.n != 1)
		return ERR_OK;
	if (width_reach(in, rate, (int32_t)in->base.part[0].form, &together) !=
	    ERR_OK)
		return in->e->code;
	return in->base.n > 0 ? infer_filler(in, rate) : ERR_OK;
}

/* Find the fastest rate whose forms fill up a mix; 0: none. */
static int filled_rate(struct infer *in, const double *rates, size_t n,
		       double *ret_rate)
{
	double most = 0;

	*ret_rate = 0;
	for (size_t i = 0; i < n; i++) {
		double together;

		if (width_reach(in, rates[i], PORTS_NONE, &together) != ERR_OK)
			return in->e->code;
		/* Slower forms are faster together, so neither this rate nor
		 * any lower one is that of the front end. */
		most = fmax(most, together);
		if (most > rates[i] * gain)
			return ERR_OK;
		if (infer_filler(in, rates[i]) != ERR_OK ||
		    fill_another(in, rates[i]) != ERR_OK)
			return in->e->code;
		if (in->filler != PORTS_NONE) {
			*ret_rate = rates[i];
			return ERR_OK;
		}
	}
	return ERR_OK;
}

/* A base with an unstable form has no filler, so the base is found again. */
static int find_filler(struct infer *in)
{
	enum { BASES = 3 };
	double together;

	for (int i = 0; i < BASES; i++) {
		if (infer_filler(in, in->width) != ERR_OK ||
		    in->filler != PORTS_NONE)
			return in->e->code;
		if (width_reach(in, in->width, PORTS_NONE, &together) != ERR_OK)
			return in->e->code;
	}
	return ERR_OK;
}

/* Does a form alone show that the front end is wider than PORTS_NARROW_WIDTH,
 * although no mix does?  A form that is fused with its neighbours is at least
 * twice as fast as the front end. */
static bool is_wider(double fastest)
{
	return fastest > PORTS_NARROW_WIDTH * gain &&
	       fastest < 2 * PORTS_NARROW_WIDTH * (1 - infer_equal_rates);
}

/* The forms that were tried may lack one with ports of its own.  Before a front
 * end is taken for a narrow one, each form that is no faster joins the fastest
 * mix: one that is faster proves that it is wider. */
static int try_all(struct infer *in, double *most)
{
	uint32_t *list = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms);
	const double limit = PORTS_NARROW_WIDTH * gain;
	struct ports_mix mix;
	double rate;
	size_t n = 0;

	if (fastest_mix(in, limit, PORTS_NONE, &mix, &rate) != ERR_OK)
		return in->e->code;
	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (width_rate_of(in, i) > 0 && width_rate_of(in, i) <= limit &&
		    infer_may_join(in, &mix, i))
			list[n++] = i;
	if (rate > 0 && width_grow(in, list, &n, &mix, &rate) != ERR_OK)
		return in->e->code;
	*most = fmax(*most, rate);
	return ERR_OK;
}

static int find_width(struct infer *in)
{
	double rates[MAX_PLATEAUS], reached, filled = 0, most, together;
	size_t n = width_plateaus(in, rates);

	if (n == 0)
		return err_set(in->e, ERR_FAILED,
			       "ports: none of the forms could be measured; "
			       "if other programs were running, try again "
			       "when the machine is idle");
	if (reached_rate(in, rates, n, &reached, &most) != ERR_OK)
		return in->e->code;
	/* With a width of one or two, fusion and grouping look like a larger
	 * width, and pairing rules look like slots. */
	if (most <= PORTS_NARROW_WIDTH * gain && !is_wider(rates[0]) &&
	    try_all(in, &most) != ERR_OK)
		return in->e->code;
	if (most <= PORTS_NARROW_WIDTH * gain && !is_wider(rates[0])) {
		in->filler = PORTS_NONE;
		set_width(in, most);
		return ERR_OK;
	}
	if (is_wider(rates[0]))
		most = fmax(most, rates[0]);
	if (reached == 0 && filled_rate(in, rates, n, &filled) != ERR_OK)
		return in->e->code;
	set_width(in, reached > 0 ? reached : filled > 0 ? filled : most);
	if (filled > 0)
		return ERR_OK;
	/* The base is that of the last rate that was tried. */
	if (reached == 0 &&
	    width_reach(in, in->width, PORTS_NONE, &together) != ERR_OK)
		return in->e->code;
	return find_filler(in);
}

/* The fastest mix may be measured too fast.  If forms fill up a mix at the whole rate
 * below it, that is the width. */
static int fill_whole(struct infer *in)
{
	double whole = floor(in->width), together;

	if (in->filler != PORTS_NONE || in->cap <= PORTS_NARROW_WIDTH ||
	    in->width > whole * (1 + too_fast))
		return ERR_OK;
	if (width_reach(in, whole, PORTS_NONE, &together) != ERR_OK ||
	    infer_filler(in, whole) != ERR_OK)
		return in->e->code;
	if (in->filler != PORTS_NONE)
		set_width(in, whole);
	return ERR_OK;
}

int infer_width(struct infer *in)
{
	if (find_width(in) != ERR_OK || fill_whole(in) != ERR_OK)
		return in->e->code;
	if (in->filler != PORTS_NONE)
		in->width = in->filled_width;
	return ERR_OK;
}
