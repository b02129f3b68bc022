/* Cores that start two at a time: which pairs start together, and in which
 * order.
 *
 * Alternating forms do not tell the order: A B A B pairs as AB AB or as
 * A BA BA.  Beside a separator that starts with nobody, S A B takes two cycles
 * just when B starts with A.  Classes are forms that no such triple tells
 * apart. */
#include <math.h>
#include <string.h>

#include "host/ports/infer.h"

enum { MAX_SEPARATORS = 24, MAX_ROUNDS = 6 };

/* Nearer to two cycles than to three. */
static const double together = 2.5;
/* A form that starts in every cycle, but not twice in one. */
static const double one_cycle = 1.06;

struct pairing {
	struct infer *in;
	uint32_t separator;
	size_t n_forms, n_founders;
	uint32_t *forms; /* pipelined ones */
	uint32_t founders[MODEL_MAX_CLASSES];
	/* Of form f and founder k at f * MODEL_MAX_CLASSES + k: bit 0: the
	 * founder starts with the form, bit 1: the form with the founder. */
	uint8_t *with;
	uint8_t *self;
	uint8_t *class_of;
};

static bool is_alone(const struct form_state *f)
{
	return f->alone.has_value && f->alone.cycles > 0.94 &&
	       f->alone.cycles < one_cycle;
}

/* A form that starts with none of the others, whichever comes first. */
static int find_separator(struct pairing *p, bool *ret_found)
{
	struct infer *in = p->in;
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_forms);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, in->q->n_forms);
	size_t tried = 0;

	*ret_found = false;
	for (uint32_t s = (uint32_t)in->q->n_forms;
	     s-- > 0 && tried < MAX_SEPARATORS;) {
		size_t n = 0;
		bool good = true;

		if (!is_alone(&in->f[s]))
			continue;
		tried++;
		for (size_t i = 0; i < p->n_forms; i++) {
			if (p->forms[i] == s)
				continue;
			mixes[n] = (struct ports_mix){ .n = 0 };
			infer_add(&mixes[n], s, 1);
			infer_add(&mixes[n++], p->forms[i], 1);
		}
		if (infer_measure(in, PORTS_MERGE, mixes, n, values) != ERR_OK)
			return in->e->code;
		for (size_t i = 0; i < n; i++)
			good &= !values[i].has_value || values[i].cycles > 1.25;
		if (good) {
			p->separator = s;
			*ret_found = true;
			return ERR_OK;
		}
	}
	return ERR_OK;
}

static int measure_founder(struct pairing *p, size_t k)
{
	struct infer *in = p->in;
	struct ports_mix *mixes =
		ARENA_ARRAY(in->a, struct ports_mix, 2 * p->n_forms + 1);
	struct ports_value *values =
		ARENA_ARRAY(in->a, struct ports_value, 2 * p->n_forms + 1);
	size_t n = 0;

	for (size_t i = 0; i < 2 * p->n_forms; i++) {
		uint32_t x = p->forms[i / 2], y = p->founders[k];

		mixes[n] = (struct ports_mix){ .n = 0 };
		infer_add(&mixes[n], p->separator, 1);
		infer_add(&mixes[n], i % 2 ? y : x, 1);
		infer_add(&mixes[n++], i % 2 ? x : y, 1);
	}
	if (infer_measure(in, PORTS_MATRIX, mixes, n, values) != ERR_OK)
		return in->e->code;
	for (size_t i = 0; i < n; i++) {
		uint8_t *with = &p->with[i / 2 * MODEL_MAX_CLASSES + k];
		bool same = p->forms[i / 2] == p->founders[k] ||
			    p->forms[i / 2] == p->separator ||
			    p->founders[k] == p->separator;
		bool yes = values[i].has_value && values[i].cycles < together;

		/* Two of one form need no separator to be told. */
		if (p->forms[i / 2] == p->founders[k])
			yes = p->self[i / 2];
		else if (same)
			yes = false;
		*with |= (uint8_t)(yes ? 1 << i % 2 : 0);
	}
	return ERR_OK;
}

