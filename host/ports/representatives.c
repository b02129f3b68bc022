/* Choose each class's representative.
 *
 * A saturation kernel that nearly fills the front end must not compete for
 * anything but ports, such as register read ports or decoder bandwidth.
 * Example: four CMP32rr per cycle leave no register read port for a load on an
 * Ice Lake. A load shares no port with them, but it costs two thirds of a cycle
 * of such a kernel; with CMP32ri8 it costs nothing. Interference makes a mix
 * slower, so the representative is the form with which other forms cost the
 * least. */
#include <math.h>

#include "host/ports/classes.h"

enum {
	SAMPLE = 8,     /* other forms, with and without a memory access each */
	SATURATING = 4, /* cycles of a kernel */
	MOST_TRIED = 16, /* candidates */
	TRIED = 4,       /* candidates per part of the list */
	N_LENGTHS = 2,   /* kernel lengths in which they are tried */
	LEAST_APART =
		4, /* forms of other sides that show a front end's limit */
};

/* Limit for the other forms: longer ones hide their effect on the kernel. */
static const double longest = 1.1;

/* As long as the longest saturation kernels; and how much slower an instance
 * may be in them. */
static const uint32_t lengths[N_LENGTHS] = { 88, 128 };
static const double steady = 0.03;

/* Share of a uop of the class that a form on other ports costs, at most. */
static const double free_share = 0.5;

static bool may_sample(const struct infer *in, uint32_t form, int32_t apart)
{
	return apart == PORTS_NONE ||
	       (in->q->forms[form].side != in->q->forms[apart].side &&
		infer_may_mix(in, form, (uint32_t)apart));
}

/* Choose forms with or without a memory access, evenly spread.  apart: only of
 * other sides than this form, so hardly any has a uop on its ports; PORTS_NONE:
 * of all. */
static size_t representatives_sample(const struct infer *in, bool memory,
				     int32_t apart, uint32_t *ret)
{
	size_t all = 0, seen = 0, n = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < in->q->n_forms; i++) {
			const struct form_state *f = &in->f[i];

			if (in->q->forms[i].memory != memory ||
			    in->q->forms[i].n_breakers > 0 || f->wide ||
			    !f->alone.has_value || f->alone.cycles > longest ||
			    !may_sample(in, i, apart))
				continue;
			if (pass == 0)
				all++;
			else if (n < SAMPLE &&
				 seen++ % ((all + SAMPLE - 1) / SAMPLE) == 0)
				ret[n++] = i;
		}
	return n;
}

/* Add what the k-th other form costs each kernel beyond the cheapest one.
 * Ignores forms without a value for all kernels. */
static void add_more(const struct ports_value *values, size_t n,
		     size_t n_others, size_t k, double *more)
{
	double least = HUGE_VAL;

	for (size_t i = 0; i < n; i++) {
		const struct ports_value *v = &values[i * n_others + k];

		least = fmin(least, v->has_value ? v->cycles : 0);
	}
	for (size_t i = 0; least > 0 && i < n; i++)
		more[i] += fmax(0, values[i * n_others + k].cycles / least - 1 -
					   infer_equal_times);
}

/* Of these forms of `size` ports each, the index of the one that costs other
 * forms least; 0 when there is no clear difference. */
static int cheapest_of(struct infer *in, const uint32_t *forms, size_t n,
		       unsigned size, size_t *ret)
{
	uint32_t others[2 * SAMPLE];
	size_t n_others = representatives_sample(in, true, PORTS_NONE, others);
	struct ports_mix mixes[MOST_TRIED * 2 * SAMPLE] = { 0 };
	struct ports_value values[MOST_TRIED * 2 * SAMPLE];
	double more[MOST_TRIED] = { 0 };

	n_others += representatives_sample(in, false, PORTS_NONE,
					   others + n_others);
	*ret = 0;
	n = n < MOST_TRIED ? n : MOST_TRIED;
	for (size_t i = 0; i < n * n_others; i++) {
		infer_add(&mixes[i], forms[i / n_others], SATURATING * size);
		infer_add(&mixes[i], others[i % n_others], 1);
	}
	if (infer_measure(in, PORTS_MERGE, mixes, n * n_others, values) !=
	    ERR_OK)
		return in->e->code;
	for (size_t k = 0; k < n_others; k++)
		add_more(values, n, n_others, k, more);
	for (size_t i = 1; i < n; i++)
		if (more[i] < more[0] - infer_equal_times &&
		    more[i] < more[*ret])
			*ret = i;
	return ERR_OK;
}

/* Is the form slower in long kernels than in short ones? Some cores decode
 * certain instructions slowly and keep only a limited number of them
 * decoded. */
enum pace { PACE_UNKNOWN, PACE_STEADY, PACE_SLOWER };

