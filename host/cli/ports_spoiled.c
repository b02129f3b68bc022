/* Was a pack spoiled?
 *
 * A neighbour that is never seen to rest looks like silence: nothing tells that
 * it is there but that hardly a mix gets a value.  Such a pack says nothing of
 * its mixes, least of all that they cannot be had.  Where few mixes are left,
 * all of them may be such as nobody can measure: so some that had a value
 * before are measured with them, and tell. */
#include "host/cli/ports_hunt.h"

enum {
	FEW = 64,  /* mixes: with more, most of them tell */
	GOOD = 10, /* of so many mixes of a good pack no more than one is lost
		    */
};

static size_t n_results(const struct hunt *h, const struct experiment *x)
{
	char label[PACK_MAX_LABEL];

	return hunt_label(h, x, label) ? ports_answers_n(h->answers, label) : 0;
}

size_t hunt_controls(const struct hunt *h, size_t n)
{
	return h->lossy && n < FEW ? h->n_controls : 0;
}

void hunt_count(const struct hunt *h, const struct experiment *list,
		const size_t *wanted, size_t n, size_t *ret)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = n_results(h, &list[wanted[i]]);
	for (size_t i = 0; i < hunt_controls(h, n); i++)
		ret[n + i] = n_results(h, &h->controls[i]);
}

/* Mixes that this pack brought a value of, spread over it.  A pack that lost
 * many may have them by chance. */
static void choose_controls(struct hunt *h, const struct experiment *list,
			    const size_t *wanted, size_t n,
			    const size_t *before)
{
	size_t n_new = 0;

	for (size_t k = 0; k < HUNT_CONTROLS; k++)
		for (size_t i = n * k / HUNT_CONTROLS;
		     i < n * (k + 1) / HUNT_CONTROLS; i++)
			if (n_results(h, &list[wanted[i]]) > before[i]) {
				h->controls[n_new++] = list[wanted[i]];
				break;
			}
	h->n_controls = n_new;
}

void hunt_judge(struct hunt *h, const struct experiment *list,
		const size_t *wanted, size_t n, const size_t *before)
{
	size_t n_controls = hunt_controls(h, n);
	size_t n_lost = 0, lost_controls = 0;
	char label[PACK_MAX_LABEL];

	for (size_t i = 0; i < n; i++)
		n_lost += n_results(h, &list[wanted[i]]) == before[i];
	for (size_t i = 0; i < n_controls; i++)
		lost_controls += n_results(h, &h->controls[i]) == before[n + i];
	h->spoiled = n_controls > 0 ? 2 * lost_controls >= n_controls
				    : 2 * n_lost > n;
	h->lossy = n_lost > 0;
	for (size_t i = 0; i < n && !h->spoiled; i++)
		if (n_results(h, &list[wanted[i]]) == before[i] &&
		    h->probe.busy < hunt_busy &&
		    hunt_label(h, &list[wanted[i]], label))
			ports_answers_lose(h->answers, label);
	if (n >= FEW && GOOD * n_lost <= n)
		choose_controls(h, list, wanted, n, before);
}