/* Do no founder and no repetition tell these forms apart? */
static bool is_same(const struct pairing *p, size_t x, size_t y)
{
	return p->self[x] == p->self[y] &&
	       memcmp(&p->with[x * MODEL_MAX_CLASSES],
		      &p->with[y * MODEL_MAX_CLASSES], p->n_founders) == 0;
}

/* Classes by what is known; the first of each that has no founder becomes
 * one.  Returns how many did. */
static size_t split(struct pairing *p)
{
	size_t n_classes = 0, before = p->n_founders, first[MODEL_MAX_CLASSES];
	bool has_founder[MODEL_MAX_CLASSES] = { 0 };

	for (size_t i = 0; i < p->n_forms; i++) {
		size_t c = 0;

		while (c < n_classes && !is_same(p, i, first[c]))
			c++;
		if (c == n_classes && n_classes + 1 < MODEL_MAX_CLASSES)
			first[n_classes++] = i;
		p->class_of[i] = (uint8_t)c;
		for (size_t k = 0; k < before && c < n_classes; k++)
			has_founder[c] |= p->founders[k] == p->forms[i];
	}
	for (size_t c = 0; c < n_classes; c++)
		if (!has_founder[c] && p->n_founders + 1 < MODEL_MAX_CLASSES)
			p->founders[p->n_founders++] = p->forms[first[c]];
	return p->n_founders - before;
}

static void answer(struct pairing *p)
{
	struct ports_answer *w = p->in->w;
	size_t n = 0;

	w->pairs = arena_alloc(p->in->a, MODEL_MAX_CLASSES, sizeof(*w->pairs));
	uint8_t *classes = ARENA_ARRAY(p->in->a, uint8_t, p->in->q->n_forms);

	w->pairing = classes;
	for (size_t i = 0; i < p->n_forms; i++) {
		classes[p->forms[i]] = (uint8_t)(p->class_of[i] + 1);
		if (p->class_of[i] + 1u > n)
			n = p->class_of[i] + 1u;
	}
	w->n_pairs = n;
	for (size_t i = p->n_forms; i-- > 0;) {
		size_t c = p->class_of[i];

		w->pair_forms[c + 1] = p->forms[i];
		for (size_t k = 0; k < p->n_founders; k++) {
			uint8_t with = p->with[i * MODEL_MAX_CLASSES + k];
			size_t d = w->pairing[p->founders[k]];

			w->pairs[c + 1][d] = (with & 1) != 0;
			w->pairs[d][c + 1] = (with >> 1 & 1) != 0;
		}
	}
}

static int classify(struct pairing *p)
{
	for (int round = 0; round < MAX_ROUNDS; round++) {
		size_t from = p->n_founders;

		if (split(p) == 0)
			break;
		for (size_t k = from; k < p->n_founders; k++)
			if (measure_founder(p, k) != ERR_OK)
				return p->in->e->code;
	}
	answer(p);
	return ERR_OK;
}

int infer_pairing(struct infer *in)
{
	struct pairing p = { .in = in };
	size_t n = in->q->n_forms;
	bool found;

	p.forms = ARENA_ARRAY(in->a, uint32_t, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		struct form_state *f = &in->f[i];

		if (!f->alone.has_value)
			continue;
		f->verdict = PORTS_OK;
		f->how = "by pairs, beside a form that starts with nobody";
		if (f->alone.cycles < one_cycle)
			p.forms[p.n_forms++] = i;
	}
	p.with = ARENA_ARRAY(in->a, uint8_t, p.n_forms * MODEL_MAX_CLASSES + 1);
	p.self = ARENA_ARRAY(in->a, uint8_t, p.n_forms + 1);
	p.class_of = ARENA_ARRAY(in->a, uint8_t, p.n_forms + 1);
	for (size_t i = 0; i < p.n_forms; i++)
		p.self[i] = in->f[p.forms[i]].alone.cycles < 0.75;
	if (find_separator(&p, &found) != ERR_OK)
		return in->e->code;
	if (found)
		return classify(&p);
	infer_note(in, "Every form starts together with some other: in which "
		       "order pairs start is not known.");
	return ERR_OK;
}
