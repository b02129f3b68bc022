/* How many forms have a wrong claim of ports: a mix with such a form takes
 * another time than the claims say.  A wrong time does not say which form of
 * the mix is wrong; the fewest forms that explain all wrong mixes are counted,
 * found greedily. */
#include <math.h>
#include <stdlib.h>

#include "tests/ports/truth.h"

enum {
	MIXES_PER_FORM = 60,
	MOST_OTHERS = 2,
	MOST_COUNT = 6,
	MOST_OWN = 3,
};

/* Forms of a mix that is predicted wrong. */
struct wrong_mix {
	size_t n;
	uint32_t form[1 + MOST_OTHERS];
};

static const double tolerance = 0.01;

static void draw(struct truth *t, uint32_t form, const uint32_t *claimed,
		 size_t n, struct ports_mix *ret)
{
	ret->n = 2 + truth_below(&t->random, MOST_OTHERS);
	ret->part[0].form = form;
	ret->part[0].count = 1 + truth_below(&t->random, MOST_OWN);
	for (size_t i = 1; i < ret->n; i++) {
		ret->part[i].form =
			claimed[truth_below(&t->random, (unsigned)n)];
		ret->part[i].count = 1 + truth_below(&t->random, MOST_COUNT);
	}
}

static size_t most_blamed(const struct wrong_mix *mixes, size_t n,
			  size_t *counts, size_t n_forms)
{
	size_t most = 0;

	for (size_t i = 0; i < n_forms; i++)
		counts[i] = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < mixes[i].n; k++)
			counts[mixes[i].form[k]]++;
	for (size_t i = 0; i < n_forms; i++)
		if (counts[i] > counts[most])
			most = i;
	return most;
}

static size_t without(struct wrong_mix *mixes, size_t n, size_t form)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		bool has = false;

		for (size_t k = 0; k < mixes[i].n; k++)
			has |= mixes[i].form[k] == form;
		if (!has)
			mixes[kept++] = mixes[i];
	}
	return kept;
}

/* Does the front end limit the mix, or could it?  An uneven one takes a
 * seventh longer than its width at most, and slots have no claims there. */
static bool is_hidden(const struct truth *t, const struct ports_mix *mix)
{
	double slots = 0;

	if (!t->uneven)
		return false;
	for (size_t i = 0; i < mix->n; i++)
		slots += mix->part[i].count *
			 (double)t->forms[mix->part[i].form].slots;
	return truth_cycles(t, mix) <= slots / t->width * 8 / 7;
}

size_t truth_wrong(struct truth *t, truth_expect *expect, void *context,
		   const uint32_t *claimed, size_t n, bool *ret_wrong)
{
	size_t *counts = xrealloc(NULL, t->n_forms + 1, sizeof(*counts));
	struct wrong_mix *wrong =
		xrealloc(NULL, n * MIXES_PER_FORM + 1, sizeof(*wrong));
	size_t n_wrong = 0, ret = 0;

	for (size_t i = 0; i < n * MIXES_PER_FORM; i++) {
		struct ports_mix mix;
		double real, found;

		draw(t, claimed[i / MIXES_PER_FORM], claimed, n, &mix);
		real = truth_cycles(t, &mix);
		found = expect(context, &mix);
		if (found <= 0 || fabs(found / real - 1) <= tolerance ||
		    is_hidden(t, &mix))
			continue;
		wrong[n_wrong].n = mix.n;
		for (size_t k = 0; k < mix.n; k++)
			wrong[n_wrong].form[k] = mix.part[k].form;
		n_wrong++;
	}
	for (size_t i = 0; i < t->n_forms; i++)
		ret_wrong[i] = false;
	for (; n_wrong > 0; ret++) {
		size_t form = most_blamed(wrong, n_wrong, counts, t->n_forms);

		ret_wrong[form] = true;
		n_wrong = without(wrong, n_wrong, form);
	}
	free(counts);
	free(wrong);
	return ret;
}
