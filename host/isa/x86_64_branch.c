/* x86-64: branches, calls, comparisons fused with a branch, and the masks that
 * gathers and scatters use up.
 *
 *	taken		to the next branch, 64 bytes on
 *	taken,16	the same 16 bytes on
 *	taken,dense	to the next instruction
 *	not-taken	the condition is never true
 *	next		indirect, to the next instruction:
 *			lea r, [rip + n]; jmp r
 *	return		a call, and the return from its target
 *
 * The loop ends with SUB, whose result is not zero, and flags are clear before
 * it: `not equal` always holds, `equal` never. */
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/surround.h"
#include "host/isa/values.h"
#include "host/isa/x86_64.h"

enum {
	CONDITION_EQUAL = 4,
	CONDITION_NOT_EQUAL = 5,
	JCC_SHORT = 0x70,
	NOP = 0x90,
	JCC_BYTES = 2,
};

static const struct variant taken = TAKEN("taken", BRANCH_LINE),
			    taken_close = TAKEN("taken,16", BRANCH_CLOSE),
			    taken_dense = BRANCH("taken,dense"),
			    not_taken = BRANCH("not-taken"),
			    next = BRANCH("next"), call = BRANCH("return"),
			    fused_taken =
				    FUSED("jcc,taken", BRANCH_LINE, false),
			    fused_not_taken = FUSED("jcc,not-taken", 0, false);

static const struct {
	const char *opcode;
	uint8_t bytes; /* of the instruction, where it may be taken */
	const struct variant *variants[4];
} branches[] = {
	{ "JMP_1", 2, { &taken, &taken_close, &taken_dense } },
	{ "JMP_4", 5, { &taken } },
	{ "JCC_1", 2, { &taken, &taken_close, &taken_dense, &not_taken } },
	{ "JCC_4", 6, { &taken, &not_taken } },
	{ "JRCXZ", 2, { &taken, &not_taken } },
	{ "JECXZ", 3, { &taken, &not_taken } },
	{ "LOOP", 2, { &taken } },
	{ "LOOPNE", 2, { &taken } },
	{ "LOOPE", 2, { &not_taken } },
	{ "JMP64r", 0, { &next } },
	{ "CALL64pcrel32", 0, { &call } },
	{ "CALL64r", 0, { &call } },
};

static int find_branch(const char *name)
{
	size_t n = strcspn(name, "/");

	for (size_t i = 0; i < ARRAY_LEN(branches); i++)
		if (strlen(branches[i].opcode) == n &&
		    strncmp(branches[i].opcode, name, n) == 0)
			return (int)i;
	return -1;
}

/* Bytes that the branch jumps over. */
static int64_t jump_of(const struct form *f)
{
	int i = find_branch(f->name);

	return i < 0 || f->variant->distance == 0
		       ? 0
		       : f->variant->distance - branches[i].bytes;
}

void x86_64_branch_variants(const char *opcode, struct variant_list *ret)
{
	int i = find_branch(opcode);

	if (i >= 0)
		variant_add_all(ret, branches[i].variants,
				ARRAY_LEN(branches[i].variants));
}

static bool counts(const char *name)
{
	return name_matches("LOOP*", name);
}

/* JRCXZ branches if the register is zero.  LOOP's counts down from 1 through
 * all numbers, and falls through at 0, once in 2^64. */
bool x86_64_branch_value(const struct form *f, enum reg_bank bank,
			 uint8_t ret[VALUE_BYTES])
{
	if (f->variant != &taken || bank != BANK_GPR ||
	    !name_matches("J*CXZ/*", f->name))
		return false;
	values_repeat(0, sizeof(uint64_t), ret);
	return true;
}

/* A branch that only goes on is arithmetic to everything else. LLVM forgets
 * what LOOP counts. */
void x86_64_shape_branch(const struct catalogue *c, struct form *f,
			 struct operand *ops)
{
	f->flags = 0;
	if (counts(f->name)) {
		ops[f->n_explicit] = (struct operand){
			.kind = OPERAND_REG,
			.implicit = true,
			.read = true,
			.write = true,
			.tied_to = -1,
			.reg_class = CLASS_NONE,
			.fixed_reg = catalogue_register(c, "RCX"),
		};
		f->n_operands = (uint8_t)(f->n_explicit + 1);
	}
	if (f->variant == &call) /* the instance restores the stack */
		f->n_operands = f->n_explicit;
	for (int i = 0; i < f->n_explicit; i++) {
		if (ops[i].kind == OPERAND_LABEL) {
			ops[i].kind = OPERAND_IMM;
			operand_pin(&ops[i], jump_of(f));
		} else if (ops[i].kind == OPERAND_IMM) {
			operand_pin(&ops[i], f->variant == &not_taken
						     ? CONDITION_EQUAL
						     : CONDITION_NOT_EQUAL);
		}
	}
}

/* Comparisons that cores fuse with the next branch (Intel Optimization Manual,
 * 3.4.2.2; AMD Software Optimization Guides, branch fusion), and whether their
 * result is zero: of ones, of one minus the usual number, of a sum that grows,
 * of a difference that starts far from zero. */
static const struct {
	const char *pattern;
	bool zero;
} fusible[] = {
	{ "CMP32ri*", false }, { "CMP32mi*", false }, { "CMP64ri*", false },
	{ "CMP64mi*", false }, { "CMP32*", true },    { "CMP64*", true },
	{ "TEST32*", false },  { "TEST64*", false },  { "AND32r*", false },
	{ "AND64r*", false },  { "ADD32r*", false },  { "ADD64r*", false },
	{ "SUB32r*", false },  { "SUB64r*", false },  { "INC32r*", false },
	{ "INC64r*", false },  { "DEC32r*", false },  { "DEC64r*", false },
};

