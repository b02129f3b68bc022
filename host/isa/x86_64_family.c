/* x86-64: what families of variants need around an instance, and in its
 * operands: each has a file, or a part of one; and what a kernel's forms need
 * of each other. */
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/surround.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

const struct isa_family *const x86_64_families[FAMILY_N] = {
	[FAMILY_ADDRESS] = &x86_64_address,
	[FAMILY_SAME] = &x86_64_same,
	[FAMILY_HIGH] = &x86_64_high,
	[FAMILY_BRANCH] = &x86_64_branch,
	[FAMILY_FUSED] = &x86_64_fused,
	[FAMILY_STACK] = &x86_64_stack,
	[FAMILY_STRING] = &x86_64_string,
	[FAMILY_X87] = &x86_64_x87,
	[FAMILY_SYSTEM] = &x86_64_system_family,
};

/* ---- values -------------------------------------------------------------- */

/* DIV and IDIV take the high and the low half of the dividend from two
 * registers (bytes: from AX) and leave remainder and quotient there.  With
 *
 *	divisor   (2^n - 1) / 3 + 1
 *	high      m
 *	low       3 m
 *
 * the remainder is m and the quotient 3 m again, whatever m is: with the
 * largest m that neither overflows, the quotient has all n bits (n - 1 where
 * it is signed), in every step.  Fast: 1 divided by 1. */
static uint64_t divide_value(const struct form *f, int operand, unsigned bits)
{
	uint64_t ones = UINT64_MAX >> (64 - bits);
	uint64_t most = f->name[0] == 'I' ? ones >> 1 : ones;
	uint64_t m = most / 3 - 1;
	bool slow_one = form_family(f) == FAMILY_SLOW;

	if (operand == OPERAND_MEMORY || operand < f->n_explicit)
		return slow_one ? ones / 3 + 1 : 1;
	if (bits == 8) /* AX */
		return slow_one ? m << bits | 3 * m : 1;
	if (operand == f->n_explicit) /* the accumulator comes first */
		return slow_one ? 3 * m : 1;
	return slow_one ? m : 0;
}

/* Indices 0 1 2 3, of 64 bits if the letter before the data's says so:
 * VGATHERQPS, VPSCATTERDQ. */
static bool index_value(const struct form *f, int operand,
			uint8_t ret[VALUE_BYTES])
{
	bool quads = name_matches_any(
		NAMES("VGATHERQ*", "VPGATHERQ*", "VSCATTERQ*", "VPSCATTERQ*"),
		f->name);

	if (operand < 0 || f->operands[operand].role != ROLE_INDEX)
		return false;
	values_steps(quads ? 8 : 4, 1, ret);
	return true;
}

/* The mask, and the loaded data, which becomes the mask in a chain. */
static bool mask_value(int operand, enum reg_bank bank,
		       uint8_t ret[VALUE_BYTES])
{
	memset(ret, 0xff, VALUE_BYTES);
	return bank == BANK_VECTOR || operand == OPERAND_MEMORY;
}

bool x86_64_operand_value(const struct form *f, int operand, enum reg_bank bank,
			  uint8_t ret[VALUE_BYTES])
{
	const struct isa_family *k = x86_64_families[form_family(f)];
	unsigned bits = 0;

	if (k && k->value)
		return k->value(f, operand, bank, ret);
	if (name_matches_any(NAMES("V*GATHER*", "V*SCATTER*"), f->name))
		return index_value(f, operand, ret);
	if (name_matches("V*MASKMOV*", f->name))
		return mask_value(operand, bank, ret);
	if (!f->variant || !name_matches_any(NAMES("DIV#*", "IDIV#*"), f->name))
		return values_operand(f, operand, bank, ret);
	if (bank != BANK_GPR && operand != OPERAND_MEMORY)
		return false;
	for (const char *at = f->name; *at && bits == 0; at++)
		for (; *at >= '0' && *at <= '9'; at++)
			bits = bits * 10 + (unsigned)(*at - '0');
	values_repeat(divide_value(f, operand, bits), sizeof(uint64_t), ret);
	if (operand == OPERAND_MEMORY)
		values_repeat(divide_value(f, operand, bits), bits / 8, ret);
	return true;
}

/* ---- code around instances ----------------------------------------------- */

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

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	int mask = x86_64_consumed_mask(c, i->form, i->form->operands);

	if (mask >= 0) {
		ret->n_before = put_mask(&c->regs[i->reg[mask]], ret->before);
		ret->n_instructions = 1;
	}
	family_around(c, i, n, ret);
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
	return sizeof(jump) + x86_64_put_lea(c->regs[i->reg[0]].index, -8,
					     code + sizeof(jump));
}

static int64_t call_immediate(const struct instance *i, size_t distance,
			      size_t n)
{
	(void)i;
	return -(int64_t)(distance + n);
}

const struct isa_surround x86_64_surround = {
	.around = around,
	.calls = branch_calls,
	.stub = stub,
	.call_immediate = call_immediate,
	.enclose = x86_64_stack_enclose,
};

/* Of the stack or of the x87. */
size_t x86_64_prologue(const struct catalogue *c, const struct instance *i,
		       size_t n, unsigned char *code, size_t room)
{
	size_t bytes = x86_64_stack_prologue(i, code, room);

	if (bytes == 0)
		bytes = x86_64_xstate_prologue(c, i, code, room);
	return bytes > 0 ? bytes : x86_64_x87_prologue(c, i, n, code, room);
}

/* ---- several forms in a kernel ------------------------------------------- */

/* State of registers that one form of a kernel needs and another must not have:
 * upper halves of vectors, and the x87 stack, which MMX overlaps. */
static const char *clash_of(const struct catalogue *c, const struct form *a,
			    const struct form *b)
{
	bool legacy =
		form_family(b) != FAMILY_DIRTY && x86_64_is_legacy_sse(c, b);

	/* Where a kernel uses upper halves, a form of legacy SSE is its variant
	 * `dirty`.  On a Granite Rapids server each change between it and VEX
	 * forms then costs 195 cycles. */
	if (legacy && (form_family(a) == FAMILY_DIRTY || form_is_wide(c, a)))
		return "upper halves in use";
	if (form_family(a) == FAMILY_X87 && form_uses(c, b, BANK_FP))
		return "a full x87 stack";
	return NULL;
}

const char *x86_64_clash(const struct catalogue *c, const struct form *a,
			 const struct form *b)
{
	const char *why = clash_of(c, a, b);

	return why ? why : clash_of(c, b, a);
}
