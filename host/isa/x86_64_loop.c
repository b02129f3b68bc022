/* x86-64: analysis of compiled loops. */
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

enum {
	SCALE = 1,
	INDEX,
	DISPLACEMENT,
	SEGMENT,
	N_PARTS,
	KEPT_BITS = 32, /* a result of 32 bits clears the upper half */
};

/* fs addr32 nop: the bytes after the move of a marker of IACA and its
 * successors. */
static const unsigned char marker[] = { 0x64, 0x67, 0x90 };

/* Its variants name the parts of the address as operands of their own. */
static bool is_lea(const struct form *f)
{
	return name_matches_any(NAMES("LEA64r*", "LEA64_32r*"), f->name);
}

static int find_base(const struct form *f)
{
	if (is_lea(f))
		return 1;
	for (int k = 0; k + N_PARTS <= f->n_explicit; k++)
		if (f->operands[k].kind == OPERAND_MEM)
			return k;
	return -1;
}

static bool address(const struct catalogue *c, const struct instance *i,
		    struct isa_address *ret)
{
	const struct form *f = i->form;
	int at = find_base(f);

	(void)c;
	if (at < 0)
		return false;
	*ret = (struct isa_address){
		.base = i->reg[at] ? at : -1,
		.index = i->reg[at + INDEX] ? at + INDEX : -1,
		.scale = i->imm[at + SCALE],
		.displacement = i->imm[at + DISPLACEMENT],
		.bytes = f->text_bytes ? f->text_bytes : f->access_bytes,
	};
	return true;
}

static const struct name_rule steps[] = {
	{ NAMES("ADD64ri*", "ADD32ri*"), 1 },
	{ NAMES("SUB64ri*", "SUB32ri*"), -1 },
	{ NAMES("INC64r", "INC32r"), 2 },
	{ NAMES("DEC64r", "DEC32r"), -2 },
	{ NAMES("MOV64rr*"), 3 },
	{ NAMES("MOV64ri*", "MOV32ri*"), 4 },
};

static bool x86_64_loop_step(const struct catalogue *c,
			     const struct instance *i, struct isa_step *ret)
{
	const struct form *f = i->form;
	int kind = name_rule(steps, ARRAY_LEN(steps), f->name, 0);

	(void)c;
	*ret = (struct isa_step){ .source = i->reg[1] };
	if (is_lea(f)) {
		ret->add = i->imm[1 + DISPLACEMENT];
		return i->reg[1] != REG_NONE && i->reg[1 + INDEX] == REG_NONE;
	}
	if (kind == 0)
		return false;
	if (kind == 4)
		ret->source = REG_NONE;
	if (kind == 4 || f->n_explicit > 2)
		ret->add = i->imm[f->n_explicit - 1] * (kind == -1 ? -1 : 1);
	if (kind == 2 || kind == -2)
		ret->add = kind / 2;
	return true;
}

/* With rbp or r13 as its base an address always has a displacement (Intel SDM,
 * volume 2A, 2.1.5). */
static bool adds_three(const struct catalogue *c, const struct instance *i)
{
	enum { RBP = 5, R13 = 13 };
	const struct reg *base = &c->regs[i->reg[1]];

	return is_lea(i->form) && i->reg[1] != REG_NONE &&
	       base->bank == BANK_GPR && i->reg[1 + INDEX] != REG_NONE &&
	       (i->imm[1 + DISPLACEMENT] != 0 || base->index == RBP ||
		base->index == R13);
}

static const struct isa_kind moves[] = {
	{ "general",
	  NAMES("MOV32rr", "MOV64rr", "MOV32rr_REV", "MOV64rr_REV") },
	{ "bytes", NAMES("MOVZX32rr8", "MOVZX64rr8") },
	{ "vectors",
	  NAMES("MOVAPSrr*", "MOVAPDrr*", "MOVUPSrr*", "MOVUPDrr*", "MOVDQArr*",
		"MOVDQUrr*", "VMOVAPSrr*", "VMOVAPDrr*", "VMOVUPSrr*",
		"VMOVUPDrr*", "VMOVDQArr*", "VMOVDQUrr*", "VMOVAPSYrr*",
		"VMOVAPDYrr*", "VMOVUPSYrr*", "VMOVUPDYrr*", "VMOVDQAYrr*",
		"VMOVDQUYrr*") },
	{ NULL, NULL },
};

static const struct isa_kind divisions[] = {
	{ "divide32", NAMES("DIV32r", "DIV32m", "IDIV32r", "IDIV32m") },
	{ "divide64", NAMES("DIV64r", "DIV64m", "IDIV64r", "IDIV64m") },
	{ NULL, NULL },
};

