/* See tables.h. */
#include "host/isa/tables.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/arena.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"

struct entry {
	const char *name;
	uint32_t opcode;
};

struct tables {
	const struct isa *isa;
	size_t n;
	struct entry *entries; /* by name */
};

static int tables_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct tables *tables_new(struct arena *a, const struct catalogue *c)
{
	struct tables *t = ARENA_NEW(a, struct tables);

	t->isa = c->isa;
	if (!c->isa->table_names)
		return t;
	t->n = mc_n_opcodes(c->mc);
	t->entries = ARENA_ARRAY(a, struct entry, t->n);
	for (size_t i = 0; i < t->n; i++) {
		struct mc_opcode o;

		mc_get_opcode(c->mc, i, &o);
		t->entries[i] = (struct entry){ o.name, (uint32_t)i };
	}
	qsort(t->entries, t->n, sizeof(*t->entries), tables_compare);
	return t;
}

bool tables_find(const struct tables *t, const struct form *f,
		 const char **ret_name, uint32_t *ret_opcode)
{
	char names[TABLES_MAX_NAMES][ISA_NAME_ROOM];
	size_t n = t->n > 0 ? t->isa->table_names(f, names) : 0;

	for (size_t i = 0; i < n; i++) {
		const struct entry key = { .name = names[i] };
		const struct entry *x =
			bsearch(&key, t->entries, t->n, sizeof(*t->entries),
				tables_compare);

		if (!x)
			continue;
		*ret_name = x->name;
		*ret_opcode = x->opcode;
		return true;
	}
	return false;
}
