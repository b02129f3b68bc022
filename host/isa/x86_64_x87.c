/* x86-64: the x87, whose registers are a stack.
 *
 * LLVM names a register by its distance from the top and leaves the top out of
 * operands.  Here it is one (ST0, and ST1 where the form reads or writes it),
 * and every kernel starts with all eight in use.  A form that leaves the stack
 * where it is stands alone; a form that moves it is a pair with what moves it
 * back:
 *
 *	x87			the stack stays
 *	x87,fld1		pops; a 1 is pushed behind it
 *	x87,fld1,fld1		pops twice
 *	x87,fldz		pops; its range ends below 1, so a 0 is pushed
 *	x87,fstp		pushes; the top is popped in front of it
 *	x87,fstp1		pushes above its result; the pushed value is
 *				popped */
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/surround.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

enum { READ = 1, WRITE = 2, BOTH = READ | WRITE };

/* What keeps the stack, around the form. */
struct balance {
	struct variant variant;
	uint8_t n_before, n_behind; /* bytes, two of an instruction */
	unsigned char before[2], behind[4];
	int8_t pops; /* of the form; negative: pushes */
};

#define X87(text, why)                     \
	.variant = { .suffix = text,       \
		     .family = FAMILY_X87, \
		     .unchained = why,     \
		     .reshapes = true }
#define PAIR "a pair with what moves the stack back"

/* d9 e8: fld1; d9 ee: fldz; dd d8: fstp st(0); dd d9: fstp st(1) */
static const struct balance
	stays = { X87("x87", NULL) },
	names = { X87("x87", "an exchange gives registers other names") },
	pops = { X87("x87,fld1", PAIR), .n_behind = 2, .behind = { 0xd9, 0xe8 },
		 .pops = 1 },
	pops_twice = { X87("x87,fld1,fld1", PAIR), .n_behind = 4,
		       .behind = { 0xd9, 0xe8, 0xd9, 0xe8 }, .pops = 2 },
	pops_zero = { X87("x87,fldz", PAIR), .n_behind = 2,
		      .behind = { 0xd9, 0xee }, .pops = 1 },
	pushes = { X87("x87,fstp", PAIR), .n_before = 2,
		   .before = { 0xdd, 0xd8 }, .pops = -1 },
	pushes_above = { X87("x87,fstp1", PAIR), .n_behind = 2,
			 .behind = { 0xdd, 0xd9 }, .pops = -1 };

/* What a form does to the top, to the next register, and to its explicit one
 * (Intel SDM vol. 1, 8.1.2 and vol. 2).  The first pattern counts; forms that
 * match none rotate the stack or load all registers. */
struct stack_effect {
	const char *const *names;
	const struct balance *balance;
	uint8_t top, second, own;
};

static const struct stack_effect effects[] = {
	{ NAMES("COM_FST0r", "*COM_FIr", "UCOM_Fr"), &stays, READ, 0, READ },
	{ NAMES("COMP_FST0r", "*COM_FIPr", "UCOM_FPr"), &pops, READ, 0, READ },
	{ NAMES("UCOM_FPPr", "FCOMPP"), &pops_twice, READ, READ, 0 },
	{ NAMES("F*COMP#m", "ST_FP#m", "IST*_FP#m", "FBSTPm"), &pops, READ, 0,
	  0 },
	{ NAMES("F*COM#m", "ST_F#m", "IST_F#m", "TST_F", "XAM_F"), &stays, READ,
	  0, 0 },
	{ NAMES("CMOV*_F"), &stays, BOTH, 0, READ },
	{ NAMES("XCH_F"), &names, BOTH, 0, BOTH },
	{ NAMES("ST_Frr"), &stays, READ, 0, WRITE },
	{ NAMES("ST_FPrr"), &pops, READ, 0, WRITE },
	{ NAMES("LD_F*"), &pushes, WRITE, 0, READ },
	{ NAMES("ILD_F#m", "FBLDm", "FLDL*", "FLDPI"), &pushes, WRITE, 0, 0 },
	{ NAMES("FXTRACT", "FPTAN", "FSINCOS"), &pushes_above, BOTH, 0, 0 },
	{ NAMES("FPATAN", "FYL2X"), &pops, READ, BOTH, 0 },
	{ NAMES("FYL2XP1"), &pops_zero, READ, BOTH, 0 },
	{ NAMES("FSCALE", "FPREM*"), &stays, BOTH, READ, 0 },
	{ NAMES("F2XM1", "FSIN", "FCOS", "FRNDINT", "ABS_F", "CHS_F", "SQRT_F",
		"*_F#m", "*_FI#m"),
	  &stays, BOTH, 0, 0 },
	{ NAMES("*_FPrST0"), &pops, READ, 0, BOTH },
	{ NAMES("*_FrST0"), &stays, READ, 0, BOTH },
	{ NAMES("*_FST0r"), &stays, BOTH, 0, READ },
	{ NAMES("FNSTCW16m", "FLDCW16m", "FNSTSWm", "FNSTSW16r", "FNCLEX",
		"FNOP", "WAIT"),
	  &stays, 0, 0, 0 },
};

