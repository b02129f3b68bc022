/* What was seen on Zen cores, on request on random cores: moves
 * that hold all integer ports, moves that the renamer executes, long immediates, no-operations that take a little
 * more than their slots, a state that no probe shows, and a busy sibling. */
#include <math.h>
#include <stdlib.h>

#include "tests/ports/truth.h"

static model_ports any_port(struct truth *t, model_ports set)
{
	unsigned n = truth_below(&t->random, model_ports_count(set));

	while (n-- > 0)
		set &= set - 1;
	return set & (~set + 1);
}

bool truth_add_held(struct truth *t)
{
	enum { N_ADDED = 6 };

	if (model_ports_count(t->group[0]) < 2)
		return false;
	for (unsigned i = 0; i < N_ADDED; i++) {
		struct truth_form *f = truth_add(t, "move");

		for (model_ports p = t->group[0]; p != 0; p &= p - 1)
			truth_use(f, p & (~p + 1));
		if (i > 0)
			truth_use(f, any_port(t, t->group[1]));
		f->slots = 1 + i % 2;
	}
	return true;
}

bool truth_add_immediates(struct truth *t)
{
	enum { N_ADDED = 4 };
	unsigned n = model_ports_count(t->group[0]);

	if (n < 3)
		return false;
	t->width = 2 * (n - 1);
	for (unsigned i = 0; i < N_ADDED; i++) {
		struct truth_form *f = truth_add(t, "wide");

		truth_use(f, t->group[0]);
		f->slots = 2;
	}
	return true;
}

/* The ports of a form of one uop within these; 0: there is none. */
static model_ports any_single(struct truth *t, model_ports within)
{
	model_ports list[TRUTH_MAX_FORMS];
	size_t n = 0;

	for (size_t i = 0; i < t->n_forms; i++) {
		const struct truth_form *f = &t->forms[i];

		if (f->n_uses == 1 && f->uses[0].cycles == 1 &&
		    (f->uses[0].ports & ~within) == 0)
			list[n++] = f->uses[0].ports;
	}
	return n > 0 ? list[truth_below(&t->random, (unsigned)n)] : 0;
}

bool truth_add_accesses(struct truth *t)
{
	enum { N_ADDED = 9, WRITES = 3 };
	const model_ports data = (model_ports)1 << t->n_ports;

	for (size_t i = 0; i < t->n_forms; i++)
		t->forms[i].memory =
			t->forms[i].n_uses == 1 &&
			(t->forms[i].uses[0].ports & ~t->group[2]) == 0;
	for (unsigned i = 0; i < N_ADDED; i++) {
		model_ports load = any_single(t, t->group[2]);
		model_ports op = any_single(t, t->group[i % 2]);
		struct truth_form *f;

		if (load == 0 || op == 0)
			return false;
		f = truth_add(t, "access");
		f->memory = true;
		f->stores = i >= N_ADDED - WRITES;
		truth_use(f, load);
		if (i != N_ADDED - WRITES)
			truth_use(f, op);
		if (f->stores)
			truth_use(f, data);
		f->slots = f->stores && f->n_uses > 2 ? 2 : 1;
	}
	t->n_ports++;
	return true;
}

bool truth_add_moves(struct truth *t)
{
	enum { N_ADDED = 3, LEAST_WIDTH = 6 };

	if (t->width < LEAST_WIDTH || model_ports_count(t->group[1]) < 2)
		return false;
	for (unsigned i = 0; i < N_ADDED; i++)
		truth_add(t, "move")->part = 1.0 / (t->width - 1);
	return true;
}

bool truth_drift(struct truth *t)
{
	for (size_t i = 0; i < t->n_forms; i++) {
		t->forms[i].fused = false;
		t->forms[i].drifts = t->forms[i].n_uses == 0;
	}
	return true;
}

/* ---- the state ----------------------------------------------------------- */

static bool uses_group(const struct truth *t, uint32_t form, unsigned group)
{
	const struct truth_form *f = &t->forms[form];

	for (size_t k = 0; k < f->n_uses; k++)
		if ((f->uses[k].ports & t->group[group]) != 0)
			return true;
	return false;
}

double truth_in_state(struct truth *t, const struct ports_mix *mix)
{
	enum { LEAST_CALM = 200, MORE_CALM = 1300, LEAST = 100, MORE = 500 };
	static const double least = 0.15, more = 0.41;
	bool loads = false, computes = false;

	if (!t->has_state)
		return 1;
	if (t->n_left == 0) {
		t->in_state = !t->in_state;
		t->n_left = t->in_state ? LEAST + truth_below(&t->random, MORE)
					: LEAST_CALM + truth_below(&t->random,
								   MORE_CALM);
	}
	t->n_left--;
	for (size_t i = 0; i < mix->n; i++) {
		bool load = uses_group(t, mix->part[i].form, 2);

		loads |= load;
		computes |= !load && uses_group(t, mix->part[i].form, 0);
	}
	return t->in_state && loads && computes
		       ? 1 + least + more * truth_share_of(mix)
		       : 1;
}

/* ---- a busy sibling ------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* As host/solve/mix.c: the fastest time that enough rows share, of those between
 * quiet probes, of which a busy sibling slows a quarter all the same. */
struct ports_value truth_observe_shared(struct truth *t, double cycles)
{
	enum { ROWS = 30, LEAST = 5 };
	static const double busy = 0.6, missed = 0.25, same = 0.02, share = 0.4;
	static const double least = 1.02, more = 0.6;
	double seen[ROWS];
	size_t n = 0, end = 0;

	for (size_t i = 0; i < ROWS; i++) {
		if (truth_random(&t->random) < busy)
			continue;
		seen[n] = cycles * (1 + t->noise * truth_normal(&t->random));
		if (truth_random(&t->random) < missed)
			seen[n] *= least + more * truth_random(&t->random);
		n++;
	}
	qsort(seen, n, sizeof(*seen), by_size);
	for (size_t i = 0; i < n; i++) {
		while (end < n && seen[end] <= seen[i] * (1 + same))
			end++;
		if (end - i < LEAST || (double)(end - i) < share * (double)n)
			continue;
		return (struct ports_value){ true, seen[i + (end - i) / 2],
					     1.25 * t->noise /
						     sqrt((double)(end - i)),
					     false };
	}
	return (struct ports_value){ .has_value = false };
}
