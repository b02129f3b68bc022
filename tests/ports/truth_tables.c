/* What tables say of an invented core, and the batches of its forms. */
#include <string.h>

#include "tests/ports/truth.h"

static bool have_equal_uses(const struct truth *t, size_t x, size_t y)
{
	if (t->forms[x].n_uses != t->forms[y].n_uses)
		return false;
	for (size_t k = 0; k < t->forms[x].n_uses; k++)
		if (memcmp(&t->forms[x].uses[k], &t->forms[y].uses[k],
			   sizeof(t->forms[x].uses[k])) != 0)
			return false;
	return true;
}

/* The first form with the uses of this one. */
static size_t first_equal(const struct truth *t, size_t form)
{
	size_t first = 0;

	while (!have_equal_uses(t, first, form))
		first++;
	return first;
}

void truth_set_batches(const struct truth *t, struct ports_form *forms)
{
	for (size_t i = 0; i < t->n_forms; i++) {
		forms[i].batch =
			first_equal(t, i) == i ? 0 : (uint16_t)(1 + i % 4);
		if (t->forms[i].blocks != 0)
			forms[i].batch = 4;
	}
}

void truth_publish(const struct truth *t, struct ports_form *forms)
{
	enum { ONE_IN = 8 };
	uint64_t random = t->n_forms;

	for (size_t i = 0; i < t->n_forms; i++) {
		size_t of = i;

		if (truth_below(&random, ONE_IN) == 0)
			of = truth_below(&random, (unsigned)t->n_forms);
		forms[i].published = (uint32_t)first_equal(t, of) + 1;
	}
}
