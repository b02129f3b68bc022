/* Classes: forms of one uop that use the same ports.
 *
 * A form of one slot whose rate is a whole number k below the width has k
 * ports, and two of the same k share them just when both together are no
 * faster.
 *
 * Two kinds of forms look like that and are not.  A uop that holds each of m k
 * ports for m cycles has the rate k too: beside a class of m k ports it takes
 * all of them, as no uop on fewer ports does.  And an access to memory may
 * share its slot with another uop: it is tried beside the classes of forms
 * without one, and only what does not slow them down is one uop. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/infer.h"

enum {
	MAX_HELD = 4,  /* cycles of a uop that starts again after so many */
	FLOODED = 3,   /* cycles of a flood that shows more than one uop */
	TRIED = 4,     /* candidates for who stands for a class, twice, ... */
	N_LENGTHS = 2, /* ... in so many kernels */
};

/* A rate this close to a whole number is it, ... */
static const double close = 0.03;
/* ... and no wider than this where the clock is noisy. */
static const double widest = 0.06;

/* Of places that a form takes of a flood: one uop, and clearly not two. */
static const double more_than_one = 1.55;
/* Of the width: a class of so many ports nearly fills the front end. */
static const double nearly_all = 0.7;
/* Kernels as long as the longest floods, and how much slower an instance may be
 * in them. */
static const uint32_t lengths[N_LENGTHS] = { 88, 128 };
static const double steady = 0.03;

static unsigned ports_of_rate(const struct infer *in,
			      const struct form_state *f)
{
	double rate = 1 / f->alone.cycles, whole = round(rate);
	double limit = fmin(widest, fmax(close, infer_tolerance(&f->alone)));

	if (whole < 1 || whole >= in->cap || fabs(rate / whole - 1) > limit)
		return 0;
	return (unsigned)whole;
}

struct candidate {
	uint32_t form;
	unsigned size;
	uint8_t rank;
	bool left; /* to the floods */
};

struct list {
	size_t n;
	struct candidate *c;
};

static int compare(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

static struct list find_candidates(struct infer *in, bool memory)
{
	struct list l = { .c = ARENA_ARRAY(in->a, struct candidate,
					   in->q->n_forms) };

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (!f->alone.has_value || f->wide || f->closes > 0 ||
		    in->q->forms[i].memory != memory)
			continue;
		/* Without a filler one slot is assumed; what is not true of
		 * it will contradict the rest. */
		if (f->slots != 1 && in->filler != PORTS_NONE)
			continue;
		f->size = ports_of_rate(in, f);
		if (f->size > 0)
			l.c[l.n++] = (struct candidate){
				.form = i,
				.size = f->size,
				.rank = in->q->forms[i].rank,
			};
	}
	qsort(l.c, l.n, sizeof(*l.c), compare);
	return l;
}

static bool is_open(const struct infer *in, const struct candidate *c)
{
	const struct form_state *f = &in->f[c->form];

	return !c->left && f->closes == 0 && f->class_id == PORTS_NONE &&
	       f->held_class == PORTS_NONE;
}

/* Each open candidate of this size, from `first` on, in a mix with `count` of
 * a class's form for `times` of its own. */
static int beside(struct infer *in, const struct list *l, size_t first,
		  unsigned times, size_t class_id, unsigned count,
		  struct ports_value *values)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, l->n + 1);
	struct ports_value *got =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);
	size_t n = 0, k = 0;

	for (size_t i = first; i < l->n && l->c[i].size == l->c[first].size;
	     i++) {
		if (!is_open(in, &l->c[i]))
			continue;
		infer_add(&mixes[n], l->c[i].form, times);
		infer_add(&mixes[n++], in->classes[class_id].form, count);
	}
	if (infer_measure(in, PORTS_MERGE, mixes, n, got) != ERR_OK)
		return in->e->code;
	for (size_t i = first; i < l->n; i++)
		values[i] = l->c[i].size == l->c[first].size &&
					    is_open(in, &l->c[i])
				    ? got[k++]
				    : (struct ports_value){ .cycles = 0 };
	return ERR_OK;
}

/* Together as slow as one after the other: a union of k ports, and clearly not
 * of k + 1.  What lies between is neither, and no single uop. */
static bool is_same(unsigned size, const struct ports_value *v)
{
	double least = 1 - 0.45 / (size + 1);

	return v->has_value && v->cycles * size > 2 * least;
}

/* ---- uops that hold their ports ------------------------------------------ */

/* One of them beside m - 1 of the class, which leave k of the m k ports free:
 * nearer to one after the other than to what a uop on fewer of those ports
 * takes, for as many cycles as fill them.  With more of the class, a scheduler
 * that does not know who can go elsewhere would make uops of few ports look
 * like this. */
