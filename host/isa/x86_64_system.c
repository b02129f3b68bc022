/* x86-64: system instructions: why each is no ordinary form, and those that can be
 * measured all the same (host/isa/system.h).  Intel SDM volumes 2 to 4, AMD APM
 * volume 3. */
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/layout.h"
#include "host/isa/mc.h"
#include "host/isa/surround.h"
#include "host/isa/system.h"
#include "host/isa/values.h"
#include "host/isa/x86_64.h"

/* The first row that matches counts. */
static const struct name_rule reasons[] = {
	/* VMX, SVM, SEV and SNP, TDX, SGX and TXT. */
	{ NAMES("VMCALL", "VMMCALL", "VMFUNC", "VMLAUNCH", "VMRESUME", "VMRUN*",
		"VMLOAD*", "VMSAVE*", "VMXO*", "VMREAD*", "VMWRITE*",
		"VMCLEAR*", "VMPTR*", "VMGEXIT", "INVEPT*", "INVVPID*",
		"SKINIT", "CLGI", "STGI", "PSMASH", "PVALIDATE*", "RMP*",
		"SEAM*", "TDCALL", "ENCL*", "GETSEC", "PCONFIG", "PBNDKB"),
	  FORM_VIRTUALIZATION },
	{ NAMES("TILE*", "TDP*", "TCMM*", "*TILECFG*"), FORM_MATRIX },
	{ NAMES("XBEGIN*", "XEND", "XABORT*", "XTEST", "XSUSLDTRK",
		"XRESLDTRK"),
	  FORM_TRANSACTION },
	/* Shadow stacks, protection keys, key locker. */
	{ NAMES("INCSSP*", "RDSSP*", "SAVEPREVSSP", "RSTORSSP", "WRSS*",
		"WRUSS*", "SETSSBSY", "CLRSSBSY", "RDPKRU*", "WRPKRU*",
		"LOADIWKEY", "ENCODEKEY*", "AES*KL"),
	  FORM_PROTECTION },
	{ NAMES("*MONITOR*", "*MWAIT*", "TPAUSE", "HLT"), FORM_WAIT },
	{ NAMES("LFENCE", "MFENCE", "SFENCE", "SERIALIZE", "CPUID", "TLBSYNC",
		"PTWRITE*"),
	  FORM_BARRIER },
	{ NAMES("CLFLUSH*", "CLDEMOTE", "CLWB", "CLZERO*", "INV*", "WBINVD",
		"WBNOINVD"),
	  FORM_CACHE },
	/* Clocks, processor numbers, MXCSR, extended states, segments, the
	 * direction flag; profiling that AMD gave up. */
	{ NAMES("RDTSC*", "RDPMC", "RDPRU", "RDPID*", "RDFSBASE*", "RDGSBASE*",
		"WRFSBASE*", "WRGSBASE*", "XGETBV", "XSAVE*", "XRSTOR*",
		"FXSAVE*", "FXRSTOR*", "*LDMXCSR*", "*STMXCSR*", "MOV#rs",
		"MOV#sr", "MOV#sm", "MOV#ms", "LDS#*", "LES#*", "LFS#*",
		"LGS#*", "LSS#*", "LAR#*", "LSL#*", "VERR*", "VERW*", "ARPL*",
		"SGDT*", "SIDT*", "SLDT*", "STR#*", "STRm", "SMSW*", "CLD",
		"STD", "LLWPCB*", "SLWPCB*", "LWPINS*", "LWPVAL*"),
	  FORM_REGISTER },
	{ NAMES("*RDMSR*", "*WRMSR*", "HRESET", "IN#r*", "OUT#*", "INSB",
		"INSL", "INSW", "OUTSB", "OUTSL", "OUTSW", "SYSCALL",
		"SYSENTER", "SYSEXIT*", "SYSRET*", "SWAPGS", "MOV#cr", "MOV#rc",
		"MOV#dr", "MOV#rd", "LKGS*", "LLDT*", "LTR*", "LGDT*", "LIDT*",
		"LMSW*", "CLI", "STI", "CLUI", "STUI", "TESTUI", "UIRET",
		"SENDUIPI", "CLAC", "STAC", "CLTS", "XSETBV", "RSM", "ENQCMD*",
		"ERET*"),
	  FORM_PRIVILEGED },
};

enum form_status x86_64_system_status(const char *name)
{
	return (enum form_status)name_rule(reasons, ARRAY_LEN(reasons), name,
					   FORM_MEASURABLE);
}

/* Forms with one row.  The number is the value of ECX where the form reads it: it
 * chooses the counter or the register. */
enum { NOTHING, TIME_STAMP_COUNTER = 0x10 };

#define XSTATE_ROW(opcodes, when, word, mask)                      \
	VARIANT(opcodes, when, word, SYSTEM, .reshapes = true,     \
		.shape = SYSTEM_STATE, .layout = LAYOUT_ONE_PLACE, \
		.number = mask, .unchained = SYSTEM_UNCHAINED)
#define XSTATES                                                         \
	NAMES("XSAVE", "XSAVE64", "XSAVEC", "XSAVEC64", "XSAVEOPT",     \
	      "XSAVEOPT64", "XSAVES", "XSAVES64", "XRSTOR", "XRSTOR64", \
	      "XRSTORS", "XRSTORS64")

