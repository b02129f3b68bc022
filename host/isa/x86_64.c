/* x86-64: what LLVM's tables do not say about its registers and opcodes. */
#include "host/isa/x86_64.h"

#include <string.h>

#include "common/pack.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/renamed.h"
#include "host/isa/spelling.h"
#include "host/isa/typed_names.h"
#include "host/isa/values.h"
#include "host/isa/windows.h"

enum {
	RCX = 1,
	RDX = 2,
	RSP = 4,
	R15 = 15,
	N_GPRS = 16, /* R16 to R31 belong to APX, which no core has yet */
};

/* X86II::FormMask of LLVM 19: form 0 has no encoding. */
static bool is_pseudo(uint64_t target_flags)
{
	enum { FORM_MASK = 127 };

	return (target_flags & FORM_MASK) == 0;
}

/* Registers by name; the hardware number is LLVM's encoding. */
static const struct name_rule banks[] = {
	{ NAMES("XMM#", "YMM#", "ZMM#"), BANK_VECTOR },
	{ NAMES("MM#"), BANK_FP },
	{ NAMES("K#", "K#_K#"), BANK_MASK },
	{ NAMES("EFLAGS"), BANK_FLAGS },
	{ NAMES("MXCSR"), BANK_STATE },
	{ NAMES("FPSW", "FPCW", "ST#", "FP#"), BANK_X87 },
	{ NAMES("R#", "R#D", "R#W", "R#B"), BANK_GPR },
};

static const char *const low_gprs[] = {
	"RAX", "EAX", "AX", "AL",  "RCX", "ECX", "CX", "CL",
	"RDX", "EDX", "DX", "DL",  "RBX", "EBX", "BX", "BL",
	"RSP", "ESP", "SP", "SPL", "RBP", "EBP", "BP", "BPL",
	"RSI", "ESI", "SI", "SIL", "RDI", "EDI", "DI", "DIL",
};

static const char *const high_bytes[] = { "AH", "CH", "DH", "BH" };

static uint8_t gpr_bank(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(low_gprs); i++)
		if (strcmp(name, low_gprs[i]) == 0)
			return BANK_GPR;
	return (uint8_t)name_rule(banks, ARRAY_LEN(banks), name, BANK_NONE);
}

static void classify_reg(const char *name, unsigned encoding, struct reg *ret,
			 bool *ret_reserved)
{
	ret->bank = gpr_bank(name);
	ret->index = (uint8_t)encoding;
	ret->span = strchr(name, '_') ? 2 : 1;
	/* Index 8, after the stack of eight. */
	if (strcmp(name, "FPSW") == 0)
		ret->index = 8;
	if (strcmp(name, "FPCW") == 0)
		ret->index = 9;
	ret->high_byte = false;
	for (size_t i = 0; i < ARRAY_LEN(high_bytes); i++)
		if (strcmp(name, high_bytes[i]) == 0) {
			ret->bank = BANK_GPR;
			ret->index = (uint8_t)i;
			ret->high_byte = true;
		}
	if (ret->bank == BANK_GPR && ret->index >= N_GPRS)
		ret->bank = BANK_NONE;
	*ret_reserved = ret->bank == BANK_GPR &&
			(ret->index == RSP || ret->index == R15);
}

/* The type of the source in conversions, else of the computation.  Integer
 * vector forms start with P or VP; later patterns would also match them. */
static const struct name_rule domain_rules[] = {
	{ NAMES("*CVT*PH2*", "*CVT*SH2*"), DOMAIN_FP16 },
	{ NAMES("*CVT*PD2*", "*CVT*SD2*"), DOMAIN_FP64 },
	{ NAMES("*CVT*PS2*", "*CVT*SS2*"), DOMAIN_FP32 },
	{ NAMES("VPERM*PD*"), DOMAIN_FP64 },
	{ NAMES("VPERM*PS*"), DOMAIN_FP32 },
	{ NAMES("P*", "VP*", "MMX_*"), DOMAIN_INT },
	{ NAMES("V*PHZ*", "V*SHZ*"), DOMAIN_FP16 },
	{ NAMES("*PDr*", "*PDY*", "*PDZ*", "*PD4*", "*SDr*", "*SDZ*", "*SD4*"),
	  DOMAIN_FP64 },
	{ NAMES("*PSr*", "*PSY*", "*PSZ*", "*PS4*", "*SSr*", "*SSZ*", "*SS4*"),
	  DOMAIN_FP32 },
	{ NAMES("*PDm*", "*SDm*"), DOMAIN_FP64 },
	{ NAMES("*PSm*", "*SSm*"), DOMAIN_FP32 },
};

