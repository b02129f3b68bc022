/* Which random mixes are drawn for the trial and the fit; see check.c.
 *
 * Each choice takes a random number that depends on one form alone, or on the index
 * of the mix.  So if some forms have another verdict when stored results are inferred
 * from again, most mixes are the same and have results. */
#include <stdlib.h>

#include "host/base/random.h"
#include "host/ports/infer.h"

enum {
	MAX_PARTS = 5,
	TRIES = 1 << 14,
};

static bool is_drawn(const struct ports_answer_form *f)
{
	return f->verdict == PORTS_OK || f->verdict == PORTS_OPEN;
}

/* Is there an operand dependency between the form and a form of the mix? */
static bool draw_is_dependent(const struct infer *in,
			      const struct ports_mix *mix, uint32_t form)
{
	const struct ports_form *f = &in->q->forms[form];

	for (size_t i = 0; i < mix->n; i++) {
		const struct ports_form *g = &in->q->forms[mix->part[i].form];

		if ((f->reads & g->writes) != 0 || (g->reads & f->writes) != 0)
			return true;
	}
	return false;
}

static uint64_t draw_key(const struct infer *in, uint64_t x, uint64_t y)
{
	uint64_t state = in->q->seed ^ x << 32 ^ y;

	return random_next(&state);
}

/* Two to MAX_PARTS. */
static size_t draw_parts(uint64_t random)
{
	return 2 + random % (MAX_PARTS - 1);
}

/* Mix number i of the fit; of fewer forms than two where hardly any may mix. */
static struct ports_mix draw_fit(const struct infer *in, uint64_t i)
{
	struct ports_mix mix = { .n = 0 };
	uint64_t state = draw_key(in, i, UINT32_MAX);
	size_t want = draw_parts(random_next(&state));

	for (size_t tries = 0; tries < TRIES && mix.n < want; tries++) {
		uint32_t form = (uint32_t)(random_unit(&state) *
					   (double)in->q->n_forms);
		bool there = !is_drawn(&in->w->forms[form]) ||
			     draw_is_dependent(in, &mix, form) ||
			     !infer_may_join(in, &mix, form);

		for (size_t k = 0; k < mix.n; k++)
			there |= mix.part[k].form == form;
		if (!there)
			infer_add(&mix, form, 1);
	}
	return mix;
}

static size_t list_drawn(const struct infer *in, uint32_t *forms)
{
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++)
		if (infer_in_batch(in, i) && is_drawn(&in->w->forms[i]))
			forms[n++] = i;
	return n;
}

/* Forms are mixed in the order of their keys. */
struct drawn_form {
	uint64_t key;
	uint32_t form;
};

static int by_key(const void *a, const void *b)
{
	const struct drawn_form *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Add mixes of at most MAX_PARTS forms.  Each of the n forms is in at most one: a
 * form that depends on another one of its mix is left out, and so is one that would
 * be alone. */
static void draw_trial(const struct infer *in, const uint32_t *forms, size_t n,
		       uint64_t round, struct ports_mix *mixes, size_t *n_mixes)
{
	struct drawn_form *list = ARENA_ARRAY(in->a, struct drawn_form, n + 1);
	struct ports_mix *mix = NULL;
	size_t want = 0;

	for (size_t i = 0; i < n; i++)
		list[i] = (struct drawn_form){ draw_key(in, forms[i], round),
					       forms[i] };
	qsort(list, n, sizeof(*list), by_key);
	for (size_t i = 0; i < n; i++) {
		if (!mix) {
			mix = &mixes[(*n_mixes)++];
			want = draw_parts(draw_key(in, list[i].form, ~round));
		}
		if (!draw_is_dependent(in, mix, list[i].form))
			infer_add(mix, list[i].form, 1);
		if (mix->n == want)
			mix = NULL;
	}
	if (mix && mix->n < 2)
		(*n_mixes)--;
}

struct ports_mix *infer_draw_trial(struct infer *in, unsigned times,
				   size_t *ret_n)
{
	uint32_t *forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms + 1);
	size_t n = list_drawn(in, forms);
	struct ports_mix *ret =
		ARENA_ARRAY(in->a, struct ports_mix, times * (n / 2 + 1));

	*ret_n = 0;
	for (unsigned i = 0; n >= MAX_PARTS && i < times; i++)
		draw_trial(in, forms, n, i, ret, ret_n);
	return ret;
}

struct ports_mix *infer_draw_fit(struct infer *in, size_t *ret_n)
{
	uint32_t *forms = ARENA_ARRAY(in->a, uint32_t, in->q->n_forms + 1);
	struct ports_mix *ret =
		ARENA_ARRAY(in->a, struct ports_mix, in->q->n_fit + 1);

	*ret_n = 0;
	if (list_drawn(in, forms) < 2)
		return ret;
	for (size_t i = 0; i < in->q->n_fit; i++) {
		ret[*ret_n] = draw_fit(in, i);
		*ret_n += ret[*ret_n].n > 1;
	}
	return ret;
}
