/* RISC-V: the frame around own code. */
#include "host/isa/frame.h"
#include "host/isa/instance.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/riscv64.h"
#include "host/isa/values.h"

enum { X0, RA, SP, GP, TP };

/* Branches compare. */
static const char *const none[] = { NULL };

uint32_t riscv64_jump(uint32_t offset)
{
	return 0x6f | (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3ff) << 21 |
	       (offset >> 11 & 1) << 20 | (offset >> 12 & 0xff) << 12;
}

/* beqz +8; jal x0: a conditional branch alone reaches 4 KB. */
static size_t back(size_t distance, unsigned counter, unsigned char *code)
{
	enum { BYTES = 8, JUMP_AT = 4, RANGE = 1 << 20 };

	if (distance % 2 != 0 || distance + JUMP_AT > RANGE)
		return 0;
	values_put32(code, 0x00000463u | counter << 15);
	values_put32(code + JUMP_AT,
		     riscv64_jump(0u - (uint32_t)(distance + JUMP_AT)));
	return BYTES;
}

/* jal, with or without a link. */
static size_t go(int64_t distance, bool calls, unsigned char *code)
{
	enum { BYTES = 4, RANGE = 1 << 20, LINK = 1 << 7 };

	if (distance % 2 != 0 || distance >= RANGE || distance < -RANGE)
		return 0;
	values_put32(code,
		     riscv64_jump((uint32_t)distance) | (calls ? LINK : 0));
	return BYTES;
}

static bool narrow_step(const struct instance *i, struct isa_step *ret)
{
	if (!name_matches_any(NAMES("ADDIW", "C_ADDIW"), i->form->name))
		return false;
	*ret = (struct isa_step){ .source = i->reg[1], .add = i->imm[2] };
	return true;
}

static enum frame_condition condition(const struct instance *i)
{
	if (name_matches_any(NAMES("BEQ", "C_BEQZ"), i->form->name))
		return FRAME_EQUAL;
	return name_matches_any(NAMES("BLTU", "BGEU"), i->form->name)
		       ? FRAME_UNSIGNED
		       : FRAME_SIGNED;
}

const struct isa_frame riscv64_frame = {
	.link = RA,
	.sp = SP,
	.take_stack = "addi sp, sp, -{n}",
	.give_stack = "addi sp, sp, {n}",
	.keep_stack = "mv {r}, sp",
	.find_stack = "mv sp, {r}",
	.store = "sd {r}, {n}({b})",
	.load = "ld {r}, {n}({b})",
	.number = "li {r}, {n}",
	/* Compressed, they would be as long as their number is small. */
	.number_32 = ".option push\n.option norvc\nlui {r}, {h}\n"
		     "addiw {r}, {r}, {l}\n.option pop",
	.add = "add {r}, {r}, {t}",
	.mul = "mul {r}, {r}, {t}",
	.low_bits = "andi {r}, {r}, 3",
	/* The sign decides. */
	.skip_if_clear = "slli {t}, {r}, 23\nbgez {t}, L{n}",
	.clear_flags = "",
	.count_down = "ld {r}, {n}(sp)\naddi {r}, {r}, -1\nsd {r}, {n}(sp)",
	.end = "ret",
	.twice = "add {r}, {r}, {r}",
	.plus_one = "addi {r}, {r}, 1",
	/* A compressed jump does not reach far. */
	.jump = ".option push\n.option norvc\nj x\n.option pop",
	.minus_one = "addi {r}, {r}, -1",
	.sub = "sub {r}, {r}, {t}",
	.half = "lw {r}, {n}({b})",
	.store_half = "sw {r}, {n}({b})",
	.to_vector = "fmv.d.x f31, {r}",
	.add_vector = "fmax.d f{n}, f{n}, f31",
	.jump_to = "jr {r}",
	.here = ".option push\n.option norvc\nauipc {r}, 0\n"
		"addi {r}, {r}, 8+{n}\n.option pop",
	.enter = "addi sp, sp, -16\nsd ra, 0(sp)",
	.leave = "ld ra, 0(sp)\naddi sp, sp, 16",
	.go = go,
	.back = back,
	.condition = condition,
	.reserved = 1u << X0 | 1u << SP | 1u << GP | 1u << TP,
	.compares = none,
	.divides = NAMES("*DIV*", "REM*", "VREM*", "*SQRT*"),
	.calls_system = NAMES("ECALL"),
	.tests = none,
	.narrow_step = narrow_step,
};