/* Scales must not be 0; the other numbers of an address may. */
static void set_scales(const struct form *f, struct operand *ops)
{
	for (unsigned i = 0; i + 1 < f->n_explicit; i++)
		if (ops[i].kind == OPERAND_MEM &&
		    ops[i].reg_class != CLASS_NONE &&
		    ops[i + 1].kind == OPERAND_MEM &&
		    ops[i + 1].reg_class == CLASS_NONE) {
			ops[i + 1].imm = 1;
			i += 4;
		}
}

/* Without system instructions, x86_64_system.c.  Intel SDM volumes 2 and 4, AMD APM
 * volume 3. */
static const struct name_rule refused[] = {
	{ NAMES("*_PREFIX"), FORM_PSEUDO },
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

/* LLVM has no model of the side effects of these, but they only compute. */
static const char *const harmless[] = {
	"DIV#r*",     "IDIV#r*",   "CMC",        "CLC",      "STC",
	"MMX_MOV*",   "MULX*",     "VCOMPRESS*", "VEXPAND*", "VPCOMPRESS*",
	"VPEXPAND*",  "VMOVSH2W*", "RDRAND*",    "RDSEED*",  "ENDBR*",
	"VZEROUPPER", "VZEROALL",  NULL,
};

static enum form_status classify_form(struct form *f, struct operand *ops)
{
	int status = name_rule(refused, ARRAY_LEN(refused), f->name,
			       FORM_MEASURABLE);

	f->domain = (uint8_t)name_rule(domain_rules, ARRAY_LEN(domain_rules),
				       f->name, DOMAIN_INT);
	if (status == FORM_MEASURABLE)
		status = x86_64_system_status(f->name);
	set_scales(f, ops);
	if (status != FORM_MEASURABLE)
		return (enum form_status)status;
	if (strcmp(f->name, "PAUSE") == 0)
		f->flags = 0; /* a hint; LLVM keeps it in order as a store */
	if (strcmp(f->name, "XLAT") == 0)
		f->flags |= MC_MAY_LOAD; /* LLVM lacks it */
	if (name_matches_any(harmless, f->name))
		f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	/* LLVM lacks the read of the destination, which is compared. */
	if (name_matches("CMPXCHG#rr", f->name))
		ops[0].read = true;
	/* LLVM marks the source of the sign extension as written, too. */
	if (name_matches_any(NAMES("CWD", "CDQ", "CQO"), f->name))
		for (int i = f->n_explicit; i < f->n_operands; i++)
			if (ops[i].read)
				ops[i].write = false;
	/* The breaker of implicit registers: a zero RDX keeps divisions from
	 * overflowing. */
	if (strcmp(f->name, "MOV64ri32") == 0)
		operand_pin(&ops[1], 0);
	return FORM_MEASURABLE;
}

/* sub r15, 1; jnz: SUB writes every flag, so no merge of partial flags
 * follows.  Without flags: lea rcx, [rcx - 1]; jrcxz +5; jmp. Displacements are
 * always 32 bits wide: the loop must cost the same at every length. */
static size_t loop_end(size_t body_bytes, bool flagless, unsigned char *code,
		       size_t room)
{
	static const unsigned char counted[] = { 0x49, 0x83, 0xef, 0x01,
						 0x0f, 0x85, 0,    0,
						 0,    0,    0xc3 };
	static const unsigned char plain[] = { 0x48, 0x8d, 0x49, 0xff,
					       0xe3, 0x05, 0xe9, 0,
					       0,    0,    0,    0xc3 };
	const unsigned char *end = flagless ? plain : counted;
	size_t n = flagless ? sizeof(plain) : sizeof(counted);

	/* The branch ends one byte, the return, before the end. */
	if (n > room || body_bytes > INT32_MAX - n)
		return 0;
	memcpy(code, end, n);
	values_put32(code + n - 5, 0u - (uint32_t)(body_bytes + n - 1));
	return n;
}

/* DIV and IDIV divide RDX:RAX: 1 by 1, repeatedly. */
static void init_image(enum form_domain domain, struct pack_image *image)
{
	values_fill(domain, image);
	image->gpr[RDX] = 0;
}

/* Every feature that x86_64_required_features() names. */
#define EVERYTHING                                                           \
	"+cmpccxadd,+cx16,+movbe,+movdiri,+prfchw,+raoint,"                  \
	"+adx,+aes,+avx,+avx2,+avx512bf16,+avx512bitalg,+avx512bw,"          \
	"+avx512cd,+avx512dq,+avx512f,+avx512fp16,+avx512ifma,+avx512vbmi,"  \
	"+avx512vbmi2,+avx512vl,+avx512vnni,+avx512vp2intersect,"            \
	"+avx512vpopcntdq,+avxifma,+avxneconvert,+avxvnni,+avxvnniint16,"    \
	"+avxvnniint8,+bmi,+bmi2,+cmov,+crc32,+egpr,+f16c,+fma,+fma4,+gfni," \
	"+lwp,+lzcnt,+mmx,+pclmul,+popcnt,+rdrnd,+rdseed,+sahf,+sha,"        \
	"+sha512,+sm3,+sm4,+sse4a,+tbm,+vaes,+vpclmulqdq,+xop,"              \
	"+amx-tile,+cldemote,"                                               \
	"+clflushopt,+clwb,+clzero,+enqcmd,+fsgsbase,+hreset,+invpcid,+kl,"  \
	"+mwaitx,+pconfig,+pku,+ptwrite,+rdpid,+rdpru,+rtm,+serialize,+sgx," \
	"+shstk,+tsxldtrk,+uintr,+waitpkg,+wbnoinvd,+xsave,+xsavec,"         \
	"+xsaveopt,+xsaves"

static const struct isa_register_file register_files[] = {
	{ "%xmm#", "name", "xmm" }, { "%ymm#", "name", "ymm" },
	{ "%zmm#", "name", "zmm" }, { "%mm#", "name", "mm" },
	{ "%k#", "name", "k" },     { "%st*", "name", "st" },
	{ "%*", "name", "gpr" },    { NULL, NULL, NULL },
};

/* Forms between which forwarding may depend on the reader: additions, products,
 * fused products and sums, integers, shuffles, logic, of each width.  The
 * doubles that they leave are neither denormal nor made of halves of others. */
#define FORWARDING(suffix, fma)                                         \
	"VADDPD" suffix "rr@2>0", "VMULPD" suffix "rr@2>0",             \
		"VFMADD231PD" fma "@1>0", "VFMADD231PD" fma "@2>0",     \
		"VPADDD" suffix "rr@2>0", "VPADDQ" suffix "rr@2>0",     \
		"VPMULUDQ" suffix "rr@2>0", "VSHUFPD" suffix "rri@2>0", \
		"VPSLLD" suffix "ri@1>0", "VANDPD" suffix "rr@2>0"

#define WRITTEN(suffix, fma, logic)                                     \
	"VADDPD" suffix "rr@2>0", "VMULPD" suffix "rr@2>0",             \
		"VFMADD231PD" fma "@1>0", "VADDPS" suffix "rr@2>0",     \
		"VMULPS" suffix "rr@2>0", "VFMADD231PS" fma "@1>0",     \
		"VANDPD" suffix "rr@2>0", "VSHUFPD" suffix "rri@2>0",   \
		"VPADDD" suffix "rr@2>0", "VPMINSD" suffix "rr@2>0",    \
		"VPMULUDQ" suffix "rr@2>0", "VPMULLD" suffix "rr@2>0",  \
		"VPUNPCKLDQ" suffix "rr@2>0", "VPSLLD" suffix "ri@1>0", \
		"VCVTDQ2PS" suffix "rr@1>0", "VPAND" logic "rr@2>0"

/* CMOV and XCHG would read the register that they replace, and moves cost
 * nothing. */
static const struct isa_carrier carriers[] = {
	{ BANK_GPR, "AND64rr@1>0+LEA64r/r64,r64@3>0", 0 },
	{ BANK_VECTOR, "PSHUFDri@1>0", 0 },
	{ BANK_NONE, NULL, 0 },
};

/* Two no-operations may be fused, and idioms may need a register. */
static const struct isa_window window_list[] = {
	{ ISA_LOAD_BUFFER, "MOV64rm" },
	{ ISA_LOAD_BUFFER, "VMOVAPSrm" },
	{ ISA_VECTOR_REGISTERS, "VPORrr" },
	{ ISA_VECTOR_REGISTERS, "VPADDDrr" },
	{ ISA_VECTOR_REGISTERS, "VORPSrr" },
	{ ISA_REORDER_BUFFER, "NOOPLr" },
	{ ISA_REORDER_BUFFER, "XOR32rr/same" },
	{ ISA_REORDER_BUFFER, "XOR32rr/same+NOOPLr" },
	{ NULL, NULL },
};

static const struct isa_windows windows = {
	.chain = "VSQRTSDr_Int@2>0",
	.list = window_list,
	.general = "LEA64r/r64,r64@3>0",
};

const struct isa isa_x86_64 = {
	.name = "x86_64",
	.osaca_name = "x86",
	.register_files = register_files,
	.width_suffixes = "bwlq",
	.spellings = x86_64_spellings,
	.typed_names = x86_64_typed_names,
	.used = x86_64_used,
	.renamed = x86_64_renamed,
	/* At most a screen of them, for what is shown first: what most
	 * programs are made of, additions, products, quotients, loads, stores,
	 * and vectors. A CPU may lack some. */
	.familiar =
		NAMES("ADD64rr", "AND64rr", "CMP64rr", "LEA64r/r64,r64",
		      "SHL64ri", "POPCNT64rr", "CMOV64rr", "IMUL64rr", "MUL64r",
		      "DIV64r/fast", "DIV64r/slow", "MOV64rm", "MOV64mr",
		      "ADDSDrr_Int", "MULSDrr_Int", "DIVSDrr_Int/slow",
		      "VADDPDYrr", "VMULPDYrr", "VFMADD231PDYr", "VPADDDYrr",
		      "VPSHUFBYrr", "VPERMDYrr", "VPGATHERDDYrm", "VMOVUPSYrm"),
	.triple = "x86_64-unknown-linux-gnu",
	.pack_isa = PACK_ISA_X86_64,
	.default_cpu = "x86-64-v4",
	.usual_cpu = "skylake",
	.features = EVERYTHING,
	.plain_features = EVERYTHING,
	.vendor_features = "",
	.taken_features = "-amx-tile",
	.state_features = "amx-tile",
	.state_classes = NAMES("TILE*"),
	.pointer_class = "GR64",
	.stack_pointer = RSP,
	.counter = R15,
	.counter_flagless = RCX,
	/* Zen 5 and Lion Cove retire 8 to 12 in a cycle. */
	.max_issue_width = 12,
	.calibration = { .chain_a = "ADD64rr",
			 .chain_b = "XOR64rr",
			 .probe = "XOR32rr/same",
			 .wake = { "VMULPDZrr", "VMULPDYrr" },
			 .loads = "VMOVUPSYrm" },
	.widest = NAMES(
		"mix:NOOP", "mix:NOOPLr", "mix:XOR32rr/same", "mix:MOV64rr",
		"mix:MOV32ri", "mix:MOV32ri+NOOPLr", "mix:4xMOV32ri+2xMOV64rm",
		"mix:4xMOV32ri+2xMOV64rm+2xPORrr",
		"mix:5xMOV32ri+3xMOV64rm+2xPORrr+2xNOOPLr", "iteration:NOOP"),
	/* Three bytes: caches of decoded code hold few instructions of one
	 * byte. */
	.iteration = { "NOOPLr", 13, 1, true },
	.filler = "NOOPLr",
	/* Intel's cores, without Atom cores: Abel and Reineke, "uiCA: Accurate
	 * Throughput Prediction of Basic Blocks on Recent Intel
	 * Microarchitectures", ICS 2022, section 4.1. Assumed for those that
	 * are later than the paper. */
	.binding_cpus = NAMES(
		"sandybridge", "ivybridge", "haswell", "broadwell", "skylake*",
		"cascadelake", "cooperlake", "cannonlake", "icelake*",
		"rocketlake", "tigerlake", "alderlake", "raptorlake",
		"meteorlake", "sapphirerapids", "emeraldrapids",
		"graniterapids*", "arrowlake*", "lunarlake", "pantherlake",
		"core-avx-i", "core-avx2", "corei7-avx", "skx"),
	/* Counted in the shared libraries of a Debian system (libc, libcrypto,
	 * Python, SQLite): scalar code. Then vector code that compilers
	 * generate for loops over floats and doubles. */
	.common = NAMES(
		"mov", "xor", "test", "lea", "cmp", "add", "sub", "movzb",
		"movzw", "and", "movsl", "movslq", "or", "shr", "shl", "movups",
		"movaps", "movdqa", "movdqu", "pxor", "adc", "ror", "rol",
		"imul", "sar", "sbb", "movsb", "movsw", "set", "cmov", "movd",
		"movsd", "movss", "punpcklqdq", "padd", "mul", "neg", "inc",
		"dec", "not", "bswap", "pshufd", "pand", "por", "psrl", "psll",
		"addsd", "mulsd", "subsd", "divsd", "addss", "mulss", "ucomisd",
		"cvtsi2sd", "cvttsd2si", "div", "idiv", "bt", "tzcnt", "lzcnt",
		"popcnt", "rorx", "mulx", "andn", "vmovups", "vmovupd",
		"vmovaps", "vmovapd", "vmovdqu", "vmovsd", "vmovss", "vaddpd",
		"vaddps", "vmulpd", "vmulps", "vsubpd", "vsubps", "vaddsd",
		"vmulsd", "vsubsd", "vaddss", "vmulss", "vfmadd231pd",
		"vfmadd231ps", "vfmadd231sd", "vfmadd213sd", "vfmadd213pd",
		"vfnmadd231sd", "vdivpd", "vdivsd", "vxorps", "vpxor", "vpaddd",
		"vpaddq", "vpsubd", "vpand", "vpor", "vpshufd", "vpermq",
		"vextractf128", "vunpckhpd", "vbroadcastsd", "vcvtdq2pd"),
	/* With vector loads and other vector operations one MMX_PACKSSDWrr
	 * takes half a cycle more than VPACKSSDWrr, which has the same ports:
	 * measured on a Zen 5 (8 instructions in 2.03 cycles for 1.54). */
	.seldom = NAMES("MMX_*"),
	.breaker_flags = "TEST64rr",
	.breaker_gpr = "MOV64ri32",
	.breaker_copy = "MOV64rr",
	.breaker_stack = "LD_F1/x87,fstp",
	/* A legacy SSE move between VEX instructions takes 400 cycles on a
	 * Granite Rapids if the upper halves of registers are in use. */
	.bridges =
		NAMES("V*:VMOV64toPQIrr", "V*:VMOVPQIto64rr", "MOV64toPQIrr",
		      "MOVPQIto64rr", "CMOV64rr", "CMOV64rr/b", "CMOV64rr/o",
		      "CMOV64rr/s", "CMOV64rr/p", "TEST64rr", "BT64rr",
		      "CMP64rr", "KMOVQkr", "KMOVQrk", "KMOVWkr", "KMOVWrk",
		      "VPMOVQ2MZ128rr", "VPMOVM2QZ128rr", "MMX_MOVD64to64rr",
		      "MMX_MOVD64from64rr", "MMX_MOVQ2DQrr", "MMX_MOVDQ2Qrr"),
	.carriers = carriers,
	.forwarding =
		NAMES(FORWARDING("", "r"), "VPANDrr@2>0", FORWARDING("Y", "Yr"),
		      "VPANDYrr@2>0", FORWARDING("Z", "Zr"), "VPANDQZrr@2>0"),
	.forwarding_types =
		NAMES("VADDPSrr@2>0", "VMULPSrr@2>0", "VADDPSYrr@2>0",
		      "VMULPSYrr@2>0", "VADDPSZrr@2>0", "VMULPSZrr@2>0"),
	.closing_bits = 512,
	/* Forms whose effects differ on a Golden Cove: additions and products
	 * of floats, products of integers, and operations on integers and
	 * shuffles by the ports that they may use. */
	.written = NAMES(WRITTEN("", "r", ""), WRITTEN("Y", "Yr", "Y"),
			 WRITTEN("Z", "Zr", "QZ")),
	.windows = &windows,
	.barrier = { 3, { 0x0f, 0xae, 0xe8 } }, /* lfence */
	.padding = { 1, { 0x90 } },
	.is_pseudo = is_pseudo,
	.variants = x86_64_variants,
	.derive = x86_64_derive,
	.families = x86_64_families,
	.straddles = x86_64_straddles,
	.operand_value = x86_64_operand_value,
	.surround = &x86_64_surround,
	.classify_reg = classify_reg,
	.classify_form = classify_form,
	.memory = &x86_64_memory,
	.loop = &x86_64_loop,
	.stream = &x86_64_stream,
	.guest = &x86_64_guest,
	.rules = x86_64_rules,
	.system = x86_64_system,
	.usual_numbers = x86_64_usual_numbers,
	.decoding = &x86_64_decoding,
	.flags = &x86_64_flags,
	.open_address = x86_64_open_address,
	.access_bytes = x86_64_access_bytes,
	.behind_prefix = x86_64_behind_prefix,
	.whole_form = x86_64_whole_form,
	.required_features = x86_64_required_features,
	.loop_end = loop_end,
	.frame = &x86_64_frame,
	.prologue = x86_64_prologue,
	.clash = x86_64_clash,
	.keeps_above = x86_64_is_legacy_sse,
	.init_image = init_image,
};
