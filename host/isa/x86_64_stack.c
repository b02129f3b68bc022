/* x86-64: forms that move the stack pointer, each with an instruction that
 * moves it back.  What is popped is whatever lies below the stack; flags are
 * those that were pushed. */
#include <string.h>

#include "host/isa/match.h"
#include "host/isa/x86_64.h"

enum { RSP = 4, MAX_BYTES = 5 };

static const char pair[] = "a pair with what moves the stack pointer back";

/* An instruction before the form or behind it. */
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

/* Segments, and encodings that no 64-bit mode has, are left out. */
static const struct name_rule forms[] = {
	{ "PUSH64r*", UP_8 }, { "PUSH64i*", UP_8 },  { "PUSHF64", UP_8 },
	{ "ENTER", UP_8 },    { "PUSH16r*", UP_2 },  { "PUSH16i*", UP_2 },
	{ "PUSHF16", UP_2 },  { "POP64r*", DOWN_8 }, { "POP16r*", DOWN_2 },
	{ "LEAVE64", FRAME }, { "POPF64", FLAGS },
};

size_t x86_64_stack_variants(const char *opcode, const struct variant **ret)
{
	int kind = name_rule(forms, ARRAY_LEN(forms), opcode, -1);

	if (kind < 0)
		return 0;
	ret[0] = &balances[kind].variant;
	return 1;
}

/* The stack pointer is where it was.  ENTER's frame pointer LLVM forgets,
 * LEAVE's is set in front of it. */
void x86_64_shape_stack(const struct catalogue *c, struct form *f,
			struct operand *ops)
{
	uint8_t n = f->n_explicit;

	bool enters = strncmp(f->name, "ENTER", 5) == 0;

	f->flags = 0;
	/* A frame of nothing, in no other. */
	for (uint8_t i = 0; enters && i < f->n_explicit; i++)
		operand_pin(&ops[i], 0);
	for (uint8_t i = f->n_explicit; i < f->n_operands; i++) {
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
					   .fixed_reg =
						   x86_64_register(c, "RBP") };
		n++;
	}
	f->n_operands = n;
}

void x86_64_stack_around(const struct variant *v, struct surround *ret)
{
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
