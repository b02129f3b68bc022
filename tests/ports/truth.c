/* See truth.h. */
#include "tests/ports/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	UNIONS = 4000, /* random sets of forms compared */
	MAX_UNION = 5, /* forms of one */
};

double truth_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	z ^= z >> 31;
	return (double)(z >> 11) / 9007199254740992.0;
}

unsigned truth_below(uint64_t *state, unsigned n)
{
	return (unsigned)(truth_random(state) * n);
}

/* ---- random cores -------------------------------------------------------- */

/* Ports in groups - integer, vector, memory - with classes inside of them. */
struct maker {
	struct truth *t;
	unsigned first[3], n[3];
	size_t n_sets;
	model_ports sets[40];
};

static model_ports random_set(struct maker *m, unsigned group)
{
	model_ports set = 0;

	while (set == 0)
		for (unsigned p = 0; p < m->n[group]; p++)
			if (truth_below(&m->t->random, 2))
				set |= (model_ports)1 << (m->first[group] + p);
	return set;
}

static struct truth_form *new_form(struct truth *t, const char *kind)
{
	struct truth_form *f = &t->forms[t->n_forms];

	*f = (struct truth_form){ .slots = 1 };
	(void)snprintf(f->name, sizeof(f->name), "%s%zu", kind, t->n_forms++);
	return f;
}

static void use(struct truth_form *f, model_ports ports, double cycles)
{
	f->uses[f->n_uses++] = (struct model_use){ ports, 1, cycles };
	if (f->n_uses > f->slots)
		f->slots = (unsigned)f->n_uses;
}

static model_ports any_set(struct maker *m)
{
	return m->sets[truth_below(&m->t->random, (unsigned)m->n_sets)];
}

static void make_sets(struct maker *m)
{
	unsigned next = 0;

	for (unsigned g = 0; g < 3; g++) {
		unsigned most = g == 2 ? 3 : 4;

		m->first[g] = next;
		m->n[g] = 1 + truth_below(&m->t->random, most);
		next += m->n[g];
	}
	m->t->n_ports = next;
	for (unsigned g = 0; g < 3; g++) {
		unsigned n = 1 + truth_below(&m->t->random, 2 + m->n[g]);

		m->t->group[g] = (((model_ports)1 << m->n[g]) - 1)
				 << m->first[g];
		m->sets[m->n_sets++] = m->t->group[g];
		while (n-- > 0)
			m->sets[m->n_sets++] = random_set(m, g);
	}
}

static void make_forms(struct maker *m)
{
	struct truth *t = m->t;
	uint64_t *r = &t->random;

	for (size_t i = 0; i < m->n_sets; i++)
		for (unsigned n = 1 + truth_below(r, 5); n > 0; n--)
			use(new_form(t, "one"), m->sets[i], 1);
	for (unsigned n = 3 + truth_below(r, 12); n > 0; n--) {
		struct truth_form *f = new_form(t, "more");

		for (unsigned k = 2 + truth_below(r, 3); k > 0; k--)
			use(f, any_set(m), 1);
	}
	for (unsigned n = 1 + truth_below(r, 4); n > 0; n--)
		use(new_form(t, "slow"), any_set(m), 2 + truth_below(r, 16));
	/* The data of a store has a port of its own. */
	for (unsigned n = 1 + truth_below(r, 3); n > 0; n--) {
		struct truth_form *f = new_form(t, "store");

		use(f, m->sets[m->n_sets - 1], 1);
		use(f, (model_ports)1 << t->n_ports, 1);
	}
	t->n_ports++;
	for (unsigned n = 0; n < 3; n++)
		(void)new_form(t, "free");
	for (unsigned n = truth_below(r, 3); n > 0; n--)
		new_form(t, "fused")->fused = true;
}

/* Uops of only two sets, as a divider's: one port, or two. */
static model_ports shared_ports(struct maker *m)
{
	model_ports both = 0;

	for (unsigned tries = 0; tries < 40; tries++) {
		both = any_set(m) & any_set(m);
		if (both != 0 && model_ports_count(both) <= 2)
			return both;
	}
	both = any_set(m);
	return both & (~both + 1);
}

/* Forms that no class explains: ports of overlaps only, units that are not
 * pipelined, moves that need no port, uops that need none. */
