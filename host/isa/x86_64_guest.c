/* x86-64: programs under an emulator, and which lanes of vectors they use. */
#include <string.h>

#include "host/isa/guest.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/x86_64.h"

/* ---- lanes ------------------------------------------------------------- */

/* A scalar instruction uses one lane of an XMM register;
 * others all lanes of the registers that they name, XMM, YMM or ZMM. */

enum { XMM = 16 };

/* Without the V of VEX; bytes of XMM. */
static const struct name_rule lane_bytes[] = {
	{ NAMES("ADDSUBP*", "ADDP*", "SUBP*", "MULP*", "DIVP*", "MINP*",
		"MAXP*", "SQRTP*"),
	  XMM },
	{ NAMES("ADDSS*", "SUBSS*", "MULSS*", "DIVSS*", "MINSS*", "MAXSS*",
		"SQRTSS*", "FM*ADD#SS*"),
	  4 },
	{ NAMES("ADDSD*", "SUBSD*", "MULSD*", "DIVSD*", "MINSD*", "MAXSD*",
		"SQRTSD*", "FM*ADD#SD*"),
	  8 },
	{ NAMES("FM*ADD#P*"), XMM },
	{ NAMES("FM*SUB#SS*", "FNM*#SS*", "UCOMISS*", "COMISS*", "CVTSI2SS*",
		"CVTSI642SS*"),
	  4 },
	{ NAMES("FM*SUB#SD*", "FNM*#SD*", "UCOMISD*", "COMISD*", "CVTSI2SD*",
		"CVTSI642SD*"),
	  8 },
	{ NAMES("FM*SUB#P*", "FNM*#P*", "MOVAP*", "MOVUP*", "MOVDQA*",
		"MOVDQU*", "MOVNTP*", "ANDP*", "ANDNP*", "ORP*", "XORP*",
		"PADD*", "PSUB*", "PMULL*", "PMULH*", "PAND*", "POR*", "PXOR*",
		"PCMPEQ*", "PCMPGT*", "PMAX*", "PMINS*", "PMINU*", "PABS*",
		"PAVG*", "PSLL*", "PSRL*", "PSRA*", "PSHUF*", "SHUFP*",
		"UNPCK*", "PUNPCK*", "BLENDP*", "BROADCAST*", "PBROADCAST*",
		"PERMIL*", "PERMP*", "PERM2*", "ROUNDP*"),
	  XMM },
	{ NAMES("CVT*SS2SI*", "MOVSSr*", "MOVSSm*"), 4 },
	{ NAMES("CVT*SD2SI*", "MOVSDr*", "MOVSDm*"), 8 },
	{ NAMES("CVTDQ2PS*", "CVT*PS2DQ*"), XMM },
};

static struct guest_lanes lanes(const struct instance *i,
				const unsigned char *code, size_t n)
{
	const char *name = i->form->name;
	bool masked = strchr(name, 'k') != NULL;

	(void)code, (void)n;
	name += *name == 'V';
	return lanes_fixed(masked ? 0
				  : (unsigned)name_rule(lane_bytes,
							ARRAY_LEN(lane_bytes),
							name, 0),
			   XMM);
}

/* ---- instructions -------------------------------------------------------- */

/* The operand's size is not that of one access from its address on: elements
 * that a mask chooses or that lie apart, two places, ten bytes. */
static const char *const in_pieces[] = {
	"*MASKMOV*", "*GATHER*", "*SCATTER*", "MOVSB", "MOVSW",
	"MOVSL",     "MOVSQ",    "CMPSB",     "CMPSW", "CMPSL",
	"CMPSQ",     "PUSH*",    "POP*",      "CALL*", NULL,
};

static unsigned bytes(const struct catalogue *c, const struct instance *i)
{
	const struct form *f = i->form;

	(void)c;
	if (!f->access || form_family(f) == FAMILY_X87)
		return 0;
	return name_matches_any(in_pieces, f->name) ? 0 : f->text_bytes;
}

static bool call(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	(void)c;
	if (!name_matches("CALL*", i->form->name))
		return false;
	*ret_offset = name_matches("CALL64pcrel32*", i->form->name)
			      ? i->imm[0] + (int64_t)n_code
			      : 0;
	return true;
}

