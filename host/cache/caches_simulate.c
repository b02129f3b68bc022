/* What is simulated for hierarchies of caches; see caches.h. */
#include <stddef.h>
#include <string.h>

#include "host/cache/caches.h"

static bool same_tlb(const struct cache_tlb *x, const struct cache_tlb *y)
{
	if (x->n_levels != y->n_levels || x->page_bytes != y->page_bytes)
		return false;
	for (uint32_t i = 0; i < x->n_levels; i++)
		if (x->levels[i].entries != y->levels[i].entries ||
		    x->levels[i].ways != y->levels[i].ways)
			return false;
	return true;
}

static void add_tlb(const struct caches *list, size_t h,
		    struct caches_simulated *s)
{
	const struct cache_tlb *t = &list->at[h].tlb;

	s->tlb_of[h] = UINT32_MAX;
	if (t->n_levels == 0)
		return;
	for (size_t i = 0; i < h && s->tlb_of[h] == UINT32_MAX; i++)
		if (same_tlb(t, &list->at[i].tlb))
			s->tlb_of[h] = s->tlb_of[i];
	if (s->tlb_of[h] != UINT32_MAX)
		return;
	s->tlb_of[h] = (uint32_t)s->n_tlbs;
	s->at[s->n_tlbs++] = cache_tlb_levels(t);
}

#define NUMBER(key, member, branches)                              \
	{                                                          \
		key, offsetof(struct cache_core, member), branches \
	}

/* Numbers that all hierarchies share, of branches those that predict them.  0, a
 * number that is not given, is a value like others: with a number of another file a
 * hierarchy would have other results than alone. */
static int set_core(const struct caches *list, struct cache_core *core,
		    struct err *e)
{
	static const struct {
		const char *key;
		size_t at;
		bool branches;
	} numbers[] = {
		NUMBER("branch.history", history, true),
		NUMBER("branch.patterns", patterns, true),
		NUMBER("branch.loop", loop, true),
		NUMBER("window", window, false),
		NUMBER("queue.loads", loads, false),
		NUMBER("queue.stores", stores, false),
		NUMBER("queue.vectors", vectors, false),
		NUMBER("queue.loads.least", loads_least, false),
		NUMBER("queue.stores.least", stores_least, false),
	};

	*core = (struct cache_core){ .history = 0 };
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		uint32_t *to = (uint32_t *)((char *)core + numbers[i].at);
		bool given = false;

		for (size_t h = 0; h < list->n; h++) {
			const char *x = (const char *)&list->at[h].core;
			uint32_t n = *(const uint32_t *)(x + numbers[i].at);

			if (numbers[i].branches && !list->at[h].branch_penalty)
				continue;
			if (given && n != *to)
				return err_set(e, ERR_INPUT,
					       "%s: %s: expected the same as "
					       "in the other files, %u (0: "
					       "none)",
					       list->at[h].name, numbers[i].key,
					       (unsigned)*to);
			*to = n;
			given = true;
		}
	}
	return ERR_OK;
}

int caches_simulate(struct arena *a, const struct caches *list,
		    struct caches_simulated *ret, struct err *e)
{
	struct caches_simulated s = {
		.at = ARENA_ARRAY(a, struct cache_hierarchy, 2 * list->n + 1),
		.tlb_of = ARENA_ARRAY(a, uint32_t, list->n + 1),
	};

	if (set_core(list, &s.core, e) != ERR_OK)
		return e->code;
	for (size_t h = 0; h < list->n; h++)
		add_tlb(list, h, &s);
	s.n = s.n_tlbs + list->n;
	if (s.n > CACHE_MAX_HIERARCHIES)
		return err_set(e, ERR_INPUT,
			       "--caches: %zu hierarchies and TLBs; at most %d "
			       "in one run",
			       s.n, CACHE_MAX_HIERARCHIES);
	if (list->n)
		memcpy(&s.at[s.n_tlbs], list->at, list->n * sizeof(*list->at));
	*ret = s;
	return ERR_OK;
}