static void make_odd_forms(struct maker *m)
{
	struct truth *t = m->t;
	uint64_t *r = &t->random;

	for (unsigned n = 1 + truth_below(r, 3); n > 0; n--)
		use(new_form(t, "over"), shared_ports(m),
		    1 + truth_below(r, 8));
	for (unsigned n = truth_below(r, 4); n > 0; n--) {
		struct truth_form *f = new_form(t, "mixed");

		use(f, shared_ports(m), 1 + truth_below(r, 6));
		for (unsigned k = 1 + truth_below(r, 3); k > 0; k--)
			use(f, any_set(m), 1);
		f->slots += truth_below(r, 5 - f->slots);
	}
	for (unsigned n = truth_below(r, 3); n > 0; n--)
		new_form(t, "moved")->slots = 1 + truth_below(r, 2);
	/* Data through one port or two, addresses through those of loads. */
	for (unsigned n = truth_below(r, 3); n > 0; n--) {
		struct truth_form *f = new_form(t, "stores");

		use(f, any_set(m), 1);
		use(f, (model_ports)3 << t->n_ports, 1);
	}
	t->n_ports += 2;
}

void truth_make(struct truth *t, uint64_t seed)
{
	struct maker m = { .t = t };

	*t = (struct truth){ .random = seed };
	t->width = 3 + truth_below(&t->random, 6);
	make_sets(&m);
	make_forms(&m);
	make_odd_forms(&m);
}

/* ---- the score ----------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void compare_unions(struct truth *t, const uint32_t *single, size_t n,
			   truth_ports *ports, void *context,
			   struct truth_score *s)
{
	for (size_t i = 0; i < UNIONS && n > 0; i++) {
		size_t want = 1 + truth_below(&t->random, MAX_UNION);
		model_ports real = 0, found = 0;
		bool known = true;
		unsigned n_real, n_found;

		while (want-- > 0) {
			uint32_t f =
				single[truth_below(&t->random, (unsigned)n)];
			model_ports more = 0;

			real |= t->forms[f].uses[0].ports;
			known &= ports(context, f, &more);
			found |= more;
		}
		n_real = model_ports_count(real);
		n_found = model_ports_count(found);
		/* What has no claim is counted by verdicts. */
		if (n_real >= t->width || !known)
			continue;
		s->n_unions++;
		s->n_right += n_found == n_real;
	}
}

static void compare_mixes(struct truth *t, size_t n, truth_expect *expect,
			  void *context, struct truth_score *s)
{
	double *errors = xrealloc(NULL, n + 1, sizeof(*errors));

	for (size_t i = 0; i < n; i++) {
		struct ports_mix mix = { .n = 2 + truth_below(&t->random, 4) };
		double real, found;

		for (size_t k = 0; k < mix.n; k++) {
			uint32_t *f = &mix.part[k].form;

			/* What is fused has no cost of its own. */
			do
				*f = truth_below(&t->random,
						 (unsigned)t->n_forms);
			while (t->forms[*f].fused);
			mix.part[k].count = 1;
		}
		real = truth_cycles(t, &mix);
		found = expect(context, &mix);
		if (found <= 0) {
			s->n_unknown++;
			continue;
		}
		errors[s->n_mixes] = fabs(found / real - 1);
		s->mean += errors[s->n_mixes++];
	}
	qsort(errors, s->n_mixes, sizeof(*errors), by_size);
	if (s->n_mixes > 0) {
		s->mean /= (double)s->n_mixes;
		s->p99 = errors[s->n_mixes - 1 - s->n_mixes / 100];
		s->worst = errors[s->n_mixes - 1];
	}
	free(errors);
}

void truth_compare(struct truth *t, size_t n_mixes, truth_expect *expect,
		   truth_ports *ports, void *context, struct truth_score *ret)
{
	uint32_t *single = xrealloc(NULL, t->n_forms, sizeof(*single));
	struct truth_score s = { 0 };
	size_t n = 0;

	for (uint32_t i = 0; i < t->n_forms; i++) {
		const struct truth_form *f = &t->forms[i];

		if (f->slots == 1 && f->n_uses == 1 && f->uses[0].cycles == 1 &&
		    f->blocks == 0)
			single[n++] = i;
	}
	compare_unions(t, single, n, ports, context, &s);
	compare_mixes(t, n_mixes, expect, context, &s);
	free(single);
	*ret = s;
}

uint8_t truth_side_of(const struct truth *t, size_t form)
{
	const struct truth_form *f = &t->forms[form];
	uint8_t side = PORTS_SIDES;

	while (--side > 0)
		if (f->n_uses > 0 && (f->uses[0].ports & t->group[side]) != 0)
			break;
	return side;
}

struct truth_form *truth_add(struct truth *t, const char *kind)
{
	struct truth_form *f = &t->forms[t->n_forms];

	*f = (struct truth_form){ .slots = 1 };
	(void)snprintf(f->name, sizeof(f->name), "%s%zu", kind, t->n_forms++);
	return f;
}

void truth_use(struct truth_form *f, model_ports ports)
{
	f->uses[f->n_uses++] = (struct model_use){ ports, 1, 1 };
}
