/* What random cores have on request: port blockers, such as forms of 512 bits;
 * forms of several uops that look like one uop in short kernels; forms that do
 * not look like one uop in long kernels; and few register read ports. */
#include <string.h>

#include "tests/ports/truth.h"

static void use(struct truth_form *f, model_ports ports)
{
	f->uses[f->n_uses++] = (struct model_use){ ports, 1, 1 };
	if (f->n_uses > f->slots)
		f->slots = (unsigned)f->n_uses;
}

/* The largest set of ports of a class that is narrower than the front end; 0:
 * none. */
static model_ports widest_set(const struct truth *t)
{
	model_ports widest = 0;

	for (size_t i = 0; i < t->n_forms; i++) {
		const struct truth_form *f = &t->forms[i];
		unsigned n = f->n_uses == 1 && f->slots == 1
				     ? model_ports_count(f->uses[0].ports)
				     : 0;

		if (n > 1 && n < t->width && f->uses[0].cycles == 1 &&
		    n > model_ports_count(widest))
			widest = f->uses[0].ports;
	}
	return widest;
}

bool truth_add_blockers(struct truth *t)
{
	model_ports set = widest_set(t), blocked = set & (~set + 1);
	unsigned n = 4 + truth_below(&t->random, 12);

	if (set == 0)
		return false;
	for (size_t i = 0; i < t->n_forms; i++) {
		struct truth_form *f = &t->forms[i];

		/* A uop without another port keeps its port. */
		f->is_blocked = true;
		for (size_t k = 0; k < f->n_uses; k++)
			f->is_blocked &= (f->uses[k].ports & ~blocked) != 0;
	}
	while (n-- > 0) {
		struct truth_form *f = truth_add(t, "closer");

		for (unsigned k = 1 + truth_below(&t->random, 2); k > 0; k--)
			use(f, set & ~blocked);
		f->blocks = blocked;
	}
	/* A move that takes no port as long as it is alone. */
	if (t->width > model_ports_count(set) + 1) {
		struct truth_form *f = truth_add(t, "shy");

		use(f, set);
		f->is_blocked = true;
		f->alone = 1.0 / (model_ports_count(set) + 1);
	}
	return true;
}

static bool is_like(const struct truth_form *f, const struct truth_form *g)
{
	return strncmp(f->name, "one", 3) == 0 &&
	       strncmp(g->name, "one", 3) == 0 &&
	       f->uses[0].ports == g->uses[0].ports;
}

void truth_add_crowds(struct truth *t)
{
	const size_t n = t->n_forms;

	for (size_t i = 0; i < n; i++) {
		struct truth_form *f = &t->forms[i];
		bool first = true, last = true;

		for (size_t k = 0; k < n; k++) {
			first &= k >= i || !is_like(f, &t->forms[k]);
			last &= k <= i || !is_like(f, &t->forms[k]);
		}
		f->crowded = first && !last;
	}
	/* Forms of two uops: one on a set, one on a larger set that contains
	 * it. */
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			model_ports own = t->forms[i].uses[0].ports;
			model_ports all = t->forms[k].uses[0].ports;
			struct truth_form *f;

			if (!t->forms[i].crowded || !t->forms[k].crowded ||
			    own == all || (own & ~all) != 0)
				continue;
			f = truth_add(t, "both");
			use(f, own);
			use(f, all);
		}
}

/* Is it the first form of one uop on its ports? */
static bool is_first_of_its_ports(const struct truth *t, size_t form)
{
	if (!is_like(&t->forms[form], &t->forms[form]))
		return false;
	for (size_t i = 0; i < form; i++)
		if (is_like(&t->forms[i], &t->forms[form]))
			return false;
	return true;
}

void truth_add_sides(struct truth *t)
{
	enum { N_SIDES = 3 };

	for (size_t i = 0; i < t->n_forms; i++)
		if (t->forms[i].n_uses > 0 && !is_first_of_its_ports(t, i))
			t->forms[i].side = truth_below(&t->random, N_SIDES);
}

void truth_add_unstable(struct truth *t)
{
	enum { N_ADDED = 7, FASTEST = 3 };

	for (unsigned i = 0; i < N_ADDED; i++) {
		struct truth_form *f = truth_add(t, "divide");

		use(f, 1);
		f->uses[0].cycles = FASTEST + i;
		f->unstable = i == 0;
	}
}

void truth_slow(struct truth *t)
{
	enum { ONE_IN = 4, FEW = 3, MANY = 60 };
	static const double least = 0.07, more = 0.3;

	for (uint32_t i = 0; i < t->n_forms; i++) {
		struct truth_form *f = &t->forms[i];
		struct ports_mix alone = { .n = 1, .part = { { i, 1 } } };
		double cycles = truth_cycles(t, &alone);

		/* One that takes two cycles may use a unit. */
		if (f->n_uses < 2 || cycles * (1 + least + more) >= 2 ||
		    cycles * t->width <= f->slots * (1 + least))
			continue;
		switch (truth_below(&t->random, ONE_IN)) {
		case 0:
			f->slowed = SLOWED;
			f->alone = cycles * (1 + least +
					     more * truth_random(&t->random));
			break;
		case 1:
			f->slowed = TWO_STATES;
			f->throughput = i % 2 == 0 ? cycles : 0;
			f->alone = cycles * (i % 2 == 0 ? FEW : MANY);
			break;
		default:
			break;
		}
	}
}

bool truth_add_readers(struct truth *t)
{
	enum { N_ADDED = 6, MANY = 2 };
	model_ports set = widest_set(t), own = (model_ports)3 << t->n_ports;
	unsigned n = model_ports_count(set);
	bool first = true;

	if (10 * n <= 7 * t->width || t->n_ports + 2 > MODEL_MAX_PORTS)
		return false;
	for (size_t i = 0; i < t->n_forms; i++) {
		struct truth_form *f = &t->forms[i];
		bool member = strncmp(f->name, "one", 3) == 0 &&
			      f->uses[0].ports == set;

		f->n_read = member ? 1u + first : 0;
		first &= !member;
	}
	t->n_ports += 2;
	t->n_reads = 2 * n;
	for (size_t i = 0; i < N_ADDED; i++) {
		struct truth_form *f = truth_add(t, "reader");

		use(f, own);
		f->n_read = MANY;
	}
	return true;
}
