/* Images of a port search; see port_search.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/campaign/port_searching.h"

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
