/* Classes: forms of one uop that use the same ports.
 *
 * A form of one slot with a rate of k per cycle, k below the width, has k
 * ports. Two such forms have the same ports if and only if they are no faster
 * together than one after the other.
 *
 * Two kinds of other forms look similar. A uop that holds each of m k ports for
 * m cycles has the rate k too. In a mix with a class of m k ports it occupies
 * all of them; a uop on fewer ports does not. A memory access may share its
 * slot with another uop. It is measured together with classes of forms without
 * memory, and it is a single uop only if it does not slow them down. */
#include <math.h>
#include <stdlib.h>

#include "host/ports/classes.h"

enum {
	MAX_HELD = 4,         /* cycles that a uop may hold its port, at most */
	SATURATED_CYCLES = 3, /* cycles of a kernel that reveals a second uop */
};

/* A rate this close to a whole number counts as whole ... */
static const double whole_rate_tolerance = 0.03;
/* ... or within its error, up to this limit. */
static const double widest = 0.06;

/* Instances that a form displaces in a kernel: more than one uop, less than
 * two. */
static const double more_than_one = 1.55;

/* Chosen: a mix whose times with and without common ports are closer, relative,
 * does not show which it has. */
static const double least_shown = 0.15;

static unsigned ports_of_rate(const struct infer *in,
			      const struct form_state *f)
{
	double rate = 1 / f->alone.cycles, whole = round(rate);
	double limit = fmin(
		widest, fmax(whole_rate_tolerance, infer_tolerance(&f->alone)));

	/* As fast as a front end of varying width may be. */
	if (in->filler == PORTS_NONE && whole * (1 + infer_uneven) > in->width)
		return 0;
	if (whole < 1 || whole >= in->cap || fabs(rate / whole - 1) > limit)
		return 0;
	return (unsigned)whole;
}

static int classes_compare(const void *a, const void *b)
{
	const struct class_candidate *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->form > y->form) - (x->form < y->form);
}

/* A store has an address and data, even in one slot. */
static struct class_list find_candidates(struct infer *in, bool memory)
{
	struct class_list l = { .c = ARENA_ARRAY(in->a, struct class_candidate,
						 in->q->n_forms) };

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct form_state *f = &in->f[i];

		if (!infer_in_batch(in, i) || !f->alone.has_value || f->wide ||
		    f->blocks_ports > 0 || in->q->forms[i].memory != memory ||
		    in->q->forms[i].stores)
			continue;
		/* Without a filler, assume one slot. If that is wrong, the
		 * evidence becomes contradictory. */
		if ((f->slots != 1 && in->filler != PORTS_NONE) ||
		    (in->filler == PORTS_NONE &&
		     (f->multiple ||
		      (!memory && in->q->forms[i].published_uops > 1))))
			continue;
		f->size = ports_of_rate(in, f);
		if (f->size > 0)
			l.c[l.n++] = (struct class_candidate){
				.form = i,
				.size = f->size,
				.rank = in->q->forms[i].rank,
			};
	}
	qsort(l.c, l.n, sizeof(*l.c), classes_compare);
	return l;
}

/* A mix of a candidate and a class. */
struct class_mix {
	unsigned times; /* instances of the candidate */
	size_t class_id;
	unsigned count; /* instances of the class's representative */
};

/* Measure the mix with each open candidate of one size, from `first` on. */
static int classes_measure_with(struct infer *in, const struct class_list *l,
				size_t first, const struct class_mix *with,
				struct ports_value *values)
{
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, l->n + 1);
	struct ports_value *got =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);
	size_t n = 0, k = 0;

	for (size_t i = first; i < l->n && l->c[i].size == l->c[first].size;
	     i++) {
		if (!classes_is_open(in, &l->c[i]))
			continue;
		infer_add(&mixes[n], l->c[i].form, with->times);
		infer_add(&mixes[n++], in->classes[with->class_id].form,
			  with->count);
	}
	if (infer_measure(in, PORTS_MERGE, mixes, n, got) != ERR_OK)
		return in->e->code;
	for (size_t i = first; i < l->n; i++)
		values[i] = l->c[i].size == l->c[first].size &&
					    classes_is_open(in, &l->c[i])
				    ? got[k++]
				    : (struct ports_value){ .cycles = 0 };
	return ERR_OK;
}

/* Is the mix as slow as its parts one after the other? Then the union has k
 * ports and clearly not k + 1. Intermediate values are neither, and the form is
 * not a single uop. */
