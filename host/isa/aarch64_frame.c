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
	.clear_flags = "cmn sp, #0",
	.count_down = "ldr {r}, [sp, #{n}]\nsub {r}, {r}, #1\n"
		      "str {r}, [sp, #{n}]",
	.end = "ret",
	.back = back,
	/* A platform may keep x18 for itself (AAPCS64 6.1.1). */
	.reserved = 1u << X18 | 1u << SP,
	.compares = NAMES("ADDS*", "SUBS*"),
	.calls_system = NAMES("SVC", "HVC", "SMC"),
	.tests = NAMES("TBZ*", "TBNZ*"),
	.narrow_step = narrow_step,
};
