/* Cores that start two at a time: which pairs start together, and in which
 * order.
 *
 * Alternating forms do not tell the order: A B A B pairs as AB AB or as
 * A BA BA.  Words of three forms do, of which most is known already: beside S
 * that starts with neither, S A B takes two cycles just when B starts with A
 * (words.h).  Every form is tried with one of each class, and classes are
 * forms that no such word tells apart.  A few forms from all over the list are
 * tried first: a class that starts with only one other one shows beside no
 * form but of that. */
#include <math.h>
#include <string.h>

#include "host/ports/infer.h"
#include "host/ports/words.h"

enum {
	MAX_ROUNDS = 64,
	MAX_TRIES = 6,
	MAX_FOUNDERS = 64,
	SEEDS = 40,
	NARROW = 2
};

/* A form that starts in every cycle, but not twice in one. */
static const double one_cycle = 1.06;
/* A form that starts twice in a cycle takes less than this. */
static const double twice = 0.75;

struct pairing {
	struct infer *in;
	struct words *words;
	size_t n_forms, n_founders, n_classes;
	uint32_t *forms;               /* pipelined ones */
	size_t founders[MAX_FOUNDERS]; /* among those */
	/* Of form f and founder k at f * MAX_FOUNDERS + k: the ways that are
	 * left, the form before the founder; how often it was asked. */
	uint8_t *ways, *tries;
	bool *self;
	uint8_t *class_of;
	size_t first[MAX_FOUNDERS]; /* form of each class */
};

static uint8_t *ways_of(const struct pairing *p, size_t form, size_t founder)
{
	return &p->ways[form * MAX_FOUNDERS + founder];
}

/* The same, the founder before the form. */
static uint8_t turned(uint8_t ways)
{
	return (uint8_t)((ways & (WORDS_NEVER | WORDS_BOTH)) | (ways & 2) << 1 |
			 (ways & 4) >> 1);
}

static bool is_one(uint8_t ways)
{
	return (ways & (ways - 1)) == 0;
}

/* ---- classes ------------------------------------------------------------- */

/* Do no founder and no repetition tell these forms apart? */
static bool is_same(const struct pairing *p, size_t x, size_t y)
{
	return p->self[x] == p->self[y] &&
	       memcmp(ways_of(p, x, 0), ways_of(p, y, 0), p->n_founders) == 0;
}

static void add_founder(struct pairing *p, size_t form)
{
	size_t k = p->n_founders++;

	p->founders[k] = form;
	for (size_t f = 0; f < p->n_forms; f++)
		*ways_of(p, f, k) = WORDS_OPEN;
	/* What two of one form do is known; of two founders, once is enough. */
	*ways_of(p, form, k) = p->self[form] ? WORDS_BOTH : WORDS_NEVER;
	for (size_t other = 0; other < k; other++)
		*ways_of(p, p->founders[other], k) =
			turned(*ways_of(p, form, other));
}

/* Classes by what is known; the first of each that has no founder becomes
 * one.  Returns how many did. */
static size_t split(struct pairing *p)
{
	size_t before = p->n_founders;
	bool has_founder[MAX_FOUNDERS] = { false };

	p->n_classes = 0;
	for (size_t i = 0; i < p->n_forms; i++) {
		size_t c = 0;

		while (c < p->n_classes && !is_same(p, i, p->first[c]))
			c++;
		if (c == p->n_classes && c + 1 < MAX_FOUNDERS)
			p->first[p->n_classes++] = i;
		p->class_of[i] = (uint8_t)c;
	}
	for (size_t k = 0; k < before; k++)
		has_founder[p->class_of[p->founders[k]]] = true;
	for (size_t c = 0; c < p->n_classes; c++)
		if (!has_founder[c] && p->n_founders < MAX_FOUNDERS)
			add_founder(p, p->first[c]);
	return p->n_founders - before;
}

/* ---- one word of each pair ----------------------------------------------- */

struct question {
	size_t form, founder;
	struct words_known known;
	struct word word;
};

static struct words_known known_of(const struct pairing *p, size_t form,
				   size_t founder, size_t z)
{
	size_t y = p->founders[founder];

	return (struct words_known){
		.self = { p->self[form], p->self[y], p->self[p->founders[z]] },
		.xy = *ways_of(p, form, founder),
		.xz = *ways_of(p, form, z),
		.yz = *ways_of(p, y, z),
	};
}

/* A third form that makes the shortest word; false: there is no word. */
static bool ask(const struct pairing *p, size_t form, size_t founder,
		struct question *ret, size_t *ret_z)
{
	struct words_known k = known_of(p, form, founder, founder);

	*ret = (struct question){ form, founder, k,
				  words_best(p->words, &k, false) };
	*ret_z = founder;
	for (size_t z = 0; z < p->n_founders; z++) {
		struct word word;

		if (z == founder || p->founders[z] == form)
			continue;
		k = known_of(p, form, founder, z);
		word = words_best(p->words, &k, true);
		if (word.n == 0 || (ret->word.n > 0 && word.n >= ret->word.n))
			continue;
		ret->known = k;
		ret->word = word;
		*ret_z = z;
	}
	return ret->word.n > 0;
}

static struct ports_mix mix_of(const struct pairing *p,
			       const struct question *q, size_t z)
{
	const size_t of[WORDS_N_LETTERS] = {
		[WORDS_X] = q->form,
		[WORDS_Y] = p->founders[q->founder],
		[WORDS_Z] = p->founders[z],
	};
	struct ports_mix mix = { .n = 0 };

	for (size_t i = 0; i < q->word.n; i++)
		infer_add(&mix, p->forms[of[q->word.letter[i]]], 1);
	return mix;
}

/* Is this pair asked the other way round: the founder with the form, which is
 * an earlier founder? */
