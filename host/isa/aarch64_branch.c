/* AArch64: branches, calls, comparisons fused with a branch, the reservation
 * in front of an exclusive store, and where literals are.
 *
 *	next	adr x, #8; br x
 *
 * No other instruction of the kernel writes flags, which start clear:
 * `not equal` holds, `equal` does not. */
#include <string.h>

#include "host/isa/aarch64.h"
#include "host/isa/branch.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/surround.h"
#include "host/isa/values.h"

enum {
	CONDITION_EQUAL = 0,
	CONDITION_NOT_EQUAL = 1,
	BYTES = 4,         /* of an instruction */
	B_EQ = 0x54000000, /* b.eq #0 */
	IMM19 = 5,
	ADR_8 = 0x10000040,      /* adr x0, #8 */
	ADR_4_BACK = 0x10ffffe0, /* adr x0, #-4 */
	B_8 = 0x14000002,
};

static const uint32_t nop = 0xd503201f;
static const uint32_t mov_x16_lr = 0xaa1e03f0;
static const uint32_t ret_lr = 0xd65f03c0;
static const uint32_t ret_x16 = 0xd65f0200;

/* Logarithm of the bytes of each register that an exclusive store stores. */
static const struct name_rule sizes[] = {
	{ NAMES("ST*XRB*"), 0 },
	{ NAMES("ST*XRH*"), 1 },
	{ NAMES("ST*XRW*", "ST*XPW*"), 2 },
	{ NAMES("ST*XRX*", "ST*XPX*"), 3 },
};

/* Distances count instructions.  The immediate is a condition, or the number of
 * the bit to test: the lowest, but of TBZX, whose lower bits are the other
 * opcode's. */
static void shape_branch(const struct catalogue *c, struct form *f,
			 struct operand *ops)
{
	uint8_t distance = f->variant->distance;
	bool conditional = f->name[0] == 'B';

	(void)c;
	if (branch_is(f, BRANCH_CALL)) /* the kernel keeps the link register */
		f->n_operands = f->n_explicit;
	branch_shape(f, ops, distance ? distance / BYTES : 1,
		     name_matches("TB*X/*", f->name) ? 32
		     : conditional && !branch_is(f, BRANCH_NOT_TAKEN)
			     ? CONDITION_NOT_EQUAL
			     : CONDITION_EQUAL);
}

/* cmp, cmn and tst write to the zero register. */
static void shape_fused(const struct catalogue *c, struct form *f,
			struct operand *ops)
{
	ops[0].fixed_reg = catalogue_register(
		c, name_matches("*W*", f->name) ? "WZR" : "XZR");
	ops[0].write = false;
}

/* Is the result zero if the operands are 1? */
static const struct name_rule fusible[] = {
	{ NAMES("SUBSXri*", "SUBSWri*", "ADDSXri*", "ADDSWri*", "ADDSXrs*",
		"ADDSWrs*", "ANDSXri*", "ANDSWri*", "ANDSXrs*", "ANDSWrs*"),
	  0 },
	{ NAMES("SUBSXrs*", "SUBSWrs*"), 1 },
};

bool aarch64_fuses(const struct catalogue *c, const struct form *f,
		   const struct variant *v)
{
	(void)c, (void)v;
	return name_rule(fusible, ARRAY_LEN(fusible), f->name, -1) >= 0;
}

/* CBZ and TBZ branch on 0, CBNZ and TBNZ on other values. */
static bool branch_value(const struct form *f, int operand, enum reg_bank bank,
			 uint8_t ret[VALUE_BYTES])
{
	bool zero = name_matches_any(NAMES("CBZ*", "TBZ*"), f->name);
	bool any = zero || name_matches_any(NAMES("CBNZ*", "TBNZ*"), f->name);

	(void)operand;
	if (bank != BANK_GPR || !any)
		return false;
	values_repeat(zero == branch_is(f, BRANCH_TAKEN) ? 0 : UINT64_MAX,
		      sizeof(uint64_t), ret);
	return true;
}

static uint32_t register_of(const struct catalogue *c, const struct instance *i)
{
	return c->regs[i->reg[0]].index;
}

/* ldxr zr, [base]: the reservation for an exclusive store of this size.  Two
 * registers must differ: ldxp zr, s, [base] uses the register that the store
 * then writes its success to. */
