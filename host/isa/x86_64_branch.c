/* x86-64: branches, calls, comparisons fused with a branch.
 *
 *	next	lea r, [rip + n]; jmp r
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

/* Bytes of branches that may be taken. */
static const struct name_rule sizes[] = {
	{ NAMES("JMP_4/*"), 5 },
	{ NAMES("JCC_4/*"), 6 },
	{ NAMES("JECXZ/*"), 3 },
	{ NAMES("*"), 2 },
};

/* Bytes that the branch jumps over. */
static int64_t jump_of(const struct form *f)
{
	return f->variant->distance == 0
		       ? 0
		       : f->variant->distance -
				 name_rule(sizes, ARRAY_LEN(sizes), f->name, 0);
}

/* JRCXZ branches if the register is zero.  LOOP's counts down from 1 through
 * all numbers, and falls through at 0, once in 2^64. */
static bool branch_value(const struct form *f, int operand, enum reg_bank bank,
			 uint8_t ret[VALUE_BYTES])
{
	(void)operand;
	if (!branch_is(f, BRANCH_TAKEN) || bank != BANK_GPR ||
	    !name_matches("J*CXZ/*", f->name))
		return false;
	values_repeat(0, sizeof(uint64_t), ret);
	return true;
}

/* A branch that only goes on is arithmetic to everything else. LLVM forgets
 * what LOOP counts. */
static void shape_branch(const struct catalogue *c, struct form *f,
			 struct operand *ops)
{
	if (name_matches("LOOP*", f->name)) {
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
	if (branch_is(f, BRANCH_CALL)) /* the instance restores the stack */
		f->n_operands = f->n_explicit;
	branch_shape(f, ops, jump_of(f),
		     branch_is(f, BRANCH_NOT_TAKEN) ? CONDITION_EQUAL
						    : CONDITION_NOT_EQUAL);
}

/* Comparisons that cores fuse with the next branch (Intel Optimization Manual,
 * 3.4.2.2; AMD Software Optimization Guides, branch fusion), and whether their
 * result is zero: of ones, of one minus the usual number, of a sum that grows,
 * of a difference that starts far from zero. */
static const struct name_rule fusible[] = {
	{ NAMES("CMP32ri*", "CMP32mi*", "CMP64ri*", "CMP64mi*"), false },
	{ NAMES("CMP32*", "CMP64*"), true },
	{ NAMES("TEST32*", "TEST64*", "AND32r*", "AND64r*", "ADD32r*",
		"ADD64r*", "SUB32r*", "SUB64r*", "INC32r*", "INC64r*",
		"DEC32r*", "DEC64r*"),
	  false },
};

bool x86_64_fuses(const struct catalogue *c, const struct form *f,
		  const struct variant *v)
{
	(void)c, (void)v;
	/* Encodings that no assembler chooses, and addresses of 64 bits. */
	return name_rule(fusible, ARRAY_LEN(fusible), f->name, -1) >= 0 &&
	       !name_matches_any(NAMES("*_*", "*i32"), f->name);
}

static bool fused_value(const struct form *f, int operand, enum reg_bank bank,
			uint8_t ret[VALUE_BYTES])
{
	enum { FAR_FROM_ZERO = 1 << 30 };

	if (operand != 0 || bank != BANK_GPR ||
	    !name_matches_any(NAMES("SUB*", "DEC*"), f->name))
		return false;
	values_repeat(FAR_FROM_ZERO, sizeof(uint64_t), ret);
	return true;
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

/* je or jne; a taken branch goes to the next pair, at the distance that other
 * branches use. */
static void put_fused(const struct catalogue *c, const struct instance *i,
		      size_t n, struct surround *ret)
{
	bool zero = name_rule(fusible, ARRAY_LEN(fusible), i->form->name, 0);
	bool is_taken = i->form->variant->distance != 0;
	size_t over = is_taken ? i->form->variant->distance - n - JCC_BYTES : 0;

	(void)c;
	ret->behind[0] = (unsigned char)(JCC_SHORT + CONDITION_NOT_EQUAL);
	if (zero == is_taken)
		ret->behind[0] = JCC_SHORT + CONDITION_EQUAL;
	ret->behind[1] = (unsigned char)over;
	memset(ret->behind + JCC_BYTES, NOP, over);
	ret->n_behind = JCC_BYTES + over;
	ret->n_instructions = 1;
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	const struct form *f = i->form;

	if (branch_is(f, BRANCH_CALL))
		put_apart(ret);
	if (branch_is(f, BRANCH_NEXT)) {
		ret->n_before = x86_64_put_lea(c->regs[i->reg[0]].index,
					       (int32_t)n, ret->before);
		ret->n_instructions = 1;
	}
	if (f->variant->distance) {
		ret->n_behind = (size_t)jump_of(f);
		memset(ret->behind, NOP, ret->n_behind);
	}
}

const struct isa_family x86_64_branch = { shape_branch, around, branch_value };
const struct isa_family x86_64_fused = { NULL, put_fused, fused_value };