static bool is_asked_there(const struct pairing *p, size_t form, size_t founder)
{
	for (size_t k = 0; k < founder; k++)
		if (p->founders[k] == form)
			return true;
	return false;
}

static void note(struct pairing *p, const struct question *q,
		 const struct ports_value *v)
{
	uint8_t *ways = ways_of(p, q->form, q->founder);
	uint8_t left = v->has_value ? words_left(&q->known, &q->word, v->cycles)
				    : *ways;

	p->tries[q->form * MAX_FOUNDERS + q->founder]++;
	if (left == 0)
		return;
	*ways = left;
	for (size_t k = 0; k < p->n_founders; k++)
		if (p->founders[k] == q->form)
			*ways_of(p, p->founders[q->founder], k) = turned(left);
}

/* One word of every pair that is open; *ret_n: how many there were. */
static int ask_all(struct pairing *p, size_t *ret_n)
{
	struct infer *in = p->in;
	size_t room = p->n_forms * p->n_founders + 1, n = 0, z;
	struct question *list = ARENA_ARRAY(in->a, struct question, room);
	struct ports_mix *mixes = ARENA_ARRAY(in->a, struct ports_mix, room);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, room);

	for (size_t f = 0; f < p->n_forms; f++)
		for (size_t k = 0; k < p->n_founders; k++) {
			if (is_one(*ways_of(p, f, k)) ||
			    p->tries[f * MAX_FOUNDERS + k] >= MAX_TRIES ||
			    is_asked_there(p, f, k) ||
			    !ask(p, f, k, &list[n], &z))
				continue;
			mixes[n] = mix_of(p, &list[n], z);
			n++;
		}
	*ret_n = n;
	if (infer_measure(in, PORTS_MATRIX, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++)
		note(p, &list[i], &values[i]);
	return ERR_OK;
}

/* Of the founders, one of each class; the first of the others is one, too. */
static void keep_one_of_each(struct pairing *p)
{
	size_t n = 0;

	(void)split(p);
	for (size_t k = 0; k < p->n_founders; k++) {
		size_t c = p->class_of[p->founders[k]], i = 0;

		while (i < n && p->class_of[p->founders[i]] != c)
			i++;
		if (i < n)
			continue;
		p->founders[n] = p->founders[k];
		for (size_t f = 0; f < p->n_forms; f++)
			*ways_of(p, f, n) = *ways_of(p, f, k);
		n++;
	}
	p->n_founders = n;
	memset(p->tries, 0, p->n_forms * MAX_FOUNDERS);
}

static int classify(struct pairing *p)
{
	size_t n_new = 1, n;

	for (size_t i = 0; i < SEEDS && i < p->n_forms; i++)
		add_founder(p,
			    p->n_forms <= SEEDS ? i : i * p->n_forms / SEEDS);
	/* Who starts with whom, in one order or the other. */
	if (ask_all(p, &n) != ERR_OK)
		return p->in->e->code;
	keep_one_of_each(p);

	for (int round = 0; round < MAX_ROUNDS && n + n_new > 0; round++) {
		if (ask_all(p, &n) != ERR_OK)
			return p->in->e->code;
		/* With all that one more founder tells, or nothing more. */
		n_new = n == 0 ? split(p) : 0;
	}
	(void)split(p);
	return ERR_OK;
}

/* ---- the answer ---------------------------------------------------------- */

static size_t founder_of(const struct pairing *p, size_t c)
{
	size_t k = 0;

	while (k + 1 < p->n_founders &&
	       p->class_of[p->founders[k]] != (uint8_t)c)
		k++;
	return k;
}

/* Classes of which it is not known how they start with others, worst first.
 * What is left of the table is known. */
static void leave_open(const struct pairing *p, bool *left)
{
	for (;;) {
		size_t most = 0, worst = 0;

		for (size_t c = 0; c < p->n_classes; c++) {
			size_t open = 0;

			for (size_t d = 0; d < p->n_classes && !left[c]; d++)
				open += !left[d] &&
					!is_one(*ways_of(p, p->first[c],
							 founder_of(p, d)));
			/* Of equals the later: the rarer. */
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

static void answer(struct pairing *p)
{
	struct ports_answer *w = p->in->w;
	bool left[MAX_FOUNDERS] = { false };
	uint8_t *classes = ARENA_ARRAY(p->in->a, uint8_t, p->in->q->n_forms);
	uint8_t number[MAX_FOUNDERS] = { 0 };

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
			uint8_t ways =
				*ways_of(p, p->first[c], founder_of(p, d));

			/* Together in this order: ways 1 and 3. */
			if (!left[d])
				w->pairs[number[c]][number[d]] =
					(ways & (2 | WORDS_BOTH)) != 0;
		}
	/* No form twice and none of those that were tried for the width, but
	 * some two. */
	for (size_t c = 0; c < p->n_classes; c++)
		for (size_t k = 0; k < p->n_founders; k++)
			if (!(*ways_of(p, p->first[c], k) & WORDS_NEVER))
				p->in->width = p->in->cap = NARROW;
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
	p.ways = ARENA_ARRAY(in->a, uint8_t, p.n_forms * MAX_FOUNDERS);
	p.tries = ARENA_ARRAY(in->a, uint8_t, p.n_forms * MAX_FOUNDERS);
	p.class_of = ARENA_ARRAY(in->a, uint8_t, p.n_forms);
	p.self = ARENA_ARRAY(in->a, bool, p.n_forms);
	for (size_t i = 0; i < p.n_forms; i++)
		p.self[i] = in->f[p.forms[i]].alone.cycles < twice;
	p.words = words_new();
	code = classify(&p);
	words_free(p.words);
	if (code == ERR_OK)
		answer(&p);
	return code;
}