static const struct stack_effect *find_effect(const char *name)
{
	char opcode[OPCODE_ROOM];

	return NAME_ROW(effects, name_opcode(name, opcode));
}

void x86_64_derive(const struct catalogue *c, const struct form *f,
		   struct variant_list *ret)
{
	const struct stack_effect *e =
		f->status == FORM_X87 ? find_effect(f->name) : NULL;

	(void)c;

	if (e)
		variant_add(ret, &e->balance->variant);
}

static void set(struct operand *o, unsigned effect)
{
	o->read = effect & READ;
	o->write = effect & WRITE;
}

static void add_register(const struct catalogue *c, struct form *f,
			 struct operand *ops, const char *name, unsigned effect)
{
	struct operand *o = &ops[f->n_operands];

	if (effect == 0)
		return;
	f->n_operands++;
	*o = (struct operand){ .kind = OPERAND_REG,
			       .implicit = true,
			       .tied_to = -1,
			       .reg_class = CLASS_NONE,
			       .fixed_reg = catalogue_register(c, name) };
	set(o, effect);
}

static void shape(const struct catalogue *c, struct form *f,
		  struct operand *ops)
{
	const struct stack_effect *e = find_effect(f->name);
	uint8_t n = f->n_explicit;

	if (!e)
		return;
	f->domain = DOMAIN_FP64;
	/* Status and control registers are not part of a chain; the kernel owns
	 * the stack. */
	for (uint8_t i = f->n_explicit; i < f->n_operands; i++)
		if (c->regs[ops[i].fixed_reg].bank != BANK_X87)
			ops[n++] = ops[i];
	f->n_operands = n;
	for (uint8_t i = 0; i < f->n_explicit; i++) {
		if (ops[i].kind != OPERAND_REG || e->own == 0)
			continue;
		set(&ops[i], e->own);
		/* After the pop before it the last register is empty. */
		if (e->balance == &pushes)
			ops[i].fixed_reg = catalogue_register(c, "ST1");
	}
	add_register(c, f, ops, "ST0", e->top);
	add_register(c, f, ops, "ST1", e->second);
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	const struct stack_effect *e = find_effect(i->form->name);
	const struct balance *k = e ? e->balance : &stays;

	(void)c, (void)n;
	memcpy(ret->before, k->before, k->n_before);
	memcpy(ret->behind, k->behind, k->n_behind);
	ret->n_before = k->n_before;
	ret->n_behind = k->n_behind;
	ret->n_instructions = (uint32_t)(k->n_before + k->n_behind) / 2;
}

/* ffree st(7): room for the value that is pushed in addition to the result. */
size_t x86_64_x87_prologue(const struct catalogue *c, const struct instance *i,
			   size_t n, unsigned char *code, size_t room)
{
	bool room_needed = false;

	(void)c;
	for (size_t k = 0; k < n; k++)
		room_needed |= i[k].form->variant == &pushes_above.variant;
	if (!room_needed || room < 2)
		return 0;
	code[0] = 0xdd;
	code[1] = 0xc7;
	return 2;
}

/* Operations whose result repeats: x times 2 to the 0, the remainder of 1 by
 * pi. */
static uint64_t second_value(const struct form *f)
{
	if (name_matches("FSCALE*", f->name))
		return 0;
	if (name_matches("FPREM*", f->name))
		return 0x400921fb54442d18;
	return values_boxed_one(DOMAIN_FP64);
}