static bool classes_is_same(unsigned size, const struct ports_value *v)
{
	double least = 1 - 0.45 / (size + 1);

	return v->has_value && v->cycles * size > 2 * least;
}

/* ---- uops that hold their ports ------------------------------------------ */

/* One instance mixed with m - 1 of the class, which leave k of the m k ports
 * free: a uop on k ports, of this class or of others, adds no time.  Is the mix
 * clearly slower? */
static bool is_holding(unsigned size, unsigned m, const struct ports_value *v)
{
	return v->has_value && v->cycles * size > 1.5 - 0.5 / m;
}

/* Does the first open candidate hold ports of a class, or share them?  Then it is
 * none of a class, and is left to the saturation kernels. */
static int classes_leave_holding(struct infer *in, struct class_list *l,
				 size_t first)
{
	struct class_candidate *x = &l->c[first];

	for (size_t c = 0; c < in->n_classes && !x->left; c++) {
		unsigned m = in->classes[c].size / x->size;
		struct ports_mix mix = { .n = 0 };
		struct ports_value v;

		if (m < 2 || m > MAX_HELD || in->classes[c].size % x->size != 0)
			continue;
		infer_add(&mix, x->form, 1);
		infer_add(&mix, in->classes[c].form, m - 1);
		if (infer_measure(in, PORTS_MERGE, &mix, 1, &v) != ERR_OK)
			return in->e->code;
		x->left = is_holding(x->size, m, &v);
	}
	return ERR_OK;
}

/* ---- classes ------------------------------------------------------------- */

/* Where slots are unknown, a form may have more uops than its rate shows. A
 * single uop displaces at most one instance in a saturation kernel; candidates
 * that displace more leave the list. */
static int classes_reject_multiple(struct infer *in, struct class_list *l,
				   size_t first)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);

	if (in->filler != PORTS_NONE)
		return ERR_OK;
	for (size_t c = 0; c < in->n_classes; c++) {
		unsigned n_ports = in->classes[c].size;

		/* Narrower classes add no information; wider ones are limited
		 * by the front end. */
		if (n_ports <= l->c[first].size ||
		    n_ports * (1 + infer_uneven) > in->width)
			continue;
		if (classes_measure_with(
			    in, l, first,
			    &(struct class_mix){ 1, c,
						 SATURATED_CYCLES * n_ports },
			    values) != ERR_OK)
			return in->e->code;
		for (size_t i = first; i < l->n; i++)
			l->c[i].left |= values[i].has_value &&
					(values[i].cycles - SATURATED_CYCLES) *
							n_ports >
						more_than_one;
	}
	return ERR_OK;
}

/* Make the first open candidate the representative of a new class, and add the
 * other members. */
static int classes_create(struct infer *in, struct class_list *l, size_t first)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);
	size_t id = in->n_classes;
	bool blocked = false;

	if (!in->q->forms[l->c[first].form].memory) {
		/* A form that changes with its neighbours cannot represent a
		 * class. */
		if (infer_port_blockers(in, l->c[first].form, l->c[first].size,
					&l->c[first].left,
					&blocked) != ERR_OK ||
		    l->c[first].left)
			return in->e->code;
	}
	in->n_classes++;
	in->classes[id].form = l->c[first].form;
	in->classes[id].size = l->c[first].size;
	in->classes[id].blocked = blocked;
	in->f[l->c[first].form].class_id = (int32_t)id;
	if (classes_measure_with(in, l, first, &(struct class_mix){ 1, id, 1 },
				 values) != ERR_OK)
		return in->e->code;
	for (size_t i = first; i < l->n; i++) {
		if (l->c[i].size != l->c[first].size ||
		    !classes_is_open(in, &l->c[i]))
			continue;
		if (classes_is_same(l->c[i].size, &values[i]))
			in->f[l->c[i].form].class_id = (int32_t)id;
		/* Without a value, membership is unknown. */
		else if (!values[i].has_value)
			l->c[i].left = true;
	}
	return ERR_OK;
}

/* Widest first, so that a class exists before the forms that hold its ports. */
static int classes_merge(struct infer *in, struct class_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if ((i == 0 || l->c[i - 1].size != l->c[i].size) &&
		    classes_reject_multiple(in, l, i) != ERR_OK)
			return in->e->code;
		if (!classes_is_open(in, &l->c[i]))
			continue;
		if (representatives_choose(in, l, i) != ERR_OK)
			return in->e->code;
		if (classes_is_open(in, &l->c[i]) &&
		    classes_leave_holding(in, l, i) != ERR_OK)
			return in->e->code;
		if (classes_is_open(in, &l->c[i]) &&
		    infer_may_represent(in, l->c[i].form) &&
		    in->n_classes < PORTS_MAX_CLASSES &&
		    classes_create(in, l, i) != ERR_OK)
			return in->e->code;
	}
	return ERR_OK;
}

