/* Images of a port search; see port_search.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/campaign/port_searching.h"

int port_search_want(struct port_search *h, const struct experiment *x,
		     struct err *e)
{
	char label[PACK_MAX_LABEL];

	if (!port_search_label(h, x, label) ||
	    !port_answers_want(h->answers, label))
		return ERR_OK;
	if (h->wanted.n / sizeof(*x) == PORT_SEARCH_IMAGE_PACK)
		return err_set(e, ERR_INTERRUPTED, "the image is full");
	buffer_add(&h->wanted, x, sizeof(*x));
	return ERR_OK;
}

bool port_search_waits(const struct port_search *h, const struct ports_mix *mix)
{
	bool waits = h->bodies_later;

	for (size_t i = 0; i < mix->n; i++) {
		const struct plan_ports_form *f = &h->forms[mix->part[i].form];

		waits |= h->chains_later[mix->part[i].form];
		for (size_t k = 0; k < f->n_breakers; k++)
			waits |= h->chains_later[f->breakers[k]];
	}
	return waits;
}

static int note_image(void *context, const char *key, const char *value,
		      struct err *e)
{
	bool *found = context;

	(void)value, (void)e;
	*found |= strncmp(key, PORT_SEARCH_IMAGE,
			  sizeof(PORT_SEARCH_IMAGE) - 1) == 0;
	return 0;
}

int port_search_is_imaged(struct store *s, int64_t run, bool *ret,
			  struct err *e)
{
	*ret = false;
	return store_envs(s, run, note_image, ret, e);
}

struct lookup {
	char key[PORT_SEARCH_IMAGE_KEY];
	bool found;
	uint32_t first;
};

static int compare_key(void *context, const char *key, const char *value,
		       struct err *e)
{
	struct lookup *l = context;

	(void)e;
	if (strcmp(key, l->key) == 0) {
		l->first = (uint32_t)strtoul(value, NULL, 10);
		l->found = true;
	}
	return 0;
}

int port_search_imaged(struct store *s, uint64_t pack_id, int64_t *ret_run,
		       uint32_t *ret_first, struct err *e)
{
	struct lookup l = { .found = false };
	struct arena a = { 0 };
	int64_t *ids, run = 0;
	size_t n = 0;

	(void)snprintf(l.key, sizeof(l.key), PORT_SEARCH_IMAGE "0x%" PRIx64,
		       pack_id);
	if (store_runs(s, &a, &ids, &n, e) == ERR_OK)
		for (; n > 0 && !l.found &&
		       store_envs(s, ids[n - 1], compare_key, &l, e) == ERR_OK;
		     n--)
			run = ids[n - 1];
	arena_free(&a);
	if (e->code != ERR_OK)
		return e->code;
	*ret_run = l.found ? run : 0;
	*ret_first = l.first;
	return ERR_OK;
}
