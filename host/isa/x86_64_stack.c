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

static const char pair[] = "a pair with what moves the stack pointer back";

/* An instruction before or after the form. */
struct balance {
	struct variant variant;
	uint8_t n_before, n_behind;
	unsigned char before[MAX_BYTES], behind[MAX_BYTES];
};

#define BALANCE(text)                                                     \
	{                                                                 \
		.suffix = text, .family = FAMILY_STACK, .reshapes = true, \
		.unchained = pair                                         \
	}

enum balance_kind {
	UP_8,   /* lea 8(%rsp), %rsp */
	UP_2,   /* lea 2(%rsp), %rsp */
	DOWN_8, /* lea -8(%rsp), %rsp */
	DOWN_2, /* lea -2(%rsp), %rsp */
	FRAME,  /* lea -8(%rsp), %rbp */
	FLAGS,  /* pushfq */
};

static const struct balance balances[] = {
	[UP_8] = { .variant = BALANCE("lea"),
		   .n_behind = 5,
		   .behind = { 0x48, 0x8d, 0x64, 0x24, 0x08 } },
	[UP_2] = { .variant = BALANCE("lea"),
		   .n_behind = 5,
		   .behind = { 0x48, 0x8d, 0x64, 0x24, 0x02 } },
	[DOWN_8] = { .variant = BALANCE("lea"),
		     .n_before = 5,
		     .before = { 0x48, 0x8d, 0x64, 0x24, 0xf8 } },
	[DOWN_2] = { .variant = BALANCE("lea"),
		     .n_before = 5,
		     .before = { 0x48, 0x8d, 0x64, 0x24, 0xfe } },
	[FRAME] = { .variant = BALANCE("lea"),
		    .n_before = 5,
		    .before = { 0x48, 0x8d, 0x6c, 0x24, 0xf8 } },
	[FLAGS] = { .variant = BALANCE("pushf"),
		    .n_before = 1,
		    .before = { 0x9c } },
};

static const char throughput_only[] = "its results go to memory";

/* A call goes to the next one, at the distance of taken branches. */
enum { CALL_DISTANCE = 64, CALL_BYTES = 5, LEA_BYTES = 7 };

static bool is_call(const struct form *f)
{
	return name_matches("CALL*", f->name);
}

static const struct variant alone = { .suffix = "alone",
				      .family = FAMILY_STACK,
				      .reshapes = true,
				      .unchained = throughput_only };
static const struct variant through = { .suffix = "push",
					.family = FAMILY_STACK,
					.reshapes = true };

/* Forms that can follow each other, and where the stack starts.  A LEAVE needs
 * a frame that was entered, and a return needs a call. */
static const struct name_rule lone[] = {
	{ NAMES("PUSH64r*", "PUSH64i*", "PUSHF64*", "PUSH16r*", "PUSH16i*",
		"PUSHF16*", "PUSHFS64*", "PUSHGS64*", "ENTER*",
		"CALL64pcrel32*", "CALL64r", "CALL64r/*"),
	  PUSH_START },
	{ NAMES("POP64r*", "POP16r*", "POPF64", "POPF64/*"), POP_START },
};

/* Segments, and encodings that no 64-bit mode has, are left out. */
static const struct name_rule forms[] = {
	{ NAMES("PUSH64r*", "PUSH64i*", "PUSHF64", "ENTER"), UP_8 },
	{ NAMES("PUSH16r*", "PUSH16i*", "PUSHF16"), UP_2 },
	{ NAMES("POP64r*"), DOWN_8 },
	{ NAMES("POP16r*"), DOWN_2 },
	{ NAMES("LEAVE64"), FRAME },
	{ NAMES("POPF64"), FLAGS },
};

void x86_64_stack_variants(const char *opcode, struct variant_list *ret)
{
	int kind = name_rule(forms, ARRAY_LEN(forms), opcode, -1);

	if (kind >= 0)
		variant_add(ret, &balances[kind].variant);
	if (name_rule(lone, ARRAY_LEN(lone), opcode, 0))
		variant_add(ret, &alone);
	if (strcmp(opcode, "POP64r") == 0)
		variant_add(ret, &through);
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
	for (uint8_t i = 0; enters && i < f->n_explicit; i++)
		operand_pin(&ops[i], 0);
	for (uint8_t i = 0; is_call(f) && i < f->n_explicit; i++)
		if (ops[i].kind == OPERAND_LABEL) {
			ops[i].kind = OPERAND_IMM;
			operand_pin(&ops[i], CALL_DISTANCE - CALL_BYTES);
		}
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
	if (f->variant == &alone)
		ops[n++] = x86_64_pointer(c, "R14");
	if (f->variant == &through)
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

	if (i->form->variant != &alone || room < sizeof(save) + sizeof(int32_t))
		return 0;
	return put(save, sizeof(save), SAVED, code);
}

void x86_64_stack_enclose(const struct instance *i, struct surround *ret)
{
	/* lea START(%r14), %rsp; mov SAVED(%r14), %rsp */
	static const unsigned char lea[] = { 0x49, 0x8d, 0xa6 };
	static const unsigned char load[] = { 0x49, 0x8b, 0xa6 };

	if (i->form->variant != &alone)
		return;
	ret->n_before = put(lea, sizeof(lea),
			    name_rule(lone, ARRAY_LEN(lone), i->form->name, 0),
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

static void around(const struct catalogue *c, const struct instance *in,
		   size_t n, struct surround *ret)
{
	const struct variant *v = in->form->variant;

	if (v == &through)
		put_push(c, in, ret);
	if (v == &alone && is_call(in->form))
		put_way(c, in, n, ret);
	for (size_t i = 0; i < ARRAY_LEN(balances); i++) {
		const struct balance *b = &balances[i];

		if (v != &b->variant)
			continue;
		memcpy(ret->before, b->before, b->n_before);
		memcpy(ret->behind, b->behind, b->n_behind);
		ret->n_before = b->n_before;
		ret->n_behind = b->n_behind;
		ret->n_instructions = 1;
	}
}

const struct x86_64_family x86_64_stack = { shape, around, value };
