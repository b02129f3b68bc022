/* See truth.h. */
#include "tests/ports/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	UNIONS = 4000,       /* random sets of forms compared */
	MAX_UNION = 5,       /* forms of one */
	GREEDY_ROUNDS = 200, /* bodies that a greedy scheduler runs */
	FUSED_ROUNDS = 24,   /* bodies whose fused pairs are counted */
	OBSERVATIONS = 15,
	LONG = 36, /* instances: a few bodies of those leave the buffer */
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

		m->sets[m->n_sets++] = (((model_ports)1 << m->n[g]) - 1)
				       << m->first[g];
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

/* ---- costs --------------------------------------------------------------- */

/* Instances in the order of their kernel: evenly interleaved. */
static size_t next_part(const struct ports_mix *mix, const unsigned *done)
{
	size_t best = 0;
	double least = INFINITY;

	for (size_t i = 0; i < mix->n; i++) {
		double at = (done[i] + 0.5) / mix->part[i].count;

		if (done[i] < mix->part[i].count && at < least) {
			least = at;
			best = i;
		}
	}
	return best;
}

/* Slots that fusion saves in a body that repeats. */
static double n_fused(const struct truth *t, const struct ports_mix *mix)
{
	double saved = 0;
	bool open = false; /* the one before can take another */

	for (unsigned round = 0; round < FUSED_ROUNDS; round++) {
		unsigned done[PORTS_MAX_PARTS] = { 0 }, left = 0;

		for (size_t i = 0; i < mix->n; i++)
			left += mix->part[i].count;
		for (; left > 0; left--) {
			size_t i = next_part(mix, done);
			bool joins = open && t->forms[mix->part[i].form].fused;

			done[i]++;
			saved += joins;
			open = !joins;
		}
	}
	return saved / FUSED_ROUNDS;
}

static model_ports blocked_by(const struct truth *t,
			      const struct ports_mix *mix)
{
	model_ports blocked = 0;

	for (size_t i = 0; i < mix->n; i++)
		blocked |= t->forms[mix->part[i].form].blocks;
	return blocked;
}

static size_t uses_of(const struct truth *t, const struct ports_mix *mix,
		      struct model_use *uses, double *ret_slots)
{
	model_ports blocked = blocked_by(t, mix);
	size_t n = 0;

	*ret_slots = 0;
	for (size_t i = 0; i < mix->n; i++) {
		const struct truth_form *f = &t->forms[mix->part[i].form];

		*ret_slots += f->slots * mix->part[i].count;
		for (size_t k = 0; k < f->n_uses; k++) {
			uses[n] = f->uses[k];
			if (f->is_blocked)
				uses[n].ports &= ~blocked;
			uses[n++].n_uops *= mix->part[i].count;
		}
	}
	return n;
}

double truth_cycles(const struct truth *t, const struct ports_mix *mix)
{
	struct model_use uses[PORTS_MAX_PARTS * TRUTH_MAX_USES];
	double slots, bound;
	size_t n = uses_of(t, mix, uses, &slots);

	if (mix->n == 1 && t->forms[mix->part[0].form].alone > 0)
		return mix->part[0].count * t->forms[mix->part[0].form].alone;
	bound = model_port_bound(uses, n, NULL);
	return fmax(bound, (slots - n_fused(t, mix)) / t->width);
}

/* Each uop to the port with the least work so far: the busiest port at the
 * end is what it took. */
