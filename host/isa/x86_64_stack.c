/* x86-64: forms that move the stack pointer.
 *
 *	alone	on a stack in the kernel's memory, which each iteration of
 *		the loop starts again, and leaves at its end:
 *
 *			mov %rsp, SAVED(%r14)	once, in front of the loop
 *		top:	lea START(%r14), %rsp
 *			push %rax		as often as it is unrolled
 *			mov SAVED(%r14), %rsp
 *
 *	push	the value goes through the stack and comes back
 *	others	each with an instruction that moves the stack pointer back; what
 *		is popped is whatever lies below the stack, flags are those that
 *		were pushed */
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/surround.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

enum {
	RSP = 4,
	MAX_BYTES = 5,
	/* Relative to the middle of the memory: all other accesses are above
	 * -128 (host/gen/places.c).  A kernel has at most 160 instances
	 * (host/gen/gen.c), of eight bytes. */
	PUSH_START = -256,
	POP_START = -1920,
	SAVED = 2032,
};

/* An instruction before or after the form, by variant.shape. */
static const struct balance {
	uint8_t n_before, n_behind;
	unsigned char before[MAX_BYTES], behind[MAX_BYTES];
} balances[] = {
	[X86_64_UP_8] = { .n_behind = 5,
			  .behind = { 0x48, 0x8d, 0x64, 0x24, 0x08 } },
	[X86_64_UP_2] = { .n_behind = 5,
			  .behind = { 0x48, 0x8d, 0x64, 0x24, 0x02 } },
	[X86_64_DOWN_8] = { .n_before = 5,
			    .before = { 0x48, 0x8d, 0x64, 0x24, 0xf8 } },
	[X86_64_DOWN_2] = { .n_before = 5,
			    .before = { 0x48, 0x8d, 0x64, 0x24, 0xfe } },
	[X86_64_FRAME] = { .n_before = 5,
			   .before = { 0x48, 0x8d, 0x6c, 0x24, 0xf8 } },
	[X86_64_FLAGS] = { .n_before = 1, .before = { 0x9c } },
};

/* A call goes to the next one, at the distance of taken branches. */
enum { CALL_DISTANCE = 64, CALL_BYTES = 5, LEA_BYTES = 7 };

static bool is_call(const struct form *f)
{
	return name_matches("CALL*", f->name);
}

static bool is_stack(const struct form *f, enum x86_64_stack kind)
{
	return form_family(f) == FAMILY_STACK && f->variant->shape == kind;
}

/* The instance restores the stack pointer.  LLVM lacks ENTER's frame pointer;
 * LEAVE's is set before it. */
static void shape(const struct catalogue *c, struct form *f,
		  struct operand *ops)
{
	uint8_t n = f->n_explicit;
	bool enters = strncmp(f->name, "ENTER", 5) == 0;

	f->flags = 0;
	/* An empty frame, not nested. */
	if (enters || is_call(f))
		branch_shape(f, ops, CALL_DISTANCE - CALL_BYTES, 0);
	for (uint8_t i = f->n_explicit; i < f->n_operands && !is_call(f); i++) {
		const struct reg *r = &c->regs[ops[i].fixed_reg];

		if (r->bank == BANK_GPR && r->index == RSP)
			continue;
		ops[n] = ops[i];
		ops[n].read &= r->bank != BANK_GPR;
		n++;
	}
	if (enters) {
		ops[n] = (struct operand){ .kind = OPERAND_REG,
					   .implicit = true,
					   .read = true,
					   .write = true,
					   .tied_to = -1,
					   .reg_class = CLASS_NONE,
					   .fixed_reg = catalogue_register(
						   c, "RBP") };
		n++;
	}
	if (is_stack(f, X86_64_ALONE))
		ops[n++] = x86_64_pointer(c, "R14");
	if (is_stack(f, X86_64_THROUGH))
		ops[0].read = true;
	f->n_operands = n;
}

