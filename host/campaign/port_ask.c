/* Lists of mixes and chains, measured until they have values; see
 * port_searching.h. */
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/campaign/port_searching.h"

/* Packs for a list: a mix that no visit in one pack showed may have another place
 * in the next one. */
enum { PASSES = PORT_ANSWERS_ATTEMPTS };

/* Find the experiments that still lack results; the others are answered. */
static size_t find_wanted(struct port_search *h, const struct port_question *q,
			  bool *answered, struct ports_value *ret,
			  size_t *wanted)
{
	const struct experiment *list = q->list;
	size_t n_wanted = 0;

	for (size_t i = 0; i < q->n; i++) {
		char label[PACK_MAX_LABEL];

		if (answered[i])
			continue;
		if (list[i].n_steps == 0 ||
		    !port_search_label(h, &list[i], label) ||
		    port_answers_take(h->answers, label, &ret[i]))
			answered[i] = true;
		/* An image is not made for a second try. */
		else if (!h->image || !port_answers_tried(h->answers, label))
			wanted[n_wanted++] = i;
	}
	return n_wanted;
}

/* On a board that boots images: an image for all that is wanted. */
static void want_all(struct port_search *h, const struct experiment *list,
		     const size_t *wanted, size_t n, struct ports_value *ret,
		     struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		ret[wanted[i]].later = true;
		if (port_search_want(h, &list[wanted[i]], e) != ERR_OK)
			return;
	}
}

static int measure_wanted(struct port_search *h, const struct port_question *q,
			  const size_t *wanted, size_t n, struct err *e)
{
	enum ports_phase phase = q->phase;
	size_t size;

	for (size_t i = 0; i < n && !port_search_is_over(h, phase); i += size) {
		size_t left = port_search_kernels_left(h, phase);

		size = n - i < PORT_SEARCH_PACK ? n - i : PORT_SEARCH_PACK;
		size = size < left ? size : left;
		if (port_search_measure_pack(h, phase, q->list, wanted + i,
					     size, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* A single visit may contain a disturbance: its value is good enough to search
 * with, not to judge the model by. */
static void take_any(struct port_search *h, const struct port_question *q,
		     const bool *answered, struct ports_value *ret)
{
	char label[PACK_MAX_LABEL];

	for (size_t i = 0; i < q->n; i++)
		if (!answered[i] && port_search_label(h, &q->list[i], label))
			(void)port_answers_take_any(h->answers, label, &ret[i]);
}

static int ask(struct port_search *h, const struct port_question *q,
	       struct ports_value *ret, struct err *e)
{
	const struct port_search_events *v = h->events;
	size_t *wanted = xrealloc(NULL, q->n, sizeof(*wanted));
	bool *answered = xrealloc(NULL, q->n, sizeof(*answered));
	size_t n_wanted = 1;

	memset(answered, 0, q->n * sizeof(*answered));
	if (!h->stored_only && !h->image)
		v->part(v->context, h->c, q->what);
	for (int pass = 0; pass <= PASSES && n_wanted > 0; pass++) {
		n_wanted = find_wanted(h, q, answered, ret, wanted);
		if (h->image) {
			want_all(h, q->list, wanted, n_wanted, ret, e);
			break;
		}
		if (port_search_is_over(h, q->phase) || pass == PASSES)
			break;
		if (measure_wanted(h, q, wanted, n_wanted, e) != ERR_OK)
			break;
	}
	if (q->phase != PORTS_FIT)
		take_any(h, q, answered, ret);
	if (!h->stored_only && !h->image)
		v->part_end(v->context);
	free(answered);
	free(wanted);
	return e->code;
}

int port_search_ask(struct port_search *h, const struct port_question *q,
		    struct ports_value *ret, struct err *e)
{
	/* A part of the fit that exceeds the budget is not begun. */
	size_t most = q->phase == PORTS_FIT ? PORT_SEARCH_PACK : q->n;

	for (size_t i = 0; i < q->n && e->code == ERR_OK; i += most) {
		struct port_question part = *q;

		part.list += i;
		part.n = q->n - i < most ? q->n - i : most;
		(void)ask(h, &part, ret + i, e);
	}
	return e->code;
}
