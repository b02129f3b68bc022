/* AArch64: the frame around own code. */
#include "host/isa/aarch64.h"
#include "host/isa/frame.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/values.h"

enum { X18 = 18, X30 = 30, SP = 31 };

/* cbnz */
static size_t back(size_t distance, unsigned counter, unsigned char *code)
{
	enum { BYTES = 4, RANGE = 1 << 20 };
	uint32_t words = 0u - (uint32_t)(distance / BYTES);

	if (distance % BYTES != 0 || distance > RANGE)
		return 0;
	values_put32(code, 0xb5000000u | (words & 0x7ffff) << 5 | counter);
	return BYTES;
}

/* b and bl. */
static size_t go(int64_t distance, bool calls, unsigned char *code)
{
	enum { BYTES = 4, RANGE = 1 << 27 };

	if (distance % BYTES != 0 || distance >= RANGE || distance < -RANGE)
		return 0;
	values_put32(code, (calls ? 0x94000000u : 0x14000000u) |
				   ((uint32_t)(distance / BYTES) & 0x3ffffff));
	return BYTES;
}

static bool narrow_step(const struct instance *i, struct isa_step *ret)
{
	const char *name = i->form->name;
	bool add = name_matches("ADD*Wri", name);

	if (!add && !name_matches("SUB*Wri", name))
		return false;
	*ret = (struct isa_step){ .source = i->reg[1],
				  .add = i->imm[2] * (add ? 1 : -1) };
	return i->imm[3] == 0;
}

static bool number_of(const struct instance *i, int64_t *number)
{
	enum { SHIFTED = 4096 };
	const char *name = i->form->name;

	/* An immediate, which may be shifted by 12; else the shift or extension
	 * of the second register. */
	if (name_matches("*ri", name))
		*number *= i->imm[3] ? SHIFTED : 1;
	else if (*number != 0)
		return false;
	if (name_matches("ADDS*", name))
		*number = -*number;
	return true;
}

static enum frame_condition condition(const struct instance *i)
{
	/* eq, hs, lo, hi, ls (Arm ARM, C1.2.4). */
	enum { EQUAL, HIGHER_OR_SAME = 2, LOWER, HIGHER = 8, LOWER_OR_SAME };
	const char *name = i->form->name;
	int64_t cc = i->imm[0];

	if (name_matches("CBZ*", name) || name_matches("TBZ*", name))
		return FRAME_EQUAL;
	if (!name_matches("Bcc", name) && !name_matches("BCcc", name))
		return FRAME_SIGNED;
	return cc == EQUAL ? FRAME_EQUAL
	       : cc == HIGHER_OR_SAME || cc == LOWER || cc == HIGHER ||
			       cc == LOWER_OR_SAME
		       ? FRAME_UNSIGNED
		       : FRAME_SIGNED;
}

const struct isa_frame aarch64_frame = {
	.link = X30,
	.sp = SP,
	.take_stack = "sub sp, sp, #{n}",
	.give_stack = "add sp, sp, #{n}",
	.keep_stack = "mov {r}, sp",
	.find_stack = "mov sp, {r}",
	.store = "str {r}, [{b}, #{n}]",
	.load = "ldr {r}, [{b}, #{n}]",
	.number = "movz {r}, #{0}\nmovk {r}, #{1}, lsl #16\n"
		  "movk {r}, #{2}, lsl #32\nmovk {r}, #{3}, lsl #48",
	.add = "add {r}, {r}, {t}",
	.mul = "mul {r}, {r}, {t}",
	.low_bits = "and {r}, {r}, #3",
	.skip_if_clear = "tbz {r}, #40, L{n}",
	.clear_flags = "cmn sp, #0",
	.count_down = "ldr {r}, [sp, #{n}]\nsub {r}, {r}, #1\n"
		      "str {r}, [sp, #{n}]",
	.end = "ret",
	.twice = "add {r}, {r}, {r}",
	.plus_one = "add {r}, {r}, #1",
	.jump = "b x",
	.minus_one = "sub {r}, {r}, #1",
	.sub = "sub {r}, {r}, {t}",
	.half = "ldrsw {r}, [{b}, #{n}]",
	.store_half = "str w{i}, [{b}, #{n}]",
	.compare = "cmp {r}, {t}",
	.to_vector = "fmov d31, {r}",
	.add_vector = "add v{n}.2d, v{n}.2d, v31.2d",
	.jump_to = "br {r}",
	.here = "adr {r}, #4+{n}",
	.enter = "str x30, [sp, #-16]!",
	.leave = "ldr x30, [sp], #16",
	.go = go,
	.back = back,
	.number_of = number_of,
	.condition = condition,
	/* A platform may keep x18 for itself (AAPCS64 6.1.1). */
	.reserved = 1u << X18 | 1u << SP,
	.compares = NAMES("ADDS*ri", "SUBS*"),
	.divides = NAMES("*DIV*", "*SQRT*"),
	.calls_system = NAMES("SVC", "HVC", "SMC"),
	.tests = NAMES("TBZ*", "TBNZ*"),
	.narrow_step = narrow_step,
};
