/* Chains whose other dependencies helpers cut.  A helper may disturb what it
 * cuts, so a cut is measured with several kinds of them, and the lowest
 * counts. */
#include <string.h>

#include "host/solve/judging.h"

/* Is x the better record of the two? The one that has a value; if both have
 * one, the lower one; if only one is settled, it is better unless the other is
 * lower for certain. */
static bool is_better(const struct record *x, const struct record *y)
{
	const struct estimate *a = &x->estimate, *b = &y->estimate;
	bool settled = a->state == VERDICT_OK;

	if (!judging_is_usable(x) || !judging_is_usable(y))
		return judging_is_usable(x) && !judging_is_usable(y);
	if (settled == (b->state == VERDICT_OK))
		return a->high < b->high;
	return settled ? a->low * (1 - judging_slack) <= b->high
		       : a->high < b->low * (1 - judging_slack);
}

/* The best of records with as many helpers, sorted; the first of several. */
static const struct record *judge_lowest(const struct record *r, size_t n)
{
	const struct record *best = r;

	for (size_t i = 1; i < n; i++)
		if (is_better(&r[i], best))
			best = &r[i];
	return best;
}

const struct record *judging_cut(const struct record *r, size_t n)
{
	size_t first = n - 1;

	while (first > 0 &&
	       r[first - 1].label.n_helpers == r[n - 1].label.n_helpers)
		first--;
	return judge_lowest(r + first, n - first);
}

bool judging_is_worse(const struct judge *j, const struct record *r)
{
	const struct record *first = r, *end = r + 1;

	while (first > j->records && judging_compare_key(first - 1, r) == 0 &&
	       first[-1].label.n_helpers == r->label.n_helpers)
		first--;
	while (end < j->records + j->n && judging_compare_key(r, end) == 0 &&
	       end->label.n_helpers == r->label.n_helpers)
		end++;
	return judge_lowest(first, (size_t)(end - first)) != r;
}

static bool has_same_helpers(const struct label *x, const struct label *y)
{
	if (x->n_helpers != y->n_helpers)
		return false;
	for (size_t i = 0; i < x->n_helpers; i++)
		if (strcmp(x->helpers[i].form, y->helpers[i].form) != 0)
			return false;
	return true;
}

const struct record *judging_alike(const struct judge *j,
				   const struct record *first,
				   const struct record *r)
{
	const struct record *end = j->records + j->n;

	for (const struct record *x = first; x && x < end; x++) {
		if (judging_compare_key(x, first) != 0)
			break;
		if (has_same_helpers(&x->label, &r->label) &&
		    judging_is_usable(x))
			return x;
	}
	return first;
}

bool judging_is_uncut(const struct judge *j, const struct record *r)
{
	return r + 1 < j->records + j->n &&
	       judging_compare_key(r, r + 1) == 0 &&
	       r[1].label.n_helpers > r->label.n_helpers;
}
