/* x86-64: refused opcodes, and opcodes that LLVM has no model of. */
#include "host/isa/match.h"
#include "host/isa/x86_64.h"

/* Privileged, serialising, timing, or with an effect beyond registers and
 * arithmetic flags: faults at some privilege, hangs, or outlives the kernel.
 * Intel SDM volumes 2 and 4, AMD APM volume 3. */
const struct name_rule x86_64_refused[] = {
	{ NAMES("*_PREFIX"), FORM_PSEUDO },
	{ NAMES("CPUID", "*RDMSR*", "*WRMSR*", "HLT", "HRESET", "IN#r*",
		"OUT#*", "INSB", "INSL", "INSW", "OUTSB", "OUTSL", "OUTSW",
		"SYSCALL", "SYSENTER", "SYSEXIT*", "SYSRET*", "SWAPGS",
		"MOV#cr", "MOV#rc", "MOV#dr", "MOV#rd", "MOV#rs", "MOV#sr",
		"MOV#sm", "MOV#ms", "LDS#*", "LES#*", "LFS#*", "LGS#*", "LSS#*",
		"LKGS*", "LLDT*", "LTR*", "LGDT*", "LIDT*", "SGDT*", "SIDT*",
		"SLDT*", "STR#*", "STRm", "SMSW*", "LMSW*", "LAR#*", "LSL#*",
		"VERR*", "VERW*", "ARPL*", "CLI", "STI", "CLUI", "STUI",
		"TESTUI", "UIRET", "SENDUIPI", "CLAC", "STAC", "CLGI", "STGI",
		"CLTS", "CLD", "STD", "*MONITOR*", "*MWAIT*", "TPAUSE", "INV*",
		"WBINVD", "WBNOINVD", "TLBSYNC", "CLZERO*", "CLFLUSH*",
		"CLDEMOTE", "CLWB", "RDTSC*", "RDPMC", "RDPRU", "RDPID*",
		"RDFSBASE*", "RDGSBASE*", "WRFSBASE*", "WRGSBASE*", "RDPKRU*",
		"WRPKRU*", "XGETBV", "XSETBV", "XSAVE*", "XRSTOR*", "FXSAVE*",
		"FXRSTOR*", "*LDMXCSR*", "*STMXCSR*", "XBEGIN*", "XEND",
		"XABORT*", "XTEST", "XSUSLDTRK", "XRESLDTRK", "ENCL*", "GETSEC",
		"VMCALL", "VMMCALL", "VMFUNC", "VMLAUNCH", "VMRESUME", "VMRUN*",
		"VMLOAD*", "VMSAVE*", "VMXO*", "VMREAD*", "VMWRITE*",
		"VMCLEAR*", "VMPTR*", "VMGEXIT", "SKINIT", "RSM", "PCONFIG",
		"PBNDKB", "PSMASH", "PVALIDATE*", "RMP*", "SEAM*", "TDCALL",
		"SERIALIZE", "LFENCE", "MFENCE", "SFENCE", "PTWRITE*",
		"ENQCMD*", "LLWPCB*", "SLWPCB*", "LWPINS*", "LWPVAL*",
		"LOADIWKEY", "ENCODEKEY*", "INCSSP*", "RDSSP*", "SAVEPREVSSP",
		"RSTORSSP", "WRSS*", "WRUSS*", "SETSSBSY", "CLRSSBSY", "ERET*"),
	  FORM_SYSTEM },
	/* AMX: tile state behind a permission. */
	{ NAMES("TILE*", "TDP*", "TCMM*", "*TILECFG*"), FORM_SYSTEM },
	{ NAMES("INT", "INT3", "INTO", "UD1*", "UD2*", "UBSAN_UD1", "TRAP",
		"JMPABS*", "KCFI_CHECK"),
	  FORM_CONTROL_FLOW },
	{ NAMES("ENTER", "LEAVE*", "PUSH*", "POP#*", "POPA#", "POPF#", "POPDS*",
		"POPES*", "POPFS*", "POPGS*", "POPSS*", "POPP#*"),
	  FORM_STACK },
	{ NAMES("STACKALLOC*"), FORM_PSEUDO },
	/* Of LOCK_OR32mi8. */
	{ NAMES("OR32mi8Locked"), FORM_DUPLICATE },
	/* MOVDIR64B has a second address in a register. */
	{ NAMES("MOVDIR64B*", "PREFETCHIT#", "*MASKMOVDQU*", "MMX_MASKMOVQ*",
		"XCRYPT*", "XSHA*", "XSTORE", "MONTMUL"),
	  FORM_MEMORY },
	{ NAMES("MMX_EMMS", "FEMMS"), FORM_X87 },
	/* Knights only: among them AVX512ER. */
	{ NAMES("VGATHERPF*", "VSCATTERPF*", "PREFETCHWT1", "V4F*", "VP4DP*",
		"VEXP2P*", "VRCP28*", "VRSQRT28*"),
	  FORM_UNSUPPORTED },
	/* MPX, gone since Ice Lake. */
	{ NAMES("BNDCN*", "BNDCL*", "BNDCU*", "BNDMOV*", "BNDMK*", "BNDLDX*",
		"BNDSTX*"),
	  FORM_UNSUPPORTED },
	/* 3DNow!, gone since Bulldozer. */
	{ NAMES("PF*", "PI2F*", "PAVGUSB*", "PMULHRWr*", "PSWAPD*"),
	  FORM_UNSUPPORTED },
	/* Not in 64-bit mode. */
	{ NAMES("BOUNDS*", "AAA", "AAD8i8", "AAM8i8", "AAS", "DAA", "DAS",
		"SALC", "*8ri8", "*8mi8", "*#r_alt"),
	  FORM_UNSUPPORTED },
	/* Its result is undefined. */
	{ NAMES("BSWAP16r_BAD"), FORM_UNSUPPORTED },
};

const size_t x86_64_n_refused = ARRAY_LEN(x86_64_refused);

/* LLVM has no model of the side effects of these, but they only compute. */
static const char *const harmless[] = {
	"DIV#r*",     "IDIV#r*",   "CMC",        "CLC",      "STC",
	"MMX_MOV*",   "MULX*",     "VCOMPRESS*", "VEXPAND*", "VPCOMPRESS*",
	"VPEXPAND*",  "VMOVSH2W*", "RDRAND*",    "RDSEED*",  "ENDBR*",
	"VZEROUPPER", "VZEROALL",  NULL,
};

bool x86_64_is_harmless(const char *name)
{
	return name_matches_any(harmless, name);
}
