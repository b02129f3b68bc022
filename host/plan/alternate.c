/* See alternate.h. */
#include "host/plan/alternate.h"

#include <stdlib.h>

#include "host/plan/forward.h"

static bool is_chosen(const struct alternate_request *q,
		      const struct experiment *x)
{
	return q->is_chosen(q->choice, x->steps[0].form);
}

/* Pair every form that is not on the list with two references of its type;
 * pair two references once. */
static void add_others(const struct alternate_request *q,
		       const struct experiment *list, size_t n)
{
	const struct catalogue *c = q->catalogue;
	struct experiment of[FORWARD_MAX_FORMS], x, turns;
	size_t n_of = forward_references(c, of);

	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];
		size_t k = 0;

		if (!q->is_chosen(q->choice, f) ||
		    !forward_other(c, f, list, n, &x))
			continue;
		for (size_t m = 0; m < n_of; m++)
			if (of[m].steps[0].form == f)
				k = m;
		for (; k < n_of; k++)
			if (forward_pair(c, &x, &of[k], &turns))
				q->add(q->context, &turns);
	}
}

/* Chains that alternate two forms; the cost of each alone shows what the change
 * costs. */
static void add_alternating(const struct alternate_request *q,
			    struct experiment list[FORWARD_MAX_FORMS])
{
	size_t n = forward_forms(q->catalogue, list);
	struct experiment x, turns;

	for (size_t i = 0; i < n; i++) {
		if (!is_chosen(q, &list[i]))
			continue;
		if (forward_queue(q->catalogue, list, i, &x))
			q->add(q->context, &x);
		for (size_t k = i + 1; k < n; k++)
			if (is_chosen(q, &list[k]) &&
			    forward_pair(q->catalogue, &list[i], &list[k],
					 &turns))
				q->add(q->context, &turns);
	}
	add_others(q, list, n);
}

static void add_written(const struct alternate_request *q,
			struct experiment list[FORWARD_MAX_FORMS])
{
	size_t n = forward_written_forms(q->catalogue, list);
	struct experiment x;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (is_chosen(q, &list[i]) && is_chosen(q, &list[k]) &&
			    forward_written(q->catalogue, &list[i], &list[k],
					    &x))
				q->add(q->context, &x);
}

void alternate_experiments(const struct alternate_request *q)
{
	struct experiment *list =
		xrealloc(NULL, FORWARD_MAX_FORMS, sizeof(*list));

	add_alternating(q, list);
	add_written(q, list);
	free(list);
}
