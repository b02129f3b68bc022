/* Dual-issue in-order cores: which pairs of forms start together, and in which
 * order.
 *
 * Alternating two forms does not show the order: A B A B pairs as AB AB or as A
 * BA BA. Patterns of three forms do, if most of the pairs are known. Example: S
 * pairs with neither form; then S A B takes two cycles if and only if B starts
 * with A (pair_patterns.h). Every form is measured with a representative of
 * each class; a class is a set of forms that no such pattern distinguishes.
 * Some forms from all parts of the list are tried first, because a class that
 * pairs with only one other class shows in no other pattern. */
#include <math.h>
#include <string.h>

#include "host/ports/infer.h"
#include "host/ports/pair_patterns.h"

enum {
	MAX_ROUNDS = 64,
	MAX_TRIES = 6,
	MAX_REPRESENTATIVES = 64,
	SEEDS = 40,
};

/* Upper limit for a form that starts in every cycle, but not twice in one. */
static const double one_cycle = 1.06;
/* Upper limit for a form that starts twice in a cycle. */
static const double twice = 0.75;

struct pairing {
	struct infer *in;
	struct patterns *patterns;
	size_t n_forms, n_representatives, n_classes;
	uint32_t *forms;                             /* the pipelined forms */
	size_t representatives[MAX_REPRESENTATIVES]; /* indices into `forms` */
	/* For form f and representative k at f * MAX_REPRESENTATIVES + k: the
	 * remaining ways, with the form first; and how often the pair was
	 * measured. */
	uint8_t *ways, *tries;
	bool *self;
	uint8_t *class_of;
	size_t first[MAX_REPRESENTATIVES]; /* the first form of each class */
};

static uint8_t *ways_of(const struct pairing *p, size_t form,
			size_t representative)
{
	return &p->ways[form * MAX_REPRESENTATIVES + representative];
}

/* The ways with the order of the two forms reversed. */
static uint8_t pairing_reverse_ways(uint8_t ways)
{
	return (uint8_t)((ways & (PATTERN_NEVER | PATTERN_BOTH)) |
			 (ways & 2) << 1 | (ways & 4) >> 1);
}

static bool is_one(uint8_t ways)
{
	return (ways & (ways - 1)) == 0;
}

/* ---- classes ------------------------------------------------------------- */

/* Do no representative and no repetition distinguish these forms? */
static bool pairing_is_same(const struct pairing *p, size_t x, size_t y)
{
	return p->self[x] == p->self[y] &&
	       memcmp(ways_of(p, x, 0), ways_of(p, y, 0),
		      p->n_representatives) == 0;
}

static void add_representative(struct pairing *p, size_t form)
{
	size_t k = p->n_representatives++;

	p->representatives[k] = form;
	for (size_t f = 0; f < p->n_forms; f++)
		*ways_of(p, f, k) = PATTERN_OPEN;
	/* Two instances of one form are known, and a pair of representatives is
	 * measured once. */
	*ways_of(p, form, k) = p->self[form] ? PATTERN_BOTH : PATTERN_NEVER;
	for (size_t other = 0; other < k; other++)
		*ways_of(p, p->representatives[other], k) =
			pairing_reverse_ways(*ways_of(p, form, other));
}

/* Divide the forms into classes by what is known. The first form of each class
 * without a representative becomes its representative. Returns the number of
 * new ones. */
static size_t pairing_split(struct pairing *p)
{
	size_t before = p->n_representatives;
	bool has_representative[MAX_REPRESENTATIVES] = { false };

	p->n_classes = 0;
	for (size_t i = 0; i < p->n_forms; i++) {
		size_t c = 0;

		while (c < p->n_classes && !pairing_is_same(p, i, p->first[c]))
			c++;
		if (c == p->n_classes && c + 1 < MAX_REPRESENTATIVES)
			p->first[p->n_classes++] = i;
		p->class_of[i] = (uint8_t)c;
	}
	for (size_t k = 0; k < before; k++)
		has_representative[p->class_of[p->representatives[k]]] = true;
	for (size_t c = 0; c < p->n_classes; c++)
		if (!has_representative[c] &&
		    p->n_representatives < MAX_REPRESENTATIVES)
			add_representative(p, p->first[c]);
	return p->n_representatives - before;
}

/* ---- one pattern for each pair --------------------------------------- */

struct pair_question {
	size_t form, representative;
	struct pattern_known known;
	struct pair_pattern pattern;
};

static struct pattern_known known_of(const struct pairing *p, size_t form,
				     size_t representative, size_t z)
{
	size_t y = p->representatives[representative];

	return (struct pattern_known){
		.self = { p->self[form], p->self[y],
			  p->self[p->representatives[z]] },
		.xy = *ways_of(p, form, representative),
		.xz = *ways_of(p, form, z),
		.yz = *ways_of(p, y, z),
	};
}

