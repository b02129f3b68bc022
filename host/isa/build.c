/* Loads a catalogue: every LLVM opcode becomes a form with operands, an example
 * and a status.  A form is measurable unless there is a reason against it; the
 * first reason found is its status, in the order of docs/forms.md. */
#include "host/isa/build.h"
#include "host/base/file.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

#include <stdlib.h>
#include <string.h>

/* A form before it is built: an opcode, or one of its variants. */
struct named_opcode {
	const char *name; /* with the variant */
	const struct variant *variant;
	uint32_t opcode;
};

/* ---- names -------------------------------------------------------------- */

static int build_by_name(const void *a, const void *b)
{
	const struct named_opcode *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static bool is_pseudo(const struct isa *isa, const struct mc_opcode *m)
{
	return (m->flags & MC_PSEUDO) ||
	       (isa->is_pseudo && isa->is_pseudo(m->target_flags));
}

/* Add the variants of an opcode; without variants the opcode itself. */
static void add_names(struct build *b, size_t opcode, const char *name,
		      struct variant_list *variants, struct buffer *ret)
{
	struct named_opcode x = { .opcode = (uint32_t)opcode };

	variants->n = 0;
	if (b->c->isa->variants)
		b->c->isa->variants(b->mc, opcode, variants);
	for (size_t i = 0; i < variants->n; i++) {
		x.variant = variants->list[i];
		x.name = arena_printf(b->arena, "%s/%s", name,
				      x.variant->suffix);
		buffer_add(ret, &x, sizeof(x));
	}
	if (variants->n > 0)
		return;
	x.name = arena_strdup(b->arena, name);
	buffer_add(ret, &x, sizeof(x));
}

/* List all forms, sorted by name; sets n_forms, n_pseudo and n_opcodes. */
static struct named_opcode *name_forms(struct build *b)
{
	struct variant_list variants = { 0 };
	struct buffer names = { 0 };
	struct named_opcode *list;

	b->c->n_opcodes = mc_n_opcodes(b->mc);
	for (size_t i = 0; i < b->c->n_opcodes; i++) {
		struct mc_opcode m;

		mc_get_opcode(b->mc, i, &m);
		if (is_pseudo(b->c->isa, &m))
			b->c->n_pseudo++;
		else
			add_names(b, i, m.name, &variants, &names);
	}
	b->c->n_forms = names.n / sizeof(*list);
	list = arena_copy(b->arena, names.bytes, names.n);
	qsort(list, b->c->n_forms, sizeof(*list), build_by_name);
	held_free(variants.list);
	buffer_free(&names);
	return list;
}

/* ---- forms -------------------------------------------------------------- */

static bool uses_stack(const struct build *b, const struct form *f)
{
	for (unsigned i = 0; i < f->n_operands; i++) {
		const struct reg *r = &b->c->regs[f->operands[i].fixed_reg];

		if (r->bank == BANK_GPR && r->index == b->c->isa->stack_pointer)
			return true;
	}
	return false;
}

static bool accesses_memory(const struct form *f)
{
	return (f->flags & (MC_MAY_LOAD | MC_MAY_STORE)) || f->access ||
	       form_has(f, OPERAND_MEM);
}

/* Does the form name a register of a state of its own? */
static bool needs_state(const struct catalogue *c, const struct form *f,
			const struct operand *ops)
{
	for (unsigned i = 0; i < f->n_explicit; i++)
		if (ops[i].reg_class != CLASS_NONE &&
		    name_matches_any(c->isa->state_classes,
				     c->classes[ops[i].reg_class].name))
			return true;
	return false;
}

/* The reason against the form that is known before encoding. */
static enum form_status judge(const struct build *b, struct form *f,
			      struct operand *ops, bool understood)
{
	const struct catalogue *c = b->c;
	enum form_status s = c->isa->classify_form(f, ops);

	if (s != FORM_MEASURABLE)
		return s;
	if ((f->flags & MC_CONTROL_FLOW) || form_has(f, OPERAND_LABEL))
		return FORM_CONTROL_FLOW;
	if (uses_stack(b, f))
		return FORM_STACK;
	if (form_uses(b->c, f, BANK_X87))
		return FORM_X87;
	if (!f->streaming && needs_state(c, f, ops))
		return FORM_MATRIX;
	if (accesses_memory(f) && !c->isa->open_address(c, f, ops))
		return FORM_MEMORY;
	if (f->flags & MC_SIDE_EFFECTS)
		return FORM_EFFECTS;
	if (!understood || (f->flags & MC_VARIADIC))
		return FORM_UNKNOWN_OPERAND;
	return FORM_MEASURABLE;
}

static void load_form(struct build *b, const struct named_opcode *n,
		      size_t index)
{
	struct form *f = &b->forms[index];
	struct operand ops[FORM_MAX_OPERANDS];
	struct mc_opcode m;

	mc_get_opcode(b->mc, n->opcode, &m);
	f->name = n->name;
	f->variant = n->variant;
	f->example = "";
	f->opcode = n->opcode;
	f->flags = (uint8_t)m.flags;
	f->unit_bytes = 1;

	bool understood = build_operands(b, f, ops);

	if (understood)
		build_shape(b, f, ops);
	f->operands = ops;
	build_condition(b, f, ops);
	f->status = (uint8_t)judge(b, f, ops, understood);
	if (!build_flags(b, f, ops) && f->status == FORM_MEASURABLE)
		f->status = FORM_UNKNOWN_OPERAND;
	b->operands[index] =
		arena_copy(b->arena, ops, f->n_operands * sizeof(*ops));
	f->operands = b->operands[index];
	f->vector_state = f->streaming || form_uses(b->c, f, BANK_VECTOR) ||
			  form_uses(b->c, f, BANK_FP) ||
			  form_uses(b->c, f, BANK_MASK) ||
			  form_uses(b->c, f, BANK_X87);
}

/* LLVM's encoder crashes on the code generator's returns and calls. */
static bool has_example(const struct form *f)
{
	return f->status != FORM_PSEUDO && f->status != FORM_CONTROL_FLOW;
}

static void add_example(struct build *b, size_t index)
{
	struct form *f = &b->forms[index];
	struct instance x;
	char text[256];

	if (f->status == FORM_MEASURABLE)
		f->status = (uint8_t)build_prove(b, f, b->operands[index], &x);
	else if (build_lacks_state(b, f) || !has_example(f) ||
		 !form_example(b->c, f, 0, &x))
		return;
	else if (status_is_system((enum form_status)f->status))
		build_settle(b, f, &x);
	if (f->status == FORM_NO_REGISTER)
		return;
	if ((f->status == FORM_MEASURABLE || f->status == FORM_UNSUPPORTED) &&
	    f->access)
		build_access(b, &x, f, b->operands[index]);
	if (build_text(b, &x, text, sizeof(text)))
		f->example = arena_strdup(b->arena, text);
}

static void finish_form(struct build *b, size_t index)
{
	add_example(b, index);
	b->forms[index].mnemonic = build_mnemonic(b, &b->forms[index]);
}

/* The first of several variants represents its opcode. */
static void index_opcodes(struct build *b)
{
	uint32_t *by_opcode = ARENA_ARRAY(b->arena, uint32_t, b->c->n_opcodes);

	memset(by_opcode, 0xff, b->c->n_opcodes * sizeof(*by_opcode));
	for (size_t i = 0; i < b->c->n_forms; i++)
		if (by_opcode[b->forms[i].opcode] == UINT32_MAX)
			by_opcode[b->forms[i].opcode] = (uint32_t)i;
	b->c->by_opcode = by_opcode;
}

static void load_forms(struct build *b)
{
	struct named_opcode *list = name_forms(b);
	size_t n = b->c->n_forms;

	b->forms = ARENA_ARRAY(b->arena, struct form, n);
	b->operands = ARENA_ARRAY(b->arena, struct operand *, n);
	b->c->forms = b->forms;
	for (size_t i = 0; i < n; i++)
		load_form(b, &list[i], i);
	index_opcodes(b);
	for (size_t i = 0; i < n; i++)
		finish_form(b, i);
	build_derived(b);
	index_opcodes(b);
}

int catalogue_open_mc(const struct isa *isa, const char *cpu, struct mc **ret,
		      struct err *e)
{
	const struct mc_config config = {
		.triple = isa->triple,
		.all_cpu = isa->default_cpu,
		.all_features = isa->features,
		.plain_features = isa->plain_features,
		.vendor_features = isa->vendor_features,
		.taken_features = isa->taken_features,
		.cpu = cpu,
	};

	return mc_open(&config, ret, e);
}

int catalogue_load(struct arena *a, const struct isa *isa, const char *cpu,
		   struct catalogue **ret_catalogue, struct err *e)
{
	struct mc *mc;
	int status = catalogue_open_mc(isa, cpu, &mc, e);

	if (status != ERR_OK)
		return status;

	struct catalogue *c = ARENA_NEW(a, struct catalogue);
	struct build b = { .arena = a, .c = c, .mc = mc };

	c->isa = isa;
	c->mc = mc;
	c->cpu = arena_strdup(a, mc_cpu(mc));
	build_registers(&b);
	b.pointer_class = catalogue_class(c, isa->pointer_class);
	load_forms(&b);
	*ret_catalogue = c;
	return ERR_OK;
}