/* lea r, [rip + displacement] */
size_t x86_64_put_lea(unsigned r, int32_t displacement, unsigned char *code)
{
	enum { BYTES = 7 };

	code[0] = (unsigned char)(0x48 | r >> 3 << 2);
	code[1] = 0x8d;
	code[2] = (unsigned char)(0x05 | (r & 7) << 3);
	values_put32(code + 3, (uint32_t)displacement);
	return BYTES;
}

/* push r */
static void put_push(const struct catalogue *c, const struct instance *i,
		     struct surround *ret)
{
	enum { PUSH = 0x50, REX_B = 0x41, LOW = 7 };
	unsigned r = c->regs[i->reg[0]].index;

	if (r > LOW)
		ret->before[ret->n_before++] = REX_B;
	ret->before[ret->n_before++] = (unsigned char)(PUSH | (r & LOW));
	ret->n_instructions = 1;
}

static size_t put(const unsigned char *opcode, size_t n, int32_t displacement,
		  unsigned char *code)
{
	memcpy(code, opcode, n);
	values_put32(code + n, (uint32_t)displacement);
	return n + sizeof(displacement);
}

size_t x86_64_stack_prologue(const struct instance *i, unsigned char *code,
			     size_t room)
{
	/* mov %rsp, SAVED(%r14) */
	static const unsigned char save[] = { 0x49, 0x89, 0xa6 };

	if (!is_stack(i->form, X86_64_ALONE) ||
	    room < sizeof(save) + sizeof(int32_t))
		return 0;
	return put(save, sizeof(save), SAVED, code);
}

void x86_64_stack_enclose(const struct instance *i, struct surround *ret)
{
	/* lea START(%r14), %rsp; mov SAVED(%r14), %rsp */
	static const unsigned char lea[] = { 0x49, 0x8d, 0xa6 };
	static const unsigned char load[] = { 0x49, 0x8b, 0xa6 };

	if (!is_stack(i->form, X86_64_ALONE))
		return;
	ret->n_before = put(lea, sizeof(lea),
			    name_matches("POP*", i->form->name) ? POP_START
								: PUSH_START,
			    ret->before);
	ret->n_behind = put(load, sizeof(load), SAVED, ret->behind);
}

/* Load the address of the next call into its register for an indirect call; a
 * jump skips the bytes between them. */
static void put_way(const struct catalogue *c, const struct instance *i,
		    size_t n, struct surround *ret)
{
	bool by_register = i->form->operands[0].kind == OPERAND_REG;
	size_t lea = by_register ? LEA_BYTES : 0;

	ret->n_behind = CALL_DISTANCE - n - lea;
	memset(ret->behind, 0x90, ret->n_behind); /* nop */
	if (!by_register)
		return;
	ret->n_before =
		x86_64_put_lea(c->regs[i->reg[0]].index,
			       (int32_t)(CALL_DISTANCE - lea), ret->before);
	ret->n_instructions = 1;
}

/* Flags keep their values: on bare metal interrupts stay enabled for the
 * watchdog (Intel SDM, volume 1, 3.4.3: bit 1 is always set). */
static bool value(const struct form *f, int operand, enum reg_bank bank,
		  uint8_t ret[VALUE_BYTES])
{
	enum { FLAG_ALWAYS = 1 << 1, FLAG_IF = 1 << 9 };

	(void)bank;
	if (operand != OPERAND_MEMORY || !name_matches("POPF*", f->name))
		return false;
	values_repeat(FLAG_ALWAYS | FLAG_IF, sizeof(uint64_t), ret);
	return true;
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	unsigned kind = i->form->variant->shape;

	if (kind == X86_64_THROUGH) {
		put_push(c, i, ret);
	} else if (kind < ARRAY_LEN(balances)) {
		const struct balance *b = &balances[kind];

		memcpy(ret->before, b->before, b->n_before);
		memcpy(ret->behind, b->behind, b->n_behind);
		ret->n_before = b->n_before;
		ret->n_behind = b->n_behind;
		ret->n_instructions = 1;
	} else if (is_call(i->form)) {
		put_way(c, i, n, ret);
	}
}

const struct isa_family x86_64_stack = { shape, around, value };
