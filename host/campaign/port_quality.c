/* Is a pack usable?  See port_searching.h.
 *
 * To the probes, an SMT sibling that is always busy looks like an idle one;
 * the only sign is that few mixes get a value.  Such a pack gives no
 * information about its mixes.  But the mixes that are left may be
 * unmeasurable: all those with a form of two speeds, for example.  So mixes
 * that had a value before are measured again as controls. */
#include "host/campaign/port_searching.h"

enum {
	FEWEST = 16, /* mixes of a pack that controls are chosen from */
	GOOD = 10,   /* a good pack loses at most one of so many mixes */
};

const double port_search_busy = 0.5;

bool port_search_label(const struct port_search *h, const struct experiment *x,
		       char label[PACK_MAX_LABEL])
{
	struct err ignored = { .code = ERR_OK, .message = "" };

	return experiment_label(h->c->catalogue, x, label, &ignored) == ERR_OK;
}

static size_t n_results(const struct port_search *h, const struct experiment *x)
{
	char label[PACK_MAX_LABEL];

	return port_search_label(h, x, label)
		       ? port_answers_n(h->answers, label)
		       : 0;
}

size_t port_search_controls(const struct port_search *h)
{
	return h->lossy ? h->n_controls : 0;
}

void port_search_count(const struct port_search *h,
		       const struct experiment *list, const size_t *wanted,
		       size_t n, size_t *ret)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = n_results(h, &list[wanted[i]]);
	for (size_t i = 0; i < port_search_controls(h); i++)
		ret[n + i] = n_results(h, &h->controls[i]);
}

/* Leave out the controls that this usable pack lost: they are unmeasurable
 * themselves at times.  before: their numbers of results. */
static void drop_controls(struct port_search *h, const size_t *before)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_controls; i++)
		if (n_results(h, &h->controls[i]) > before[i])
			h->controls[n++] = h->controls[i];
	h->n_controls = n;
}

/* New controls are mixes that got a value in this pack, spread over it.  In a
 * pack that lost many mixes a value may be chance. */
static void add_controls(struct port_search *h, const struct experiment *list,
			 const size_t *wanted, size_t n, const size_t *before)
{
	for (size_t k = h->n_controls; k < PORT_SEARCH_CONTROLS; k++)
		for (size_t i = n * k / PORT_SEARCH_CONTROLS;
		     i < n * (k + 1) / PORT_SEARCH_CONTROLS; i++)
			if (n_results(h, &list[wanted[i]]) > before[i]) {
				h->controls[h->n_controls++] = list[wanted[i]];
				break;
			}
}

void port_search_judge(struct port_search *h, const struct experiment *list,
		       const size_t *wanted, size_t n, const size_t *before)
{
	size_t n_controls = port_search_controls(h);
	size_t n_lost = 0, lost_controls = 0;
	char label[PACK_MAX_LABEL];

	for (size_t i = 0; i < n; i++)
		n_lost += n_results(h, &list[wanted[i]]) == before[i];
	for (size_t i = 0; i < n_controls; i++)
		lost_controls += n_results(h, &h->controls[i]) == before[n + i];
	h->unusable = n_controls > 0 ? 2 * lost_controls >= n_controls
				     : 2 * n_lost > n;
	h->lossy = n_lost > 0;
	if (h->unusable)
		return;
	for (size_t i = 0; i < n; i++)
		if (n_results(h, &list[wanted[i]]) == before[i] &&
		    h->probe.busy < port_search_busy &&
		    port_search_label(h, &list[wanted[i]], label))
			port_answers_lose(h->answers, label);
	if (n_controls > 0)
		drop_controls(h, before + n);
	if (n >= FEWEST && GOOD * n_lost <= n)
		add_controls(h, list, wanted, n, before);
}