static bool is_holding(unsigned size, unsigned m, const struct ports_value *v)
{
	return v->has_value && v->cycles * size > 2 - 1.5 / m;
}

/* Longer than a uop on `size` ports among those of the class, and shorter than
 * one that holds them all: it holds some, and is no class. */
static bool is_holding_some(unsigned size, unsigned m,
			    const struct ports_value *v)
{
	return v->has_value && v->cycles * size > 1 + 0.6 / m &&
	       !is_holding(size, m, v);
}

/* Who of the first open candidate's size holds the ports of some class for m
 * cycles, if that candidate does. */
static int hold(struct infer *in, struct list *l, size_t first)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);
	const unsigned size = l->c[first].size;

	for (size_t c = 0; c < in->n_classes; c++) {
		unsigned m = in->classes[c].size / size;
		struct ports_mix mix = { .n = 0 };
		struct ports_value v;

		if (m < 2 || m > MAX_HELD || in->classes[c].size % size != 0)
			continue;
		infer_add(&mix, l->c[first].form, 1);
		infer_add(&mix, in->classes[c].form, m - 1);
		if (infer_measure(in, PORTS_MERGE, &mix, 1, &v) != ERR_OK)
			return in->e->code;
		if (is_holding_some(size, m, &v))
			l->c[first].left = true;
		if (!is_holding(size, m, &v))
			continue;
		if (beside(in, l, first, 1, c, m - 1, values) != ERR_OK)
			return in->e->code;
		for (size_t i = first; i < l->n; i++)
			if (is_open(in, &l->c[i]) &&
			    (i == first || is_holding(size, m, &values[i]))) {
				in->f[l->c[i].form].held_class = (int32_t)c;
				in->f[l->c[i].form].held_cycles = m;
			}
		return ERR_OK;
	}
	return ERR_OK;
}

/* ---- classes ------------------------------------------------------------- */

/* Where slots are not known a form may have more uops than the one that its
 * rate shows.  One uop takes no more than one place of any flood: whoever of
 * the first's size takes more of a flood of a class is no candidate. */
static int leave_more(struct infer *in, struct list *l, size_t first)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);

	if (in->filler != PORTS_NONE)
		return ERR_OK;
	for (size_t c = 0; c < in->n_classes; c++) {
		unsigned n_ports = in->classes[c].size;

		/* A narrower one says nothing that this one's class does not;
		 * a wider one shows the front end. */
		if (n_ports <= l->c[first].size ||
		    n_ports > nearly_all * in->width)
			continue;
		if (beside(in, l, first, 1, c, FLOODED * n_ports, values) !=
		    ERR_OK)
			return in->e->code;
		for (size_t i = first; i < l->n; i++)
			l->c[i].left |= values[i].has_value &&
					(values[i].cycles - FLOODED) * n_ports >
						more_than_one;
	}
	return ERR_OK;
}

/* Does the form take longer in long kernels than in short ones?  A core that
 * decodes some instructions slowly keeps as many of them as it can decoded. */
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

/* Open candidates of the first one's size: the next ones, and as many again
 * from all over the list, which ends with other kinds of instructions. */
static size_t founders(const struct infer *in, const struct list *l,
		       size_t first, size_t *who)
{
	size_t end = first, n = 0;

	while (end < l->n && l->c[end].size == l->c[first].size)
		end++;
	for (size_t i = first; i < end && n < TRIED; i++)
		if (is_open(in, &l->c[i]))
			who[n++] = i;
	for (size_t k = 1; k <= TRIED && n == TRIED + k - 1; k++)
		for (size_t i =
			     who[n - 1] + 1 + (end - who[n - 1]) / (2 * TRIED);
		     i < end && n < TRIED + k; i++)
			if (is_open(in, &l->c[i]))
				who[n++] = i;
	return n;
}

/* Who founds a class is flooded with for all that follows: put a candidate that
 * is steady in the first one's place, if there is one; who is known to be
 * slower in long kernels stands for nobody. */
static int find_founder(struct infer *in, struct list *l, size_t first)
{
	struct ports_mix mixes[2 * TRIED * N_LENGTHS] = { 0 };
	struct ports_value values[2 * TRIED * N_LENGTHS];
	size_t who[2 * TRIED], n = founders(in, l, first, who), n_steady = 0;
	unsigned size = l->c[first].size;
	uint32_t steady_ones[2 * TRIED];
	struct candidate swap;
	size_t best = 0;

	for (size_t i = 0; i < n * N_LENGTHS; i++)
		infer_add(&mixes[i], l->c[who[i / N_LENGTHS]].form,
			  lengths[i % N_LENGTHS]);
	if (infer_measure(in, PORTS_MERGE, mixes, n * N_LENGTHS, values) !=
	    ERR_OK)
		return in->e->code;
	l->c[first].left |=
		pace_of(in, l->c[first].form, values) == PACE_SLOWER;
	for (size_t i = 0; i < n; i++)
		if (pace_of(in, l->c[who[i]].form, &values[i * N_LENGTHS]) ==
		    PACE_STEADY) {
			who[n_steady] = who[i];
			steady_ones[n_steady++] = l->c[who[i]].form;
		}
	if (n_steady == 0)
		return ERR_OK;
	l->c[first].left = false;
	if (n_steady > 1 && size > nearly_all * in->width &&
	    infer_lightest(in, steady_ones, n_steady, size, &best) != ERR_OK)
		return in->e->code;
	swap = l->c[who[best]];
	l->c[who[best]] = l->c[first];
	l->c[first] = swap;
	return ERR_OK;
}