static bool jump(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	const char *name = i->form->name;

	(void)c;
	if (!name_matches_any(NAMES("JCC_#", "JMP_#", "LOOP*", "J*CXZ"), name))
		return false;
	*ret_offset = i->imm[0] + (int64_t)n_code;
	return true;
}

/* Flags by what a jump reads. */
enum {
	CARRY = 1, /* b ae be a */
	ZERO = 2,  /* e ne l ge le g */
	SIGN = 4,  /* s ns p np o no */
	ALL = CARRY | ZERO | SIGN,
};

static const struct name_rule begins[] = {
	{ NAMES("TEST#r*", "TEST#i#", "TEST#mr", "AND#r*", "AND#i#"), ALL },
	{ NAMES("CMP#r*", "CMP#i#", "CMP#mr", "ADD#r*", "ADD#i#", "SUB#r*",
		"SUB#i#"),
	  CARRY | ZERO },
	{ NAMES("INC#r", "DEC#r"), ZERO },
};

/* A comparison or addition without a store, then a conditional jump that reads
 * its flags: fused by both vendors' cores (Intel's optimization manual 3.4.2.2;
 * AMD's for family 19h, 2.9.3). */
static bool fuses(const struct instance *first, const struct instance *second)
{
	static const uint8_t reads[] = {
		SIGN, SIGN, CARRY, CARRY, ZERO, ZERO, CARRY, CARRY,
		SIGN, SIGN, SIGN,  SIGN,  ZERO, ZERO, ZERO,  ZERO,
	};
	int64_t condition = second->imm[1];

	if (!name_matches("JCC_#", second->form->name) || condition < 0 ||
	    condition >= (int64_t)ARRAY_LEN(reads))
		return false;
	return (name_rule(begins, ARRAY_LEN(begins), first->form->name, 0) &
		reads[condition]) != 0;
}

/* Bytes by which pushes, pops, calls and returns move the stack pointer.  Not
 * leave, which sets it. */
static const struct name_rule stack_moves[] = {
	{ NAMES("PUSH64*", "PUSHF64", "CALL64*"), -8 },
	{ NAMES("PUSH16*", "PUSHF16"), -2 },
	{ NAMES("POP64*", "POPF64", "RET64"), 8 },
	{ NAMES("POP16*", "POPF16"), 2 },
};

static int stack_move(const struct form *f)
{
	/* Plain forms of this kind are not measured. */
	if (f->status == FORM_MEASURABLE && form_family(f) != FAMILY_STACK)
		return 0;
	return name_rule(stack_moves, ARRAY_LEN(stack_moves), f->name, 0);
}

/* Reading or writing ah, bh, ch or dh may cost more than other bytes. */
static const char *suffix(const struct catalogue *c, const struct instance *i)
{
	for (unsigned k = 0; k < i->form->n_explicit; k++)
		if (i->form->operands[k].kind == OPERAND_REG &&
		    c->regs[i->reg[k]].high_byte)
			return "high";
	return NULL;
}

const struct isa_loop x86_64_loop = {
	.comment = "#",
	.marker = marker,
	.n_marker = sizeof(marker),
	.code_unit = 1,
	.zero_gpr = -1,
	.merge_bits = KEPT_BITS,
	.stack_gpr = 4,
	.stack_move = stack_move,
	.addition = "ADD64ri8",
	/* '#' in a pattern is a number, so each letter is a pattern of its
	 * own. */
	.zero_idioms = NAMES("XOR32rr*", "XOR64rr*", "SUB32rr*", "SUB64rr*",
			     "XORPSrr", "XORPDrr", "PXORrr", "PSUB*rr",
			     "PCMPGT*rr", "VXORP*rr", "VPXOR*rr", "VPSUB*rr",
			     "VPCMPGT*rr", "MMX_PXORrr", "ANDNPSrr", "ANDNPDrr",
			     "PANDNrr", "VANDNP*rr", "VPANDN*rr"),
	.suffix = suffix,
	.step = x86_64_loop_step,
	.address = address,
	.moves = moves,
	.divisions = divisions,
	.locked = NAMES("LOCK_*", "LXADD*", "LCMPXCHG*", "XCHG#rm"),
	.conditional_moves = NAMES("CMOV#rr*"),
	.adds_three = adds_three,
	.jump = jump,
	.lengths = x86_64_lengths,
	.fuses = fuses,
	.stack = x86_64_x87_stack,
	.respell = x86_64_respell,
	.intel = x86_64_is_intel,
	/* In a model that has both, the second is a branch to the next
	 * instruction. */
	.line_branches = NAMES("JMP_1/taken,line", "JMP_1/taken"),
	/* Forms that move the x87 stack, each with one that moves it back. */
	.pairs = NAMES("/x87,fld1", "/x87,fstp"),
};