static double greedy_cycles(const struct truth *t, const struct ports_mix *mix)
{
	double load[MODEL_MAX_PORTS] = { 0 }, slots = 0, most = 0;

	for (unsigned round = 0; round < GREEDY_ROUNDS; round++) {
		unsigned done[PORTS_MAX_PARTS] = { 0 }, left = 0;

		for (size_t i = 0; i < mix->n; i++)
			left += mix->part[i].count;
		for (; left > 0; left--) {
			size_t i = next_part(mix, done);
			const struct truth_form *f =
				&t->forms[mix->part[i].form];

			done[i]++;
			slots += f->slots;
			for (size_t k = 0; k < f->n_uses; k++) {
				size_t best = MODEL_MAX_PORTS;

				for (size_t p = 0; p < t->n_ports; p++)
					if ((f->uses[k].ports >> p & 1) &&
					    (best == MODEL_MAX_PORTS ||
					     load[p] < load[best]))
						best = p;
				load[best] =
					fmax(load[best], slots / t->width) +
					f->uses[k].cycles;
			}
		}
	}
	for (size_t p = 0; p < t->n_ports; p++)
		most = fmax(most, load[p]);
	return fmax(most, slots / t->width) / GREEDY_ROUNDS;
}

static double normal(uint64_t *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += truth_random(random);
	return sum;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A kernel is measured several times, and its median counts. */
static struct ports_value observe(struct truth *t, double cycles)
{
	double seen[OBSERVATIONS];

	for (size_t i = 0; i < OBSERVATIONS; i++) {
		seen[i] = cycles * (1 + t->noise * normal(&t->random));
		if (truth_random(&t->random) < t->outliers)
			seen[i] *= 1 + 10 * truth_random(&t->random);
	}
	qsort(seen, OBSERVATIONS, sizeof(*seen), by_size);
	return (struct ports_value){ true, seen[OBSERVATIONS / 2],
				     1.25 * t->noise / sqrt(OBSERVATIONS),
				     false };
}

/* What an uneven front end takes more than its width says, relative: the same
 * whenever the mix is measured. */
static double unevenness(const struct ports_mix *mix)
{
	uint64_t state = 1;

	for (size_t i = 0; i < mix->n; i++)
		state = state * 1000003 + mix->part[i].form * 401ull +
			mix->part[i].count;
	(void)truth_random(&state);
	return truth_random(&state) / 7;
}

static double front_cycles(const struct truth *t, const struct ports_mix *mix)
{
	double slots = 0, decoded = 0, reads = 0;
	size_t n = 0;

	for (size_t i = 0; i < mix->n; i++) {
		const struct truth_form *f = &t->forms[mix->part[i].form];

		n += mix->part[i].count;
		slots += mix->part[i].count * (double)f->slots;
		decoded += mix->part[i].count * (double)f->crowded;
		reads += mix->part[i].count * (double)f->n_read;
	}
	if (t->n_reads > 0)
		return reads / t->n_reads;
	return fmax(n > LONG ? decoded : 0,
		    t->uneven ? slots / t->width * (1 + unevenness(mix)) : 0);
}

bool truth_may_mix(void *context, uint32_t x, uint32_t y)
{
	const struct truth *t = context;

	return (t->forms[x].side | t->forms[y].side) != 3;
}

static bool is_unstable(const struct truth *t, uint32_t x, uint32_t y)
{
	return t->forms[x].unstable && t->forms[y].n_uses > 0 &&
	       t->forms[y].uses[0].cycles > 1;
}

static bool is_possible(struct truth *t, const struct ports_mix *mix)
{
	for (size_t i = 0; i < mix->n; i++)
		for (size_t k = 0; k < i; k++)
			if (is_unstable(t, mix->part[i].form,
					mix->part[k].form) ||
			    is_unstable(t, mix->part[k].form,
					mix->part[i].form) ||
			    !truth_may_mix(t, mix->part[i].form,
					   mix->part[k].form))
				return false;
	return true;
}

int truth_measure(void *context, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret, struct err *e)
{
	struct truth *t = context;

	(void)e;
	for (size_t i = 0; i < n; i++) {
		double cycles = t->greedy ? greedy_cycles(t, &mixes[i])
					  : truth_cycles(t, &mixes[i]);

		ret[i] = observe(t, fmax(front_cycles(t, &mixes[i]), cycles));
		ret[i].has_value = (!t->spent || phase <= PORTS_MERGE) &&
				   is_possible(t, &mixes[i]);
	}
	t->n_measured += n;
	return ERR_OK;
}

/* ---- the score ----------------------------------------------------------- */

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
