/* RISC-V: branches and calls, and the reservation in front of a conditional
 * store.
 *
 * Calls link through x1, as compiled code does: not every return-address
 * predictor knows x5, too (spec, 2.5 "Hints for a return-address stack").  The
 * way out of the kernel waits in x6, which no predictor takes for a link. */
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/riscv64.h"
#include "host/isa/surround.h"
#include "host/isa/values.h"

enum {
	LONG = 4,     /* bytes of an instruction that is not compressed */
	AUIPC = 0x17, /* auipc x0, 0 */
	ADDI = 0x13,  /* addi x0, x0, 0 */
	NOP = 0x13,
	JAL_8 = 0x0080006f,    /* jal x0, 8 */
	RET = 0x00008067,      /* jalr x0, 0(x1) */
	KEEP_X1 = 0x00008313,  /* addi x6, x1, 0 */
	LEAVE_X6 = 0x00030067, /* jalr x0, 0(x6) */
};

/* A branch is taken when its registers hold `first` and 1, and not when they
 * hold `otherwise` and 1. */
static const struct compared {
	const char *const *names;
	uint8_t first, otherwise;
} compared[] = {
	{ NAMES("BEQ/*"), 1, 2 },
	{ NAMES("BNE/*"), 2, 1 },
	{ NAMES("BLT/*", "BLTU/*", "C_BEQZ/*"), 0, 1 },
	{ NAMES("BGE/*", "BGEU/*", "C_BNEZ/*"), 1, 0 },
	{ NAMES("*"), 1, 1 },
};

static void shape(const struct catalogue *c, struct form *f,
		  struct operand *ops)
{
	int bytes = name_matches("C_*", f->name) ? 2 : 4;
	int distance = f->variant->distance ? f->variant->distance : bytes;

	f->n_operands = f->n_explicit;
	/* auipc and jalr: two instructions on. */
	branch_shape(f, ops, distance,
		     branch_is(f, BRANCH_NEXT) ? 2 * bytes : 0);
	for (int i = 0; i < f->n_explicit; i++) {
		if (ops[i].kind != OPERAND_REG || !ops[i].write)
			continue;
		ops[i].fixed_reg = catalogue_register(
			c, branch_is(f, BRANCH_CALL) ? "X1" : "X0");
		ops[i].write = false;
	}
}

static bool value(const struct form *f, int operand, enum reg_bank bank,
		  uint8_t ret[VALUE_BYTES])
{
	const struct compared *v = NAME_ROW(compared, f->name);

	if (bank != BANK_GPR || operand != 0)
		return false;
	values_repeat(branch_is(f, BRANCH_NOT_TAKEN) ? v->otherwise : v->first,
		      sizeof(uint64_t), ret);
	return true;
}

/* The register of the address: the only one, or the one after the link. */
static uint32_t target_of(const struct catalogue *c, const struct instance *i)
{
	int operand = i->form->n_explicit > 1 ? 1 : 0;

	return c->regs[i->reg[operand]].index;
}

static uint32_t auipc(uint32_t r)
{
	return AUIPC | r << 7;
}

static uint32_t addi(uint32_t r, uint32_t immediate)
{
	return ADDI | r << 7 | r << 15 | immediate << 20;
}

/* lr.w or lr.d x0, (base): the reservation that a conditional store finds. */
static void reserve(const struct catalogue *c, const struct instance *i,
		    size_t n, struct surround *ret)
{
	enum { LR_W = 0x1000202f, LR_D = 0x1000302f };
	int base = form_part(i->form, ROLE_BASE);
	bool wide = name_matches("SC_D*", i->form->name);

	(void)n;
	values_put32(ret->before,
		     (wide ? LR_D : LR_W) |
			     (uint32_t)c->regs[i->reg[base]].index << 15);
	ret->n_before = LONG;
	ret->n_instructions = 1;
}

static void put_nops(size_t bytes, struct surround *ret)
{
	enum { SHORT = 2, C_NOP = 1 };

	for (; ret->n_behind + LONG <= bytes; ret->n_behind += LONG)
		values_put32(ret->behind + ret->n_behind, NOP);
	if (ret->n_behind == bytes)
		return;
	ret->behind[ret->n_behind] = C_NOP;
	ret->behind[ret->n_behind + 1] = 0;
	ret->n_behind += SHORT;
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	size_t distance = i->form->variant->distance;

	if (branch_is(i->form, BRANCH_CALL))
		ret->n_instructions = 1;
	if (distance)
		put_nops(distance - n, ret);
	if (!branch_is(i->form, BRANCH_NEXT))
		return;
	values_put32(ret->before, auipc(target_of(c, i)));
	ret->n_before = LONG;
	ret->n_instructions = 1;
	if (n == LONG)
		return;
	/* The compressed jump has no offset. */
	values_put32(ret->before + LONG,
		     addi(target_of(c, i), 2 * LONG + (uint32_t)n));
	ret->n_before += LONG;
	ret->n_instructions++;
}

const struct isa_family riscv64_branch = { shape, around, value };
const struct isa_family riscv64_reserved = { NULL, reserve, NULL };

/* addi x6, x1, 0; jal x0, 8; jalr x0, 0(x1); and for a call through a register
 * auipc x, 0; addi x, x, -4 */
static size_t stub(const struct catalogue *c, const struct instance *i,
		   unsigned char *code, size_t room, size_t *ret_stub)
{
	enum { WORDS = 5, FOUR_BACK = 0xffc };

	if (room < WORDS * LONG)
		return 0;
	values_put32(code, KEEP_X1);
	values_put32(code + LONG, JAL_8);
	values_put32(code + (size_t)2 * LONG, RET);
	*ret_stub = 2 * LONG;
	if (strncmp(i->form->name, "JALR", 4) != 0)
		return 3 * LONG;
	values_put32(code + (size_t)3 * LONG, auipc(target_of(c, i)));
	values_put32(code + (size_t)4 * LONG, addi(target_of(c, i), FOUR_BACK));
	return WORDS * LONG;
}

/* The end of the loop leaves through x6. */
static void end(const struct instance *i, unsigned char *code, size_t n)
{
	(void)i;
	values_put32(code + n - LONG, LEAVE_X6);
}

static int64_t call_immediate(const struct instance *i, size_t distance,
			      size_t n)
{
	(void)n;
	return strncmp(i->form->name, "JALR", 4) == 0 ? 0 : -(int64_t)distance;
}

const struct isa_surround riscv64_surround = {
	.around = family_around,
	.calls = branch_calls,
	.stub = stub,
	.call_immediate = call_immediate,
	/* A XuanTie C906 has 16 targets, and two are the loop's. */
	.few = 4,
	.end = end,
};
