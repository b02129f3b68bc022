/* See finder.h. */
#include "host/structures/finder.h"

void finder_say(const struct core_finder *f, const char *what)
{
	if (f->q->report)
		f->q->report(f->q->to, what);
}

bool finder_has(const struct core_finder *f, enum probe_kind kind)
{
	return !f->q->exists || f->q->exists(f->q->context, kind);
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

	return o->ask(o->context, list, n, ret, f->e) == ERR_OK;
}
