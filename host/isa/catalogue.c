/* Loads a catalogue: every LLVM opcode becomes a form with operands, an example
 * and a status.  A form is measurable unless there is a reason against it; the
 * first reason found is its status, in the order of docs/forms.md. */
#include "host/isa/build.h"
#include "host/isa/isa.h"

#include <string.h>

static bool uses_stack(const struct build *b, const struct form *f)
{
	for (unsigned i = 0; i < f->n_operands; i++) {
		const struct reg *r = &b->c->regs[f->operands[i].fixed_reg];

		if (r->bank == BANK_GPR && r->index == b->c->isa->stack_pointer)
			return true;
	}
	return false;
}

static uint8_t bank_of(const struct build *b, const struct operand *o)
{
	if (o->fixed_reg != REG_NONE)
		return b->c->regs[o->fixed_reg].bank;
	return o->reg_class != CLASS_NONE ? b->c->classes[o->reg_class].bank
					  : BANK_NONE;
}

static bool uses_bank(const struct build *b, const struct form *f,
		      enum reg_bank bank)
{
	for (unsigned i = 0; i < f->n_operands; i++)
		if (bank_of(b, &f->operands[i]) == bank)
			return true;
	return false;
}

static bool has_kind(const struct form *f, enum operand_kind kind)
{
	for (unsigned i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == kind)
			return true;
	return false;
}

static bool accesses_memory(const struct form *f)
{
	return (f->flags & (MC_MAY_LOAD | MC_MAY_STORE)) || f->access ||
	       has_kind(f, OPERAND_MEM);
}

/* The reason against the form that is known before encoding. */
static enum form_status judge(const struct build *b, struct form *f,
			      struct operand *ops, bool understood)
{
	const struct catalogue *c = b->c;
	enum form_status s = c->isa->classify_form(f, ops);

	if (s != FORM_MEASURABLE)
		return s;
	if ((f->flags & MC_CONTROL_FLOW) || has_kind(f, OPERAND_LABEL))
		return FORM_CONTROL_FLOW;
	if (uses_stack(b, f))
		return FORM_STACK;
	if (uses_bank(b, f, BANK_X87))
		return FORM_X87;
	if (accesses_memory(f) && !c->isa->open_address(c, f, ops))
		return FORM_MEMORY;
	if (f->flags & MC_SIDE_EFFECTS)
		return FORM_SYSTEM;
	if (!understood || (f->flags & MC_VARIADIC))
		return FORM_UNKNOWN_OPERAND;
	return FORM_MEASURABLE;
}

/* Append the rest of the example's first word to LLVM's mnemonic: LLVM's is
 * "cmov", the text's "cmoveq". */
const char *build_mnemonic(const struct build *b, const struct form *f)
{
	struct mc_inst bare = { .opcode = f->opcode };
	const char *word = mc_mnemonic(b->mc, &bare);
	size_t n = strcspn(word, " \t");
	size_t longer = strcspn(f->example, " ");

	if (longer > n && strncmp(f->example, word, n) == 0)
		return arena_printf(b->arena, "%.*s", (int)longer, f->example);
	return arena_printf(b->arena, "%.*s", (int)n, word);
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

	if (understood && b->c->isa->shape_form)
		b->c->isa->shape_form(b->c, f, ops);
	f->operands = ops;
	f->status = (uint8_t)judge(b, f, ops, understood);
	if (!build_flags(b, f, ops) && f->status == FORM_MEASURABLE)
		f->status = FORM_UNKNOWN_OPERAND;
	b->operands[index] =
		arena_copy(b->arena, ops, f->n_operands * sizeof(*ops));
	f->operands = b->operands[index];
	f->vector_state =
		uses_bank(b, f, BANK_VECTOR) || uses_bank(b, f, BANK_FP) ||
		uses_bank(b, f, BANK_MASK) || uses_bank(b, f, BANK_X87);
}