/* Memory holds 1 in the form's type; a control word masks all exceptions. */
static bool memory_value(const struct form *f, uint8_t ret[VALUE_BYTES])
{
	static const struct {
		const char *pattern;
		uint8_t bytes;
		uint64_t value;
	} ones[] = {
		{ "FLDCW*", 2, 0x37f },     { "*FI16m*", 2, 1 },
		{ "*FI32m*", 4, 1 },        { "FICOM*16m*", 2, 1 },
		{ "FICOM*32m*", 4, 1 },     { "ILD_F16m*", 2, 1 },
		{ "ILD_F32m*", 4, 1 },      { "ILD_F64m*", 8, 1 },
		{ "*32m*", 4, 0x3f800000 },
	};
	static const uint8_t extended[VALUE_BYTES] = { 0, 0, 0,    0,    0,
						       0, 0, 0x80, 0xff, 0x3f };
	static const uint8_t decimal[VALUE_BYTES] = { 1 };

	memset(ret, 0, VALUE_BYTES);
	if (name_matches("*80m*", f->name))
		memcpy(ret, extended, VALUE_BYTES);
	else if (name_matches("FB*", f->name))
		memcpy(ret, decimal, VALUE_BYTES);
	else
		for (size_t i = 0; i < ARRAY_LEN(ones); i++)
			if (name_matches(ones[i].pattern, f->name)) {
				values_repeat(ones[i].value, ones[i].bytes,
					      ret);
				return true;
			}
	return name_matches("*80m*", f->name) || name_matches("FB*", f->name);
}

static bool value(const struct form *f, int operand, enum reg_bank bank,
		  uint8_t ret[VALUE_BYTES])
{
	if (operand == OPERAND_MEMORY)
		return memory_value(f, ret);
	if (bank != BANK_X87 || operand + 1 != f->n_operands)
		return false;
	values_repeat(second_value(f), sizeof(uint64_t), ret);
	return true;
}

const struct isa_family x86_64_x87 = { shape, around, value };

/* ---- loops ------------------------------------------------------------- */

/* The operand of `f` that is this register; n_operands: none. */
static uint8_t operand_of(const struct catalogue *c, const struct form *f,
			  const char *name)
{
	uint8_t k = f->n_explicit;

	while (k < f->n_operands &&
	       strcmp(c->regs[f->operands[k].fixed_reg].name, name) != 0)
		k++;
	return k;
}

static void use(struct isa_stack *s, int entry, unsigned effect,
		uint8_t operand)
{
	if (effect == 0)
		return;
	s->uses[s->n].entry = (int8_t)entry;
	s->uses[s->n].operand = operand;
	s->uses[s->n].read = effect & READ;
	s->uses[s->n++].write = effect & WRITE;
}

/* The variant that keeps the top of the stack: measured alone. */
static const struct form *standing_form(const struct catalogue *c,
					const struct form *f)
{
	for (const struct form *x = f; x; x = form_next(c, x))
		if (x->variant == &stays.variant ||
		    x->variant == &names.variant)
			return x;
	return NULL;
}

bool x86_64_x87_stack(const struct catalogue *c, const struct instance *i,
		      struct isa_stack *ret)
{
	const struct form *f = i->form;
	const struct stack_effect *e =
		f->status == FORM_X87 ? find_effect(f->name) : NULL;
	const struct form *named;

	if (!e)
		return false;
	*ret = (struct isa_stack){ .pops = e->balance->pops,
				   .form = standing_form(c, f) };
	named = ret->form ? ret->form : f;
	for (uint8_t k = 0; k < f->n_explicit; k++)
		if (f->operands[k].kind == OPERAND_REG &&
		    c->regs[i->reg[k]].bank == BANK_X87)
			use(ret, c->regs[i->reg[k]].index, e->own, k);
	use(ret, e->balance == &pushes ? -1 : 0, e->top,
	    operand_of(c, named, "ST0"));
	use(ret, 1, e->second, operand_of(c, named, "ST1"));
	if (e->balance == &pushes_above)
		use(ret, -1, WRITE, operand_of(c, named, "ST0"));
	return true;
}
