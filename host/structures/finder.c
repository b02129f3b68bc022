/* See finder.h. */
#include "host/structures/finder.h"

#include <string.h>

void finder_say(const struct core_finder *f, const char *what)
{
	if (f->q->report)
		f->q->report(f->q->to, what);
}

bool finder_has(const struct core_finder *f, enum probe_kind kind)
{
	return !f->q->exists || f->q->exists(f->q->context, kind);
}

const char *finder_no_answer(const struct core_finder *f, enum probe_kind kind)
{
	if (finder_has(f, kind))
		return "no answer";
	return kind == PROBE_FLAGS ? "no flags" : "no operations of vectors";
}

void finder_add(struct core_finder *f, struct core_finding x)
{
	if (f->ret->n < STRUCTURES_MOST)
		f->ret->list[f->ret->n++] = x;
}

const char *finder_key(const struct core_finder *f, size_t level,
		       const char *what)
{
	return arena_printf(f->q->a, "l%u.%s", (unsigned)(level + 1), what);
}

bool finder_ask(struct core_finder *f, const struct core_probe *list, size_t n,
		struct probe_value *ret)
{
	const struct probe_oracle *o = f->q->oracle;
	struct core_probe *some = ARENA_ARRAY(f->q->a, struct core_probe, n);
	struct probe_value *v = ARENA_ARRAY(f->q->a, struct probe_value, n);
	size_t n_some = 0;

	for (size_t i = 0; i < n; i++)
		if (finder_has(f, list[i].kind))
			some[n_some++] = list[i];
	if (n_some > 0 && o->ask(o->context, some, n_some, v, f->e) != ERR_OK)
		return false;
	for (size_t i = n; i-- > 0;)
		ret[i] = finder_has(f, list[i].kind)
				 ? v[--n_some]
				 : (struct probe_value){ .known = false };
	return true;
}

struct core_probe finder_far(const struct core_finder *f, bool far)
{
	/* Of far ones every few lines: their chain is made before each kernel. */
	enum { NEAR = 1024, APART = 4 };
	const struct levels_found *v = &f->ret->levels;
	uint32_t line = levels_line(v);

	return far ? chases_probe(v->points[v->n_points - 1].bytes,
				  APART * line)
		   : chases_probe(NEAR, line);
}

struct core_finding *finder_find(const struct core_finder *f, const char *key)
{
	for (size_t i = 0; i < f->ret->n; i++)
		if (strcmp(f->ret->list[i].key, key) == 0)
			return &f->ret->list[i];
	return NULL;
}

const struct core_finding *finder_known(const struct core_finder *f,
					const char *key)
{
	const struct core_finding *x = finder_find(f, key);

	return x && x->known ? x : NULL;
}