static int find_fusible(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(fusible); i++)
		if (name_matches(fusible[i].pattern, name))
			return (int)i;
	return -1;
}

void x86_64_fused(const struct form *f, struct variant_list *ret)
{
	/* Encodings that no assembler chooses, and addresses of 64 bits. */
	if (find_fusible(f->name) < 0 ||
	    name_matches_any(NAMES("*_*", "*i32"), f->name))
		return;
	variant_add(ret, &fused_taken);
	variant_add(ret, &fused_not_taken);
}

bool x86_64_fused_value(const struct form *f, int operand, enum reg_bank bank,
			uint8_t ret[VALUE_BYTES])
{
	enum { FAR_FROM_ZERO = 1 << 30 };

	if (form_family(f) != FAMILY_FUSED || operand != 0 ||
	    bank != BANK_GPR ||
	    !name_matches_any(NAMES("SUB*", "DEC*"), f->name))
		return false;
	values_repeat(FAR_FROM_ZERO, sizeof(uint64_t), ret);
	return true;
}

static unsigned register_of(const struct catalogue *c, const struct instance *i)
{
	return c->regs[i->reg[0]].index;
}

/* Consecutive calls of two bytes exceed the entries that an Ice Lake predictor
 * has for a line of code: 21 cycles each, 4.5 with this no-operation between
 * them, nopw 0(%rax,%rax). */
static void put_apart(struct surround *ret)
{
	static const unsigned char nop[] = { 0x66, 0x0f, 0x1f, 0x84, 0x00,
					     0x00, 0x00, 0x00, 0x00 };

	memcpy(ret->behind, nop, sizeof(nop));
	ret->n_behind = sizeof(nop);
	ret->n_instructions = 2; /* with the return */
}

/* Set all bits of the mask again: vpcmpeqd y, y, y, or kxnorw k, k0, k0; k0 is
 * never written. */
static size_t put_mask(const struct reg *r, unsigned char *code)
{
	unsigned n = r->index & 7, high = r->index >> 3 & 1;

	if (r->bank == BANK_MASK) {
		code[0] = 0xc5;
		code[1] = 0xfc;
		code[2] = 0x46;
		code[3] = (unsigned char)(0xc0 | n << 3);
		return 4;
	}
	code[0] = 0xc4;
	code[1] = (unsigned char)(high ? 0x41 : 0xe1);
	code[2] = (unsigned char)((~(unsigned)r->index & 15) << 3 | 5);
	code[3] = 0x76;
	code[4] = (unsigned char)(0xc0 | n << 3 | n);
	return 5;
}

/* je or jne; a taken branch goes to the next pair, at the distance that other
 * branches use. */
static void put_fused(const struct instance *i, size_t n, struct surround *ret)
{
	int fuse = find_fusible(i->form->name);
	bool is_taken = i->form->variant->distance != 0;
	size_t over = is_taken ? i->form->variant->distance - n - JCC_BYTES : 0;

	ret->behind[0] = (unsigned char)(JCC_SHORT + CONDITION_NOT_EQUAL);
	if (fusible[fuse < 0 ? 0 : fuse].zero == is_taken)
		ret->behind[0] = JCC_SHORT + CONDITION_EQUAL;
	ret->behind[1] = (unsigned char)over;
	memset(ret->behind + JCC_BYTES, NOP, over);
	ret->n_behind = JCC_BYTES + over;
	ret->n_instructions = 1;
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	const struct variant *v = i->form->variant;
	int mask = x86_64_consumed_mask(c, i->form, i->form->operands);

	if (mask >= 0) {
		ret->n_before = put_mask(&c->regs[i->reg[mask]], ret->before);
		ret->n_instructions = 1;
	}
	if (v == &call)
		put_apart(ret);
	if (v == &next) {
		ret->n_before = x86_64_put_lea(register_of(c, i), (int32_t)n,
					       ret->before);
		ret->n_instructions = 1;
	}
	if (form_family(i->form) == FAMILY_BRANCH && v->distance) {
		ret->n_behind = (size_t)jump_of(i->form);
		memset(ret->behind, NOP, ret->n_behind);
	}
	if (form_family(i->form) == FAMILY_X87)
		x86_64_x87_around(v, ret);
	if (form_family(i->form) == FAMILY_STRING)
		x86_64_string_around(i->form, ret);
	if (form_family(i->form) == FAMILY_STACK)
		x86_64_stack_around(c, i, n, ret);
	if (form_family(i->form) != FAMILY_FUSED)
		return;
	put_fused(i, n, ret);
}

static bool calls(const struct instance *i)
{
	return i->form->variant == &call;
}

/* jmp +1; ret; and for a call through a register lea r, [rip - 8] */
static size_t stub(const struct catalogue *c, const struct instance *i,
		   unsigned char *code, size_t room, size_t *ret_stub)
{
	enum { BYTES = 10 };
	static const unsigned char jump[] = { 0xeb, 0x01, 0xc3 };

	if (room < BYTES)
		return 0;
	memcpy(code, jump, sizeof(jump));
	*ret_stub = 2;
	if (i->form->operands[0].kind != OPERAND_REG)
		return sizeof(jump);
	return sizeof(jump) +
	       x86_64_put_lea(register_of(c, i), -8, code + sizeof(jump));
}

static int64_t call_immediate(const struct instance *i, size_t distance,
			      size_t n)
{
	(void)i;
	return -(int64_t)(distance + n);
}

const struct isa_surround x86_64_surround = {
	.around = around,
	.calls = calls,
	.stub = stub,
	.call_immediate = call_immediate,
	.enclose = x86_64_stack_enclose,
};
