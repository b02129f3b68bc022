/* Runs of a store; see runs.h. */
#include "host/export/runs.h"

int runs_read(struct arena *a, struct store *s, struct runs *ret, struct err *e)
{
	int64_t *ids = NULL;

	*ret = (struct runs){ .n = 0 };
	if (store_runs(s, a, &ids, &ret->n, e) != ERR_OK)
		return e->code;
	ret->runs = ARENA_ARRAY(a, struct run, ret->n + 1);
	for (size_t i = 0; i < ret->n; i++)
		if (store_run_get(s, a, ids[i], &ret->runs[i], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

const char *runs_cpu(const struct runs *r, int64_t id)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->runs[i].id == id)
			return r->runs[i].cpu;
	return "";
}