static enum pace pace_of(const struct infer *in, uint32_t form,
			 const struct ports_value *v)
{
	enum pace pace = PACE_STEADY;

	for (size_t k = 0; k < N_LENGTHS; k++)
		if (!v[k].has_value)
			pace = PACE_UNKNOWN;
		else if (v[k].cycles >
			 (1 + steady) * lengths[k] * in->f[form].alone.cycles)
			return PACE_SLOWER;
	return pace;
}

/* Choose open candidates of the first one's size: the next ones, and as many
 * from the rest of the list, where other kinds of instructions are. */
static size_t representatives_candidates(const struct infer *in,
					 const struct class_list *l,
					 size_t first, size_t *chosen)
{
	size_t end = first, n = 0;

	while (end < l->n && l->c[end].size == l->c[first].size)
		end++;
	for (size_t i = first; i < end && n < TRIED; i++)
		if (classes_is_open(in, &l->c[i]))
			chosen[n++] = i;
	for (size_t k = 1; k <= TRIED && n == TRIED + k - 1; k++)
		for (size_t i = chosen[n - 1] + 1 +
				(end - chosen[n - 1]) / (2 * TRIED);
		     i < end && n < TRIED + k; i++)
			if (classes_is_open(in, &l->c[i]))
				chosen[n++] = i;
	return n;
}

/* Is it the front end that limits the form?  Then a kernel of it has no room for
 * others either: most forms cost it time, those on other ports, too.  Seen on a
 * Zen 5: of moves that the renamer executes, seven start in a cycle, and look like
 * uops on seven ports. */
static int leave_limited(struct infer *in, struct class_candidate *c)
{
	struct ports_mix mixes[SAMPLE + 1] = { 0 };
	struct ports_value values[SAMPLE + 1];
	uint32_t others[SAMPLE];
	size_t n = representatives_sample(in, false, (int32_t)c->form, others);
	size_t n_values = 0, n_free = 0;
	double cycles = in->f[c->form].alone.cycles * SATURATING * c->size;

	if (c->size <= infer_nearly_full * in->width)
		return ERR_OK;
	/* The last one is the kernel itself, measured with the others. */
	for (size_t i = 0; i <= n; i++) {
		infer_add(&mixes[i], c->form, SATURATING * c->size);
		if (i < n)
			infer_add(&mixes[i], others[i], 1);
	}
	if (infer_measure(in, PORTS_MERGE, mixes, n + 1, values) != ERR_OK)
		return in->e->code;
	/* Else what it takes by the form's own rate. */
	if (values[n].has_value)
		cycles = values[n].cycles;
	for (size_t i = 0; i < n; i++) {
		double more = values[i].cycles - cycles;

		n_values += values[i].has_value;
		n_free += values[i].has_value && more * c->size < free_share;
	}
	c->left |= n_values >= LEAST_APART && 2 * n_free < n_values;
	return ERR_OK;
}

/* The class is saturated with its representative from here on. A candidate with
 * a steady rate takes the first one's place. Forms that are slower in long
 * kernels cannot represent a class. */
int representatives_choose(struct infer *in, struct class_list *l, size_t first)
{
	struct ports_mix mixes[2 * TRIED * N_LENGTHS] = { 0 };
	struct ports_value values[2 * TRIED * N_LENGTHS];
	size_t chosen[2 * TRIED],
		n = representatives_candidates(in, l, first, chosen),
		n_steady = 0;
	unsigned size = l->c[first].size;
	uint32_t steady_ones[2 * TRIED];
	struct class_candidate swap;
	size_t best = 0;

	for (size_t i = 0; i < n * N_LENGTHS; i++)
		infer_add(&mixes[i], l->c[chosen[i / N_LENGTHS]].form,
			  lengths[i % N_LENGTHS]);
	if (infer_measure(in, PORTS_MERGE, mixes, n * N_LENGTHS, values) !=
	    ERR_OK)
		return in->e->code;
	l->c[first].left |=
		pace_of(in, l->c[first].form, values) == PACE_SLOWER;
	for (size_t i = 0; i < n; i++)
		if (pace_of(in, l->c[chosen[i]].form, &values[i * N_LENGTHS]) ==
		    PACE_STEADY) {
			chosen[n_steady] = chosen[i];
			steady_ones[n_steady++] = l->c[chosen[i]].form;
		}
	if (n_steady == 0)
		return ERR_OK;
	l->c[first].left = false;
	/* Where the front end has no constant width, any kernel may compete. */
	if (n_steady > 1 &&
	    (in->filler == PORTS_NONE ? size > 1
				      : size > infer_nearly_full * in->width) &&
	    cheapest_of(in, steady_ones, n_steady, size, &best) != ERR_OK)
		return in->e->code;
	swap = l->c[chosen[best]];
	l->c[chosen[best]] = l->c[first];
	l->c[first] = swap;
	return leave_limited(in, &l->c[first]);
}

bool classes_is_open(const struct infer *in, const struct class_candidate *c)
{
	const struct form_state *f = &in->f[c->form];

	return !c->left && f->blocks_ports == 0 && f->class_id == PORTS_NONE;
}