/* Choose the third form that makes the shortest pattern; false: there is no
 * pattern. */
static bool pairing_choose_pattern(const struct pairing *p, size_t form,
				   size_t representative,
				   struct pair_question *ret, size_t *ret_z)
{
	struct pattern_known k =
		known_of(p, form, representative, representative);

	*ret = (struct pair_question){ form, representative, k,
				       patterns_best(p->patterns, &k, false) };
	*ret_z = representative;
	for (size_t z = 0; z < p->n_representatives; z++) {
		struct pair_pattern pattern;

		if (z == representative || p->representatives[z] == form)
			continue;
		k = known_of(p, form, representative, z);
		pattern = patterns_best(p->patterns, &k, true);
		if (pattern.n == 0 ||
		    (ret->pattern.n > 0 && pattern.n >= ret->pattern.n))
			continue;
		ret->known = k;
		ret->pattern = pattern;
		*ret_z = z;
	}
	return ret->pattern.n > 0;
}

static struct ports_mix pairing_mix_of(const struct pairing *p,
				       const struct pair_question *q, size_t z)
{
	const size_t of[PATTERN_N_LETTERS] = {
		[PATTERN_X] = q->form,
		[PATTERN_Y] = p->representatives[q->representative],
		[PATTERN_Z] = p->representatives[z],
	};
	struct ports_mix mix = { .n = 0 };

	for (size_t i = 0; i < q->pattern.n; i++)
		infer_add(&mix, p->forms[of[q->pattern.letter[i]]], 1);
	return mix;
}

/* Is this pair measured in the other direction, because the form is an earlier
 * representative itself? */
static bool is_measured_there(const struct pairing *p, size_t form,
			      size_t representative)
{
	for (size_t k = 0; k < representative; k++)
		if (p->representatives[k] == form)
			return true;
	return false;
}

static void pairing_note(struct pairing *p, const struct pair_question *q,
			 const struct ports_value *v)
{
	uint8_t *ways = ways_of(p, q->form, q->representative);
	uint8_t left =
		v->has_value ? patterns_left(&q->known, &q->pattern, v->cycles)
			     : *ways;

	p->tries[q->form * MAX_REPRESENTATIVES + q->representative]++;
	if (left == 0)
		return;
	*ways = left;
	for (size_t k = 0; k < p->n_representatives; k++)
		if (p->representatives[k] == q->form)
			*ways_of(p, p->representatives[q->representative], k) =
				pairing_reverse_ways(left);
}

/* Measure one pattern for every open pair; *ret_n: how many there were. */
static int pairing_measure_open(struct pairing *p, size_t *ret_n)
{
	struct infer *in = p->in;
	size_t room = p->n_forms * p->n_representatives + 1, n = 0, z;
	struct pair_question *list =
		ARENA_ARRAY(in->a, struct pair_question, room);
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, room);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, room);

	for (size_t f = 0; f < p->n_forms; f++)
		for (size_t k = 0; k < p->n_representatives; k++) {
			if (is_one(*ways_of(p, f, k)) ||
			    p->tries[f * MAX_REPRESENTATIVES + k] >=
				    MAX_TRIES ||
			    is_measured_there(p, f, k) ||
			    !pairing_choose_pattern(p, f, k, &list[n], &z))
				continue;
			mixes[n] = pairing_mix_of(p, &list[n], z);
			n++;
		}
	*ret_n = n;
	if (infer_measure(in, PORTS_MATRIX, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++)
		pairing_note(p, &list[i], &values[i]);
	return ERR_OK;
}

/* Keep one representative of each class; the first form of a class without one
 * becomes its representative. */
static void keep_one_of_each(struct pairing *p)
{
	size_t n = 0;

	(void)pairing_split(p);
	for (size_t k = 0; k < p->n_representatives; k++) {
		size_t c = p->class_of[p->representatives[k]], i = 0;

		while (i < n && p->class_of[p->representatives[i]] != c)
			i++;
		if (i < n)
			continue;
		p->representatives[n] = p->representatives[k];
		for (size_t f = 0; f < p->n_forms; f++)
			*ways_of(p, f, n) = *ways_of(p, f, k);
		n++;
	}
	p->n_representatives = n;
	memset(p->tries, 0, p->n_forms * MAX_REPRESENTATIVES);
}

