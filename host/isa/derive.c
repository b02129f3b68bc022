/* Forms derived from others: the same opcode under conditions that the ISA
 * names, in addition to a variant that the form may already be. */
#include <stdlib.h>
#include <string.h>

#include "host/isa/build.h"
#include "host/isa/decoding.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/layout.h"
#include "host/isa/system.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

enum { WIDEST_ACCESS = 64 }; /* a cache line */

struct forms {
	struct form *list;
	size_t n, room;
};

static void derive_add(struct forms *f, const struct form *form)
{
	if (f->n == f->room) {
		f->room = f->room ? f->room * 2 : 4096;
		f->list = held_realloc(f->list, f->room, sizeof(*f->list));
	}
	f->list[f->n++] = *form;
}

/* A variant of a variant: the vector type stays. */
static const struct variant *merge(struct build *b, const struct variant *base,
				   const struct variant *v)
{
	struct variant both = *v;

	if (!base)
		return v;
	both.suffix = arena_printf(b->arena, "%s,%s", base->suffix, v->suffix);
	if (!both.vector_type)
		both.vector_type = base->vector_type;
	both.masked = base->masked;
	return arena_copy(b->arena, &both, sizeof(both));
}

/* Opcodes that exist only as variants: branches, the stack, the x87,
 * conditional stores, system instructions. */
static bool runs_shaped(const struct form *f)
{
	return f->status == FORM_CONTROL_FLOW || f->status == FORM_MEMORY ||
	       f->status == FORM_X87 || f->status == FORM_STACK ||
	       status_is_system((enum form_status)f->status);
}

/* Encode the variant's number, if it has one. */
static void pin_number(const struct form *f, struct operand *ops)
{
	const uint64_t families = UINT64_C(1) << FAMILY_NUMBER |
				  UINT64_C(1) << FAMILY_CONDITION |
				  UINT64_C(1) << FAMILY_SCALED;
	int at = f->variant->operand ? f->variant->operand : form_immediate(f);

	if (!form_chosen(f, families) || at < 0)
		return;
	operand_pin(&ops[at], f->variant->number);
	/* No bytes encode the scale of an absent index. */
	for (int i = 0; f->variant->scale && i < f->n_explicit; i++)
		if (ops[i].role == ROLE_OPTIONAL_INDEX)
			ops[i].role = ROLE_INDEX;
}

void build_shape(const struct build *b, struct form *f, struct operand *ops)
{
	const struct isa_family *k = b->c->isa->families[form_family(f)];

	if (k && k->shape)
		k->shape(b->c, f, ops);
}

/* Sets the operands of the variant: false when no bytes encode them. */
static bool reshape(struct build *b, struct form *f)
{
	struct operand *ops =
		ARENA_ARRAY(b->arena, struct operand, FORM_MAX_OPERANDS);
	struct instance x;
	char text[256];

	memcpy(ops, f->operands, f->n_operands * sizeof(*ops));
	f->operands = ops;
	build_shape(b, f, ops);
	pin_number(f, ops);
	if (!build_flags(b, f, ops))
		return false;
	if (f->status == FORM_MEMORY ||
	    (f->status != FORM_CONTROL_FLOW && runs_shaped(f) &&
	     form_has(f, OPERAND_MEM))) {
		if (!b->c->isa->open_address(b->c, f, ops))
			return false;
		if (!system_is_state(f))
			f->access_bytes = WIDEST_ACCESS;
	}
	if (runs_shaped(f))
		f->status = (uint8_t)build_prove(b, f, ops, &x);
	else if (!form_example(b->c, f, 0, &x) ||
		 !instance_survives(b->c, &x, MC_ALL))
		return false;
	if (!build_text(b, &x, text, sizeof(text)))
		return false;
	f->example = arena_strdup(b->arena, text);
	if (form_family(f) == FAMILY_CONDITION)
		f->mnemonic = build_mnemonic(b, f);
	return true;
}

static void derive(struct build *b, const struct form *base,
		   const struct variant *v, struct forms *ret)
{
	struct form f = *base;

	f.variant = merge(b, base->variant, v);
	f.name = arena_printf(b->arena, "%s%c%s", base->name,
			      base->variant ? ',' : '/', v->suffix);
	if (!v->reshapes || reshape(b, &f))
		derive_add(ret, &f);
}

static int derive_by_name(const void *a, const void *b)
{
	const struct form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Can the opcode run?  Only then does it have variants. */
static bool is_form(const struct form *f)
{
	return runs_shaped(f) ||
	       (*f->example != '\0' && (f->status == FORM_MEASURABLE ||
					f->status == FORM_UNSUPPORTED));
}

/* The variants of a table that a form has.  Those of some families make an
 * opcode run, all others are for those that run as they are. */
static void add_rows(const struct catalogue *c, const struct form *f,
		     const struct variant_rule *r, struct variant_list *ret)
{
	static const uint64_t shaping =
		UINT64_C(1) << FAMILY_BRANCH | UINT64_C(1) << FAMILY_PAIR |
		UINT64_C(1) << FAMILY_STACK | UINT64_C(1) << FAMILY_STRING |
		UINT64_C(1) << FAMILY_SYSTEM;
	bool shaped = runs_shaped(f);

	for (; r->names; r++)
		if ((shaping >> r->variant.family & 1) == shaped &&
		    name_matches_any(r->names, f->name) &&
		    (!r->when || r->when(c, f, &r->variant)))
			variant_add(ret, &r->variant);
}

/* The ISA's variants of a form, and those common to all instruction sets. */
static void variants_of(const struct build *b, const struct form *f,
			struct variant_list *ret)
{
	const struct isa *isa = b->c->isa;

	add_rows(b->c, f, isa->rules, ret);
	add_rows(b->c, f, isa->system, ret);
	if (isa->derive)
		isa->derive(b->c, f, ret);
	if (runs_shaped(f))
		return;
	add_rows(b->c, f, values_rules, ret);
	layout_variants(isa, f, ret);
	decoding_variants(b->c, f, ret);
}

void build_derived(struct build *b)
{
	struct variant_list variants = { 0 };
	struct forms all = { .n = 0 };
	size_t n_base = b->c->n_forms;

	for (size_t i = 0; i < n_base; i++) {
		const struct form *f = &b->c->forms[i];

		variants.n = 0;
		if (is_form(f))
			variants_of(b, f, &variants);
		derive_add(&all, f);
		for (size_t k = 0; k < variants.n; k++)
			derive(b, f, variants.list[k], &all);
	}
	held_free(variants.list);
	qsort(all.list, all.n, sizeof(*all.list), derive_by_name);
	b->forms = arena_copy(b->arena, all.list, all.n * sizeof(*all.list));
	b->c->forms = b->forms;
	b->c->n_forms = all.n;
	held_free(all.list);
}
