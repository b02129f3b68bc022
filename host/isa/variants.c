/* Names of forms: an opcode, or one for each of its variants. */
#include <stdlib.h>
#include <string.h>

#include "host/isa/build.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

static int variants_by_name(const void *a, const void *b)
{
	const struct named_opcode *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool is_pseudo(const struct isa *isa, const struct mc_opcode *m)
{
	return (m->flags & MC_PSEUDO) ||
	       (isa->is_pseudo && isa->is_pseudo(m->target_flags));
}

/* Write to `ret`, which is emptied first. */
static void variants_of(const struct build *b, size_t opcode,
			struct variant_list *ret)
{
	const struct isa *isa = b->c->isa;

	ret->n = 0;
	if (isa->variants)
		isa->variants(b->mc, opcode, ret);
}

/* Count the forms, and the opcodes that are none. */
static void variants_count(struct build *b)
{
	struct variant_list variants = { 0 };

	for (size_t i = 0; i < b->c->n_opcodes; i++) {
		struct mc_opcode m;

		mc_get_opcode(b->mc, i, &m);
		if (is_pseudo(b->c->isa, &m)) {
			b->c->n_pseudo++;
			continue;
		}
		variants_of(b, i, &variants);
		b->c->n_forms += variants.n > 0 ? variants.n : 1;
	}
	held_free(variants.list);
}

static size_t add_names(struct build *b, size_t opcode, const char *name,
			struct named_opcode *list)
{
	struct variant_list variants = { 0 };
	size_t n;

	variants_of(b, opcode, &variants);
	n = variants.n;
	for (size_t i = 0; i < n; i++)
		list[i] = (struct named_opcode){
			.name = arena_printf(b->arena, "%s/%s", name,
					     variants.list[i]->suffix),
			.variant = variants.list[i],
			.opcode = (uint32_t)opcode,
		};
	held_free(variants.list);
	if (n > 0)
		return n;
	*list = (struct named_opcode){
		.name = arena_strdup(b->arena, name),
		.opcode = (uint32_t)opcode,
	};
	return 1;
}

struct named_opcode *build_names(struct build *b)
{
	struct named_opcode *list;
	size_t n = 0;

	b->c->n_opcodes = mc_n_opcodes(b->mc);
	variants_count(b);
	list = ARENA_ARRAY(b->arena, struct named_opcode, b->c->n_forms);
	for (size_t i = 0; i < b->c->n_opcodes; i++) {
		struct mc_opcode m;

		mc_get_opcode(b->mc, i, &m);
		if (!is_pseudo(b->c->isa, &m))
			n += add_names(b, i, m.name, &list[n]);
	}
	qsort(list, n, sizeof(*list), variants_by_name);
	return list;
}