const struct variant_rule x86_64_system[] = {
	SYSTEM("MFENCE", "system", NOTHING),
	SYSTEM("LFENCE", "system", NOTHING),
	SYSTEM("SFENCE", "system", NOTHING),
	SYSTEM("SERIALIZE", "system", NOTHING),
	/* Behind what sets its leaf to 0. */
	SYSTEM("CPUID", "leaf0", NOTHING),
	SYSTEM("RDTSC", "system", NOTHING),
	SYSTEM("RDTSCP", "system", NOTHING),
	/* Needs CR4.PCE in a process, and a counter. */
	SYSTEM("RDPMC", "counter0", NOTHING),
	SYSTEM("RDPRU", "mperf", NOTHING),
	SYSTEM("RDPID64", "system", NOTHING),
	SYSTEM("XGETBV", "xcr0", NOTHING),
	SYSTEM("RDPKRUr", "system", NOTHING),
	SYSTEM("RDFSBASE64", "system", NOTHING),
	SYSTEM("RDGSBASE64", "system", NOTHING),
	/* Round to nearest, all exceptions masked: what it was. */
	SYSTEM("LDMXCSR", "default", NOTHING),
	SYSTEM("STMXCSR", "system", NOTHING),
	SYSTEM("CLD", "system", NOTHING),
	/* Of the selector 0, which is none. */
	SYSTEM("VERWr", "null", NOTHING),
	SYSTEM("VERRr", "null", NOTHING),
	SYSTEM("LAR32rr", "null", NOTHING),
	SYSTEM("LSL32rr", "null", NOTHING),
	/* Until a time that has passed. */
	SYSTEM("TPAUSE", "past", NOTHING),
	SYSTEM("RDMSR", "tsc", TIME_STAMP_COUNTER),
	/* The page's next access reads its entry again. */
	SYSTEM("INVLPG", "system", NOTHING),
	SYSTEM("INVPCID64", "page", NOTHING),
	SYSTEM_LINES("CLFLUSH", "", NOTHING),
	SYSTEM_LINES("CLFLUSHOPT", "", NOTHING),
	SYSTEM_LINES("CLWB", "", NOTHING),
	SYSTEM_LINES("CLDEMOTE", "", NOTHING),
	XSTATE_ROW(NAMES("FXSAVE", "FXSAVE64", "FXRSTOR", "FXRSTOR64"), NULL,
		   "sse", NOTHING),
	XSTATE_ROW(XSTATES, NULL, "x87", XSTATE_X87),
	XSTATE_ROW(XSTATES, NULL, "sse", XSTATE_SSE),
	/* Upper halves that are not in use, and such that are. */
	XSTATE_ROW(XSTATES, x86_64_has_state, "avx-clean", XSTATE_AVX),
	XSTATE_ROW(XSTATES, x86_64_has_state, "avx", XSTATE_AVX),
	XSTATE_ROW(XSTATES, x86_64_has_state, "avx512", XSTATE_AVX512),
	{ .names = NULL },
};

/* CPUID's leaf is set in front of it, and its results are no next leaf. */
static void shape(const struct catalogue *c, struct form *f,
		  struct operand *ops)
{
	(void)c;
	f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	if (f->variant->shape == SYSTEM_STATE)
		x86_64_xstate_shape(f);
	if (name_matches("STMXCSR*", f->name))
		f->flags |= MC_MAY_STORE;
	for (int i = 0; name_matches("CPUID*", f->name) && i < f->n_operands;
	     i++)
		ops[i].read = false;
}

static bool value(const struct form *f, int operand, enum reg_bank bank,
		  uint8_t ret[VALUE_BYTES])
{
	enum { MXCSR = 0x1f80 };
	bool mxcsr =
		operand == OPERAND_MEMORY && name_matches("LDMXCSR*", f->name);

	if (operand == OPERAND_MEMORY && system_is_state(f)) {
		values_repeat(0, sizeof(uint64_t), ret);
		return true;
	}
	/* A mask of states is in both halves: XCR0 has no bit above 31 that it
	 * would name. */
	if (operand != OPERAND_MEMORY &&
	    (bank != BANK_GPR || f->operands[operand].kind != OPERAND_REG))
		return false;
	values_repeat(mxcsr ? MXCSR : (uint64_t)f->variant->number,
		      mxcsr ? sizeof(uint32_t) : sizeof(uint64_t), ret);
	return true;
}

/* testb $0 or movb $0 to displacement(base), whose register needs no SIB. */
static void put_line(const struct catalogue *c, const struct instance *i,
		     unsigned char opcode, struct surround *ret)
{
	enum { REX_B = 0x41, LOW = 7, MODRM_DISP32 = 0x80, BYTES = 7 };
	int base = form_part(i->form, ROLE_BASE);
	int displacement = form_part(i->form, ROLE_DISPLACEMENT);
	unsigned r = c->regs[i->reg[base]].index;
	unsigned char *at = ret->before;

	if (r > LOW)
		*at++ = REX_B;
	*at++ = opcode;
	*at++ = (unsigned char)(MODRM_DISP32 | (r & LOW));
	values_put32(at, (uint32_t)i->imm[displacement]);
	at[4] = 0;
	ret->n_before = (size_t)(at + 5 - ret->before);
	ret->n_instructions = 1;
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	enum { TEST = 0xf6, MOVE = 0xc6 };
	/* xor %eax, %eax; xor %ecx, %ecx */
	static const unsigned char leaf_0[] = { 0x31, 0xc0, 0x31, 0xc9 };

	(void)n;
	if (name_matches("CPUID*", i->form->name)) {
		memcpy(ret->before, leaf_0, sizeof(leaf_0));
		ret->n_before = sizeof(leaf_0);
		ret->n_instructions = 2;
	} else if (i->form->variant->shape == SYSTEM_READ)
		put_line(c, i, TEST, ret);
	else if (i->form->variant->shape == SYSTEM_DIRTY)
		put_line(c, i, MOVE, ret);
}

const struct isa_family x86_64_system_family = { shape, around, value };