static int pairing_classify(struct pairing *p)
{
	size_t n_new = 1, n;

	for (size_t i = 0; i < SEEDS && i < p->n_forms; i++)
		add_representative(
			p, p->n_forms <= SEEDS ? i : i * p->n_forms / SEEDS);
	/* Find which forms start together, and in which order. */
	if (pairing_measure_open(p, &n) != ERR_OK)
		return p->in->e->code;
	keep_one_of_each(p);

	for (int round = 0; round < MAX_ROUNDS && n + n_new > 0; round++) {
		if (pairing_measure_open(p, &n) != ERR_OK)
			return p->in->e->code;
		/* Add a representative only when the present ones yield no
		 * more. */
		n_new = n == 0 ? pairing_split(p) : 0;
	}
	(void)pairing_split(p);
	return ERR_OK;
}

/* ---- the answer ---------------------------------------------------------- */

static size_t representative_of(const struct pairing *p, size_t c)
{
	size_t k = 0;

	while (k + 1 < p->n_representatives &&
	       p->class_of[p->representatives[k]] != (uint8_t)c)
		k++;
	return k;
}

/* Exclude classes with unknown pairs, the worst first. All pairs of the
 * remaining classes are known. */
static void leave_open(const struct pairing *p, bool *left)
{
	for (;;) {
		size_t most = 0, worst = 0;

		for (size_t c = 0; c < p->n_classes; c++) {
			size_t open = 0;

			for (size_t d = 0; d < p->n_classes && !left[c]; d++)
				open += !left[d] &&
					!is_one(*ways_of(
						p, p->first[c],
						representative_of(p, d)));
			/* Of equals, exclude the later one, which is the
			 * rarer. */
			if (open > 0 && open >= most) {
				most = open;
				worst = c;
			}
		}
		if (most == 0)
			return;
		left[worst] = true;
		infer_note(
			p->in,
			arena_printf(p->in->a,
				     "In which order %s and forms like it "
				     "start with others is not known: the "
				     "table is without them.",
				     p->in->q->forms[p->forms[p->first[worst]]]
					     .name));
	}
}

static void pairing_answer(struct pairing *p)
{
	struct ports_answer *w = p->in->w;
	bool left[MAX_REPRESENTATIVES] = { false };
	uint8_t *classes = ARENA_ARRAY(p->in->a, uint8_t, p->in->q->n_forms);
	uint8_t number[MAX_REPRESENTATIVES] = { 0 };

	leave_open(p, left);
	w->pairs = arena_alloc(p->in->a, MODEL_MAX_CLASSES, sizeof(*w->pairs));
	w->pairing = classes;
	for (size_t c = 0; c < p->n_classes; c++)
		if (!left[c]) {
			number[c] = (uint8_t)++w->n_pairs;
			w->pair_forms[number[c]] = p->forms[p->first[c]];
		}
	for (size_t i = 0; i < p->n_forms; i++)
		if (p->class_of[i] < p->n_classes)
			classes[p->forms[i]] = number[p->class_of[i]];
	for (size_t c = 0; c < p->n_classes; c++)
		for (size_t d = 0; d < p->n_classes && !left[c]; d++) {
			uint8_t ways = *ways_of(p, p->first[c],
						representative_of(p, d));

			/* Ways 1 and 3 start together in this order. */
			if (!left[d])
				w->pairs[number[c]][number[d]] =
					(ways & (2 | PATTERN_BOTH)) != 0;
		}
	/* Choose random mixes of different forms that were not used to find the
	 * width. */
	for (size_t c = 0; c < p->n_classes; c++)
		for (size_t k = 0; k < p->n_representatives; k++)
			if (!(*ways_of(p, p->first[c], k) & PATTERN_NEVER))
				p->in->width = p->in->cap = PORTS_NARROW_WIDTH;
}

int infer_pairing(struct infer *in)
{
	struct pairing p = { .in = in };
	size_t n = in->q->n_forms;
	int code;

	p.forms = ARENA_ARRAY(in->a, uint32_t, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		struct form_state *f = &in->f[i];

		if (!f->alone.has_value)
			continue;
		f->verdict = PORTS_OK;
		f->how = "by words of forms that start together or not";
		if (f->alone.cycles < one_cycle)
			p.forms[p.n_forms++] = i;
	}
	if (p.n_forms == 0)
		return ERR_OK;
	p.ways = ARENA_ARRAY(in->a, uint8_t, p.n_forms * MAX_REPRESENTATIVES);
	p.tries = ARENA_ARRAY(in->a, uint8_t, p.n_forms * MAX_REPRESENTATIVES);
	p.class_of = ARENA_ARRAY(in->a, uint8_t, p.n_forms);
	p.self = ARENA_ARRAY(in->a, bool, p.n_forms);
	for (size_t i = 0; i < p.n_forms; i++)
		p.self[i] = in->f[p.forms[i]].alone.cycles < twice;
	p.patterns = patterns_new();
	code = pairing_classify(&p);
	patterns_free(p.patterns);
	if (code == ERR_OK)
		pairing_answer(&p);
	return code;
}