static void reserve(const struct catalogue *c, const struct instance *i,
		    size_t n, struct surround *ret)
{
	const uint32_t ldxr = 0x085f7c1f, ldxp = 0x087f001f;
	uint32_t size =
		(uint32_t)name_rule(sizes, ARRAY_LEN(sizes), i->form->name, 0);
	uint32_t base = c->regs[i->reg[form_part(i->form, ROLE_BASE)]].index;
	bool two = name_matches("ST*XP*", i->form->name);

	(void)n;
	values_put32(ret->before,
		     (two ? ldxp | register_of(c, i) << 10 : ldxr) |
			     size << 30 | base << 5);
	ret->n_before = BYTES;
	ret->n_instructions = 1;
}

static void put_nops(size_t bytes, struct surround *ret)
{
	for (size_t end = ret->n_behind + bytes; ret->n_behind < end;
	     ret->n_behind += BYTES)
		values_put32(ret->behind + ret->n_behind, nop);
}

/* b.eq or b.ne; a taken branch goes to the next pair. */
static void put_fused(const struct catalogue *c, const struct instance *i,
		      size_t n, struct surround *ret)
{
	bool zero = name_rule(fusible, ARRAY_LEN(fusible), i->form->name, 0);
	uint32_t distance = i->form->variant->distance;
	uint32_t words = distance ? distance / BYTES - 1 : 1;

	(void)c, (void)n;
	values_put32(ret->behind,
		     B_EQ | words << IMM19 |
			     (zero == (distance != 0) ? CONDITION_EQUAL
						      : CONDITION_NOT_EQUAL));
	ret->n_behind = BYTES;
	put_nops((size_t)(words - 1) * BYTES, ret);
	ret->n_instructions = 1;
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	const struct form *f = i->form;

	(void)n;
	if (branch_is(f, BRANCH_CALL))
		ret->n_instructions = 1;
	if (branch_is(f, BRANCH_NEXT)) {
		values_put32(ret->before, ADR_8 | register_of(c, i));
		ret->n_before = BYTES;
		ret->n_instructions = 1;
	}
	if (f->variant->distance)
		put_nops(f->variant->distance - BYTES, ret);
}

static const struct isa_family branch = { shape_branch, around, branch_value },
			       fused = { shape_fused, put_fused, NULL },
			       reserved = { NULL, reserve, NULL };

const struct isa_family *const aarch64_families[FAMILY_N] = {
	[FAMILY_BRANCH] = &branch,
	[FAMILY_FUSED] = &fused,
	[FAMILY_PAIR] = &reserved,
	[FAMILY_SYSTEM] = &aarch64_system_family,
};

static bool calls(const struct instance *i)
{
	return branch_calls(i) || aarch64_is_literal(i->form);
}

/* b over the literal; the widest literal, aligned to its width. */
static size_t literal(unsigned char *code, size_t room, size_t *ret_stub)
{
	enum { LITERAL = 16, END = 2 * LITERAL };
	const uint32_t b_end = 0x14000000 | END / BYTES;

	if (room < END)
		return 0;
	for (size_t at = 0; at < END; at += BYTES)
		values_put32(code + at, at == 0 ? b_end : nop);
	*ret_stub = LITERAL;
	return END;
}

/* mov x16, x30; b +8; ret; and for a call through a register adr x, stub. No
 * other instruction of the kernel uses x16. */
static size_t stub(const struct catalogue *c, const struct instance *i,
		   unsigned char *code, size_t room, size_t *ret_stub)
{
	const uint32_t words[] = {
		mov_x16_lr,
		B_8,
		ret_lr,
		ADR_4_BACK,
	};
	size_t n = ARRAY_LEN(words);

	if (aarch64_is_literal(i->form))
		return literal(code, room, ret_stub);
	if (room < sizeof(words))
		return 0;
	for (size_t k = 0; k < n; k++)
		values_put32(code + k * BYTES, words[k]);
	*ret_stub = 2 * BYTES;
	if (i->form->operands[0].kind != OPERAND_REG)
		return (n - 1) * BYTES;
	values_put32(code + (n - 1) * BYTES, ADR_4_BACK | register_of(c, i));
	return n * BYTES;
}

static int64_t call_immediate(const struct instance *i, size_t distance,
			      size_t n)
{
	(void)i;
	return -(int64_t)(distance / n);
}

static void end(const struct instance *i, unsigned char *code, size_t n)
{
	if (branch_is(i->form, BRANCH_CALL))
		values_put32(code + n - BYTES, ret_x16);
}

const struct isa_surround aarch64_surround = {
	.around = family_around,
	.calls = calls,
	.stub = stub,
	.call_immediate = call_immediate,
	.end = end,
};
