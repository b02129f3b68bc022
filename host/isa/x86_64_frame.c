/* x86-64: the frame around own code. */
#include "host/isa/frame.h"
#include "host/isa/match.h"
#include "host/isa/values.h"
#include "host/isa/x86_64.h"

enum { RSP = 4 };

static const char *const gprs[] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
	"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
};

/* jne, with 32 bits of distance. */
static size_t back(size_t distance, unsigned counter, unsigned char *code)
{
	enum { BYTES = 6, RANGE = 1 << 30 };

	(void)counter;
	if (distance > RANGE)
		return 0;
	code[0] = 0x0f;
	code[1] = 0x85;
	values_put32(code + 2, 0u - (uint32_t)(distance + BYTES));
	return BYTES;
}

/* jmp and call, with 32 bits of distance. */
static size_t go(int64_t distance, bool calls, unsigned char *code)
{
	enum { BYTES = 5, RANGE = 1 << 30 };

	if (distance > RANGE || distance < -RANGE)
		return 0;
	code[0] = calls ? 0xe8 : 0xe9;
	values_put32(code + 1, (uint32_t)(distance - BYTES));
	return BYTES;
}

static enum frame_condition condition(const struct instance *i)
{
	/* b, ae, e, be, a (SDM vol. 2, appendix B.1.4.7). */
	enum { BELOW = 2, NOT_BELOW, EQUAL, BELOW_OR_EQUAL = 6, ABOVE };
	int64_t cc = i->imm[1];

	if (!name_matches("JCC_#", i->form->name))
		return FRAME_SIGNED;
	return cc == EQUAL ? FRAME_EQUAL
	       : cc == BELOW || cc == NOT_BELOW || cc == BELOW_OR_EQUAL ||
			       cc == ABOVE
		       ? FRAME_UNSIGNED
		       : FRAME_SIGNED;
}

const struct isa_frame x86_64_frame = {
	.dialect = 1,
	.gprs = gprs,
	.link = -1,
	.sp = RSP,
	.take_stack = "lea rsp, [rsp - {n}]",
	.give_stack = "lea rsp, [rsp + {n}]",
	.keep_stack = "mov {r}, rsp",
	.find_stack = "mov rsp, {r}",
	.store = "mov qword ptr [{b} + {n}], {r}",
	.load = "mov {r}, qword ptr [{b} + {n}]",
	.number = "movabs {r}, {n}",
	.add = "add {r}, {t}",
	.mul = "imul {r}, {t}",
	.low_bits = "and {r}, 3",
	.skip_if_clear = "bt {r}, 40\njae L{n}",
	.clear_flags = "cmp rsp, 0",
	.count_down = "dec qword ptr [rsp + {n}]",
	.end = "ret",
	.twice = "lea {r}, [{r} + {r}]",
	.plus_one = "lea {r}, [{r} + 1]",
	.jump = "jmp x",
	.minus_one = "dec {r}",
	.sub = "sub {r}, {t}",
	.half = "movsxd {r}, dword ptr [{b} + {n}]",
	.store_half = "mov dword ptr [{b} + {n}], {r}d",
	.compare = "cmp {r}, {t}",
	.to_vector = "movq xmm15, {r}",
	.add_vector = "paddq xmm{n}, xmm15",
	.jump_to = "jmp {r}",
	.here = "lea {r}, [rip + {n}]",
	.enter = "",
	.leave = "",
	.go = go,
	.back = back,
	.condition = condition,
	.longer = NAMES("JCC_1", "JCC_4", "JMP_1", "JMP_4"),
	.reserved = 1u << RSP | 0xffff0000u,
	.compares = NAMES("CMP#r*", "CMP#i#", "TEST#*", "ADD#ri*", "ADD#i#",
			  "SUB#ri*", "SUB#i#", "INC#r", "DEC#r"),
	.divides = NAMES("*DIV*", "*SQRT*"),
	.calls_system = NAMES("SYSCALL", "SYSENTER", "INT"),
	.tests = NAMES("TEST#*"),
};
