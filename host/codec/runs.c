/* Runs of a store; see runs.h. */
#include "host/codec/runs.h"

int runs_read(struct arena *a, struct store *s, struct runs *ret, struct err *e)
{
	int64_t *ids = NULL;

	*ret = (struct runs){ .n = 0 };
	if (store_chosen_runs(s, a, &ids, &ret->n, e) != ERR_OK)
		return e->code;
	ret->runs = ARENA_ARRAY(a, struct run_of_core, ret->n + 1);
	for (size_t i = 0; i < ret->n; i++) {
		struct run_of_core *r = &ret->runs[i];

		if (store_run_get(s, a, ids[i], &r->run, e) != ERR_OK ||
		    store_run_core(s, a, ids[i], &r->core, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

const struct run_of_core *runs_find(const struct runs *r, int64_t id)
{
	static const struct run_of_core none = {
		.run = { .cpu = "" }, .core = { .core = "", .machine = "" }
	};

	for (size_t i = 0; i < r->n; i++)
		if (r->runs[i].run.id == id)
			return &r->runs[i];
	return &none;
}