/* The emulator reads all elements of masked loads. */
static bool state(const struct catalogue *c, const struct instance *i,
		  struct guest_state *ret)
{
	enum { MASK = 1, BASE, SCALE, INDEX, DISPLACEMENT, SEGMENT };
	const char *name = i->form->name;
	const struct reg *base = &c->regs[i->reg[BASE]];
	bool relative;
	bool wide = name_matches_any(NAMES("VMASKMOVPD*", "VPMASKMOVQ*"), name);

	if (!name_matches_any(NAMES("VMASKMOVP*rm", "VPMASKMOV*rm"), name))
		return false;
	relative = i->reg[BASE] != REG_NONE && strcmp(base->name, "RIP") == 0;
	if (i->reg[SEGMENT] != REG_NONE ||
	    (base->bank != BANK_GPR && !relative))
		return false;
	*ret = (struct guest_state){
		.base = relative ? GUEST_NONE : base->index,
		.relative = relative,
		.index = i->reg[INDEX] ? c->regs[i->reg[INDEX]].index
				       : GUEST_NONE,
		.index_shift = (uint8_t)__builtin_ctzll(
			(unsigned long long)i->imm[SCALE] | 8),
		.displacement = (int32_t)i->imm[DISPLACEMENT],
		.addresses = GUEST_NONE,
		.mask = c->regs[i->reg[MASK]].index,
		.mask_signs = true,
		.element_bytes = wide ? 8 : 4,
		.memory_bytes = wide ? 8 : 4,
		.n_registers = 1,
		.limit_bytes = strchr(name, 'Y') ? 0 : XMM,
		.early = i->reg[0] == i->reg[MASK],
	};
	return true;
}

static bool returns(const struct catalogue *c, const struct instance *i)
{
	(void)c;
	return name_matches("RET*", i->form->name);
}

/* REP MOVS and STOS: legacy prefixes, REX, and A4, A5, AA or AB. */
static unsigned repeats(const unsigned char *code, size_t n)
{
	static const unsigned char prefixes[] = {
		0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3
	};
	bool repeated = false, words = false, wide = false;
	unsigned char opcode;
	size_t i = 0;

	for (; i < n && memchr(prefixes, code[i], sizeof(prefixes)); i++) {
		repeated |= code[i] == 0xf3 || code[i] == 0xf2;
		words |= code[i] == 0x66;
	}
	if (i < n && (code[i] & 0xf0) == 0x40)
		wide = (code[i++] & 0x08) != 0;
	if (!repeated || i + 1 != n)
		return 0;
	opcode = code[i];
	if ((opcode & 0xfe) != 0xa4 && (opcode & 0xfe) != 0xaa)
		return 0;
	if (!(opcode & 1))
		return 1;
	return wide ? 8 : words ? 2 : 4;
}

const struct isa_guest x86_64_guest = {
	.emulator = "qemu-x86_64",
	.cpu = "max",
	.sysroot = "/usr/x86_64-linux-gnu",
	.elf_machine = 62,
	.exec_calls = { 59, 322 },
	.bytes = bytes,
	.call = call,
	.returns = returns,
	.repeats = repeats,
	/* Intel 64 and IA-32 Architectures Optimization Reference Manual,
	 * 3.7.6: about 35 cycles, and 32 bytes a cycle in the first level. */
	.repeat_cycles = 35,
	.repeat_bytes = 32,
	.lanes = lanes,
	.stops = NAMES("JMP*", "RET*", "LRET*", "IRET*", "FARJMP*", "TRAP",
		       "UD*", "INT3"),
	/* The stack, and strings: LLVM does not mark all of them. */
	.accessing = NAMES("PUSH*", "POP*", "CALL*", "RET*", "LEAVE*", "ENTER*",
			   "LODS*", "STOS*", "MOVS*", "CMPS*", "SCAS*", "XLAT*",
			   "*SAVE*", "*RSTOR*"),
	.state = state,
	.state_program = "guest-state-x86_64",
	.state_mark = { 0x0f, 0x1f, 0x80, 0x51, 0x7a, 0x7e, 0x00 },
	.n_state_mark = 7,
	.n_gprs = 16,
	.n_vectors = 16,
	.other_gpr = 4,
};