/* The bytes did not decode to this form: which form do they decode to? */
static enum form_status mismatch(const struct build *b,
				 const struct instance *x)
{
	unsigned char code[MC_MAX_CODE], again[MC_MAX_CODE];
	struct mc_inst m;
	size_t n = instance_encode(b->c, x, code, sizeof(code));

	if (n == 0 || mc_decode(b->mc, MC_ALL, code, n, &m) != n)
		return FORM_ENCODING_MISMATCH;
	if (m.opcode == x->form->opcode)
		return has_kind(x->form, OPERAND_IMM) ? FORM_NO_IMMEDIATE
						      : FORM_ENCODING_MISMATCH;
	if (b->c->by_opcode[m.opcode] != UINT32_MAX &&
	    mc_encode(b->mc, &m, again, sizeof(again)) == n &&
	    memcmp(code, again, n) == 0)
		return FORM_DUPLICATE;
	return FORM_ENCODING_MISMATCH;
}

/* Does the CPU support it, and does it run without special machine state? */
static enum form_status check_cpu(const struct build *b,
				  const struct instance *x)
{
	const struct isa *isa = b->c->isa;

	if (isa->required_features) {
		unsigned char code[MC_MAX_CODE];
		size_t n = instance_encode(b->c, x, code, sizeof(code));
		const char *need = isa->required_features(x->form, code, n);

		return mc_has(b->mc, MC_CPU, need) ? FORM_MEASURABLE
						   : FORM_UNSUPPORTED;
	}
	if (!instance_survives(b->c, x, MC_PLAIN))
		return FORM_SYSTEM;
	if (!instance_survives(b->c, x, MC_CPU))
		return FORM_UNSUPPORTED;

	const char *more =
		isa->variant_features ? isa->variant_features(x->form) : NULL;

	if (more && !mc_has(b->mc, MC_CPU, more))
		return FORM_UNSUPPORTED;
	return FORM_MEASURABLE;
}

enum form_status build_prove(const struct build *b, const struct form *f,
			     struct operand *ops, struct instance *x)
{
	if (!form_example(b->c, f, 0, x))
		return FORM_NO_REGISTER;
	if (!build_immediates(b, f, ops, x))
		return mismatch(b, x);
	return check_cpu(b, x);
}

/* LLVM's encoder crashes on the code generator's returns and calls. */
static bool has_example(const struct form *f)
{
	return f->status != FORM_PSEUDO && f->status != FORM_CONTROL_FLOW;
}

bool build_text(const struct build *b, const struct instance *x, char *text,
		size_t room)
{
	unsigned char code[MC_MAX_CODE];
	size_t n = instance_encode(b->c, x, code, sizeof(code));
	size_t used = 0;

	for (size_t at = 0; at < n;) {
		size_t one;

		if (at > 0 && used + 1 < room)
			text[used++] = ' ';
		one = instance_text(b->c, code + at, n - at, text + used,
				    room - used);
		if (one == 0)
			return false;
		used += strlen(text + used);
		at += one;
	}
	return n > 0;
}

static void add_example(struct build *b, size_t index)
{
	struct form *f = &b->forms[index];
	struct instance x;
	char text[256];

	if (f->status == FORM_MEASURABLE)
		f->status = (uint8_t)build_prove(b, f, b->operands[index], &x);
	else if (!has_example(f) || !form_example(b->c, f, 0, &x))
		return;
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
	struct named_opcode *list = build_names(b);
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

uint16_t catalogue_class(const struct catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->n_classes; i++)
		if (strcmp(c->classes[i].name, name) == 0)
			return (uint16_t)i;
	return CLASS_NONE;
}

int catalogue_open_mc(const struct isa *isa, const char *cpu, struct mc **ret,
		      struct err *e)
{
	const struct mc_config config = {
		.triple = isa->triple,
		.all_cpu = isa->default_cpu,
		.all_features = isa->features,
		.plain_features = isa->plain_features,
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

void catalogue_free(struct catalogue *c)
{
	if (c) {
		mc_close(c->mc);
		c->mc = NULL;
	}
}

const struct form *catalogue_form(const struct catalogue *c, const char *name)
{
	size_t low = 0, high = c->n_forms;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(name, c->forms[mid].name);

		if (order == 0)
			return &c->forms[mid];
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}