/* The first open candidate founds a class, and others join. */
static int found(struct infer *in, struct list *l, size_t first)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);
	size_t id = in->n_classes;

	if (!in->q->forms[l->c[first].form].memory) {
		/* Who changes with its neighbours stands for nobody. */
		if (infer_closers(in, l->c[first].form, l->c[first].size,
				  &l->c[first].left) != ERR_OK ||
		    l->c[first].left)
			return in->e->code;
	}
	in->n_classes++;
	in->classes[id].form = l->c[first].form;
	in->classes[id].size = l->c[first].size;
	in->f[l->c[first].form].class_id = (int32_t)id;
	if (beside(in, l, first, 1, id, 1, values) != ERR_OK)
		return in->e->code;
	for (size_t i = first; i < l->n; i++) {
		if (l->c[i].size != l->c[first].size || !is_open(in, &l->c[i]))
			continue;
		if (is_same(l->c[i].size, &values[i]))
			in->f[l->c[i].form].class_id = (int32_t)id;
		/* It is not known to be another one. */
		else if (!values[i].has_value)
			l->c[i].left = true;
	}
	return ERR_OK;
}

/* Widest first: a class is there before those who hold its ports. */
static int merge(struct infer *in, struct list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if ((i == 0 || l->c[i - 1].size != l->c[i].size) &&
		    leave_more(in, l, i) != ERR_OK)
			return in->e->code;
		if (!is_open(in, &l->c[i]))
			continue;
		if (find_founder(in, l, i) != ERR_OK)
			return in->e->code;
		if (is_open(in, &l->c[i]) && hold(in, l, i) != ERR_OK)
			return in->e->code;
		if (is_open(in, &l->c[i]) &&
		    in->n_classes < PORTS_MAX_CLASSES &&
		    found(in, l, i) != ERR_OK)
			return in->e->code;
	}
	return ERR_OK;
}

/* ---- accesses to memory -------------------------------------------------- */

/* Is no other class's set of ports around this one's? */
static bool is_widest(const struct infer *in, size_t c)
{
	model_ports set = in->solution.row[c];

	for (size_t i = 0; i < in->n_classes; i++) {
		model_ports other =
			in->classes[i].out ? 0 : in->solution.row[i];

		if ((set & ~other) == 0 && (set != other || i < c))
			return false;
	}
	return set != 0 && !in->classes[c].out;
}

/* For a cycle, beside what keeps the ports of a class busy for one: does it
 * take nothing of them? */
static bool is_apart(const struct infer *in, unsigned size, unsigned n_ports,
		     const struct ports_value *v)
{
	double n = size + n_ports, shared = n / n_ports;
	double uneven = in->filler == PORTS_NONE ? 1 + infer_uneven : 1;
	double apart = fmax(1, n / in->width * uneven);

	return v->has_value && v->cycles < (apart + shared) / 2;
}

/* Whoever takes something of a class of forms without memory is left. */
static int leave_shared(struct infer *in, struct list *l)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);

	for (size_t c = 0; c < in->n_classes; c++) {
		unsigned n_ports = in->classes[c].size;

		if (!is_widest(in, c))
			continue;
		for (size_t i = 0; i < l->n; i++) {
			unsigned size = l->c[i].size;
			size_t end = i;

			if (i > 0 && l->c[i - 1].size == size)
				continue;
			if (beside(in, l, i, size, c, n_ports, values) !=
			    ERR_OK)
				return in->e->code;
			for (; end < l->n && l->c[end].size == size; end++)
				if (is_open(in, &l->c[end]) &&
				    !is_apart(in, size, n_ports, &values[end]))
					l->c[end].left = true;
		}
	}
	return ERR_OK;
}

int infer_classes(struct infer *in)
{
	struct list l = find_candidates(in, false);

	return merge(in, &l);
}

int infer_memory_classes(struct infer *in)
{
	struct list l = find_candidates(in, true);

	if (leave_shared(in, &l) != ERR_OK)
		return in->e->code;
	return merge(in, &l);
}