/* ---- accesses to memory -------------------------------------------------- */

/* Is this class's set of ports contained in no other class's set? */
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

/* The candidate runs for a cycle together with a kernel that keeps the ports of
 * a class busy for a cycle.  Its time if it uses none of them, and if it uses no
 * others. */
struct shared_times {
	double disjoint, shared;
};

static struct shared_times shared_times_of(const struct infer *in,
					   unsigned size, unsigned n_ports)
{
	double n = size + n_ports;
	double uneven = in->filler == PORTS_NONE ? 1 + infer_uneven : 1;

	return (struct shared_times){ fmax(1, n / in->width * uneven),
				      n / n_ports };
}

/* Does its time show whether it uses any?  A kernel that nearly fills the front end
 * shows nothing. */
static bool classes_are_shown(const struct shared_times *t)
{
	return t->shared >= t->disjoint * (1 + least_shown);
}

/* Does it use none of them? */
static bool classes_is_disjoint(const struct shared_times *t,
				const struct ports_value *v)
{
	return v->has_value && v->cycles < (t->disjoint + t->shared) / 2;
}

/* Reject candidates that use ports of a class of forms without memory. */
static int classes_reject_shared(struct infer *in, struct class_list *l)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);

	for (size_t c = 0; c < in->n_classes; c++) {
		unsigned n_ports = in->classes[c].size;

		if (!is_widest(in, c))
			continue;
		for (size_t i = 0; i < l->n; i++) {
			unsigned size = l->c[i].size;
			struct shared_times t =
				shared_times_of(in, size, n_ports);
			size_t end = i;

			if ((i > 0 && l->c[i - 1].size == size) ||
			    !classes_are_shown(&t))
				continue;
			if (classes_measure_with(
				    in, l, i,
				    &(struct class_mix){ size, c, n_ports },
				    values) != ERR_OK)
				return in->e->code;
			for (; end < l->n && l->c[end].size == size; end++)
				if (classes_is_open(in, &l->c[end]) &&
				    !classes_is_disjoint(&t, &values[end]))
					l->c[end].left = true;
		}
	}
	return ERR_OK;
}

int infer_classes(struct infer *in)
{
	struct class_list l = find_candidates(in, false);

	return classes_merge(in, &l);
}

int infer_memory_classes(struct infer *in)
{
	struct class_list l = find_candidates(in, true);

	in->n_loads = l.n;
	if (classes_reject_shared(in, &l) != ERR_OK)
		return in->e->code;
	return classes_merge(in, &l);
}

/* ---- later batches ------------------------------------------------------- */

/* Find the forms of a list that belong to a class; the others are left to the
 * saturation kernels. */
static int classes_join(struct infer *in, struct class_list *l, bool memory)
{
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, l->n + 1);

	for (size_t i = 0; i < l->n; i++) {
		if (i > 0 && l->c[i - 1].size == l->c[i].size)
			continue;
		if (classes_reject_multiple(in, l, i) != ERR_OK)
			return in->e->code;
		for (size_t c = 0; c < in->n_classes; c++) {
			if (in->classes[c].out ||
			    in->classes[c].size != l->c[i].size ||
			    in->q->forms[in->classes[c].form].memory != memory)
				continue;
			if (classes_measure_with(in, l, i,
						 &(struct class_mix){ 1, c, 1 },
						 values) != ERR_OK)
				return in->e->code;
			for (size_t k = i; k < l->n; k++)
				if (l->c[k].size == l->c[i].size &&
				    classes_is_open(in, &l->c[k]) &&
				    classes_is_same(l->c[k].size, &values[k]))
					in->f[l->c[k].form].class_id =
						(int32_t)c;
		}
	}
	return ERR_OK;
}

int infer_join_classes(struct infer *in)
{
	struct class_list l;

	for (size_t c = 0; c < in->n_classes; c++)
		if (!in->classes[c].out &&
		    infer_batch_blockers(in, c) != ERR_OK)
			return in->e->code;
	l = find_candidates(in, false);
	if (classes_join(in, &l, false) != ERR_OK)
		return in->e->code;
	l = find_candidates(in, true);
	if (classes_reject_shared(in, &l) != ERR_OK)
		return in->e->code;
	return classes_join(in, &l, true);
}
