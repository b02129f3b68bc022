/* AArch64: what LLVM's tables do not say about its registers and opcodes. */
#include "host/isa/aarch64.h"

#include <ctype.h>
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
	X18 = 18, /* platform register of some systems */
	X28 = 28,
	FP = 29,
	LR = 30,
	SP = 31,
	N_REGS = 32,
};

/* The first register of a tuple such as Q0_Q1 gives its bank and index. */
static const struct name_rule banks[] = {
	{ NAMES("SP", "WSP", "FP", "LR", "X#", "W#", "X#_*", "W#_W#"),
	  BANK_GPR },
	{ NAMES("NZCV"), BANK_FLAGS },
	{ NAMES("FPCR", "FPSR"), BANK_STATE },
	{ NAMES("FFR", "P#", "P#_P#", "PN#"), BANK_MASK },
	{ NAMES("ZA", "ZAB#", "ZAH#", "ZAS#", "ZAD#", "ZAQ#"), BANK_MATRIX },
	{ NAMES("B#", "H#", "S#", "D#", "Q#", "Z#", "D#_*", "Q#_*", "Z#_*"),
	  BANK_VECTOR },
};

/* Numbers in a tuple's name: how many, and are they consecutive? */
static unsigned tuple_span(const char *name, unsigned first, bool *ret_dense)
{
	unsigned n = 1;

	*ret_dense = true;
	for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
		unsigned number = 0;

		for (const char *d = at + 2; isdigit((unsigned char)*d); d++)
			number = number * 10 + (unsigned)(*d - '0');
		if (strncmp(at, "_FP", 3) == 0)
			number = FP;
		if (number != first + n)
			*ret_dense = false;
		n++;
	}
	return n;
}

static bool reserved(unsigned index, unsigned span)
{
	unsigned end = index + span;

	return (index <= X18 && end > X18) || end > X28;
}

/* State registers have no encoding; each is a separate dependency.  The
 * first-fault register follows the sixteen numbered predicates. */
static const struct name_rule state[] = {
	{ NAMES("FPCR"), 0 },
	{ NAMES("FPSR"), 1 },
	{ NAMES("FFR"), 16 },
};

static uint8_t index_of(const char *name, unsigned encoding)
{
	return (uint8_t)name_rule(state, ARRAY_LEN(state), name, (int)encoding);
}

/* Tiles of 64 bits are each eighth row of ZA, and so on (Arm ARM, B1.4.9): with the
 * bits of its number reversed, a tile is a range of those of 128 bits. */
static void place_tile(const char *name, unsigned number, struct reg *ret)
{
	enum { BITS = 4, ALL = 1 << BITS };
	static const char sizes[] = "BHSDQ";
	const char *size = name[2] ? strchr(sizes, name[2]) : NULL;

	ret->index = 0;
	ret->span = (uint8_t)(size ? ALL >> (size - sizes) : ALL);
	for (int i = 0; i < BITS; i++)
		ret->index |= (uint8_t)((number >> i & 1) << (BITS - 1 - i));
}

static void classify_reg(const char *name, unsigned encoding, struct reg *ret,
			 bool *ret_reserved)
{
	bool dense;

	ret->bank =
		(uint8_t)name_rule(banks, ARRAY_LEN(banks), name, BANK_NONE);
	ret->index = index_of(name, encoding);
	ret->span = (uint8_t)tuple_span(name, encoding, &dense);
	/* Strided tuples and those that wrap around from 31 to 0 are no range
	 * of registers. */
	if (!dense)
		ret->bank = BANK_NONE;
	if (ret->bank == BANK_MATRIX)
		place_tile(name, encoding, ret);
	*ret_reserved =
		ret->bank == BANK_GPR && reserved(ret->index, ret->span);
}

/* Without system instructions, aarch64_system.c.  Arm ARM (DDI 0487). */
static const struct name_rule refused[] = {
	/* It is unpredictable before an instruction that it is no prefix of. */
	{ NAMES("MOVPRFX*"), FORM_PSEUDO },
	{ NAMES("HLT", "BRK", "SVC", "HVC", "SMC", "DCPS#", "ERET*", "DRPS",
		"UDF"),
	  FORM_CONTROL_FLOW },
	{ NAMES("CPYE*", "CPYF*", "CPYM*", "CPYP*", "SETP*", "SETM*", "SETE*",
		"SETG*", "MOPSSET*"),
	  FORM_MEMORY },
	/* Exclusive stores (as /pair), tags, authenticated addresses that are
	 * written back as plain ones, accesses of 64 bytes to devices, and
	 * vectors of addresses of 32 bits. */
	{ NAMES("STX*", "STLX*", "LDG*", "STG*", "ST2G*", "STZ*",
		"LDRA*writeback", "LD64B", "ST64B*", "GLD*_S_IMM", "GLD*1W_IMM",
		"SST1*_S_IMM", "SST1W_IMM", "PRF*_S_PZI"),
	  FORM_MEMORY },
};

/* LLVM has no model of the side effects of these, but they only compute. */
static const char *const harmless[] = {
	"ADDPT_*",    "SUBPT_*", "MADDPT",  "MSUBPT", "AXFLAG", "XAFLAG",
	"CFINV",      "RMIF",    "SETF8",   "SETF16", "LUTI#*", "ADD_ZPmZ_*",
	"SUB_ZPmZ_*", "MAD_CPA", "MLA_CPA", "ADDPT*", "SUBG",   "SUBPS",
	"SMOVvi*",    "SUBPT*",  "SETFFR",  "WRFFR",  "RDFFR*", NULL,
};

/* Element type of an FP form: in a vector suffix (v4f32, v2i64), an SVE
 * suffix (_S), or the last letter of a scalar name before its operands
 * (FADDDrr; FCVTSDr converts from D). */
static const struct name_rule element_rules[] = {
	{ NAMES("*v#f64*", "*v#i64*"), DOMAIN_FP64 },
	{ NAMES("*v#f32*", "*v#i32*"), DOMAIN_FP32 },
	{ NAMES("*v#f16*", "*v#i16*"), DOMAIN_FP16 },
	{ NAMES("*_*DtoS*", "*_*DtoH*"), DOMAIN_FP64 },
	{ NAMES("*_*StoD*", "*_*StoH*"), DOMAIN_FP32 },
	{ NAMES("*_*HtoD*", "*_*HtoS*", "*_H"), DOMAIN_FP16 },
	{ NAMES("*_D"), DOMAIN_FP64 },
	{ NAMES("*_S"), DOMAIN_FP32 },
	{ NAMES("*Dr*"), DOMAIN_FP64 },
	{ NAMES("*Sr*"), DOMAIN_FP32 },
	{ NAMES("*Hr*", "*H"), DOMAIN_FP16 },
	{ NAMES("*D"), DOMAIN_FP64 },
	{ NAMES("*S"), DOMAIN_FP32 },
	{ NAMES("*64*"), DOMAIN_FP64 },
	{ NAMES("*16*"), DOMAIN_FP16 },
};

static enum form_domain domain_of(const char *name)
{
	if (name[0] != 'F' && strncmp(name, "BF", 2) != 0)
		return DOMAIN_INT;
	return (enum form_domain)name_rule(
		element_rules, ARRAY_LEN(element_rules), name, DOMAIN_FP32);
}

static enum form_status classify_form(struct form *f, struct operand *ops)
{
	int status = name_rule(refused, ARRAY_LEN(refused), f->name,
			       FORM_MEASURABLE);

	if (status == FORM_MEASURABLE)
		status = aarch64_system_status(f->name);
	f->domain = (uint8_t)domain_of(f->name);
	f->streaming = aarch64_streams(f->name);
	/* Other hints wait, yield or profile: only HINT 0, the nop, runs. */
	if (strcmp(f->name, "HINT") == 0) {
		operand_pin(&ops[0], 0);
		f->flags = 0;
	}
	/* The plain instruction (add x0, x1, x2) is the shifted form with LSL
	 * 0; a reader looks up this one. */
	if (name_matches("*Wrs", f->name) || name_matches("*Xrs", f->name))
		operand_pin(&ops[3], 0);
	/* A constant that is not shifted. */
	if (name_matches("MOVZ*i", f->name))
		operand_pin(&ops[2], 0);
	/* No byte is lower than 0: the predicate stays true in a chain. */
	if (strcmp(f->name, "CMPHS_PPzZI_B") == 0)
		operand_pin(&ops[3], 0);
	if (status != FORM_MEASURABLE)
		return (enum form_status)status;
	/* LLVM lacks the flag on some opcodes. */
	if (name_matches("LD*", f->name) || name_matches("PRF*", f->name))
		f->access = ACCESS_LOAD;
	/* A prefetch stores nothing. */
	if (name_matches("PRF*", f->name))
		f->flags &= (uint8_t)~MC_MAY_STORE;
	/* LLVM marks tiles as memory with effects. */
	if (f->streaming) {
		bool load = name_matches("LD*", f->name);
		bool store = name_matches("ST*", f->name);

		f->flags &=
			(uint8_t) ~(MC_SIDE_EFFECTS | (load ? 0 : MC_MAY_LOAD) |
				    (store ? 0 : MC_MAY_STORE));
	}
	if (name_matches_any(harmless, f->name))
		f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	/* LLVM marks these as memory accesses to keep them in order. */
	if (name_matches("RDFFR*", f->name) || name_matches("*FFR", f->name))
		f->flags &= (uint8_t) ~(MC_MAY_LOAD | MC_MAY_STORE);
	/* Arithmetic on the program counter does not jump. */
	if (name_matches("ADR", f->name) || name_matches("ADRP", f->name))
		ops[1].kind = OPERAND_IMM;
	/* Literals precede the kernel; its code finds them. */
	if (aarch64_is_literal(f)) {
		ops[1].kind = OPERAND_IMM;
		operand_pin(&ops[1], 0);
	}
	return FORM_MEASURABLE;
}

/* sub x28, x28, #1; cbnz x28, loop; ret.  No flags either way. */
static size_t loop_end(size_t body_bytes, bool flagless, unsigned char *code,
		       size_t room)
{
	enum { BYTES = 12, CBNZ_RANGE = 1 << 20 };
	uint32_t back = (uint32_t)(body_bytes + 4) / 4;

	(void)flagless;
	if (room < BYTES || body_bytes % 4 != 0 || body_bytes + 4 > CBNZ_RANGE)
		return 0;
	values_put32(code, 0xd1000400u | X28 << 5 | X28);
	values_put32(code + 4,
		     0xb5000000u | ((0u - back) & 0x7ffff) << 5 | X28);
	values_put32(code + 8, 0xd65f03c0u);
	return BYTES;
}

/* All features of LLVM; the plain set excludes SME, whose forms need streaming
 * mode or the ZA array. */
#define PLAIN                                                                \
	"+v9.5a,+aes,+sha2,+sha3,+sm4,+crc,+fullfp16,+fp16fml,+bf16,"        \
	"+rcpc3,+i8mm,+f32mm,+f64mm,+sve2p1,+sve2-aes,+sve2-sha3,+sve2-sm4," \
	"+sve2-bitperm,+sve-b16b16,+jsconv,+complxnum,+rdm,+dotprod,"        \
	"+flagm,+altnzcv,+fptoint,+cssc,+hbc,+pauth,+pauth-lr,+mte,"         \
	"+faminmax,+lut,+cpa,+rand,+lse128,+ls64,+b16b16,+bti,"              \
	"+fp8,+fp8dot2,+fp8dot4,+fp8fma"

/* No-operations may take no entry, or two may share one; instructions that
 * write a register need a register, too. */
static const struct isa_window window_list[] = {
	{ ISA_LOAD_BUFFER, "LDRXui" },
	{ ISA_LOAD_BUFFER, "LDRDui" },
	{ ISA_REORDER_BUFFER, "HINT" },
	{ ISA_REORDER_BUFFER, "HINT+MOVZXi" },
	{ ISA_REORDER_BUFFER, "HINT+SUBSXri" },
	{ NULL, NULL },
};

static const struct isa_windows windows = {
	.chain = "FDIVDrr@1>0",
	.list = window_list,
	.general = "ADDXrr@1>0",
};

static const struct isa_register_file register_files[] = {
	{ "x#", "prefix", "x" },  { "w#", "prefix", "w" },
	{ "sp", "prefix", "x" },  { "wsp", "prefix", "w" },
	{ "xzr", "prefix", "x" }, { "wzr", "prefix", "w" },
	{ "v#", "prefix", "v" },  { "z#", "prefix", "z" },
	{ "p#", "prefix", "p" },  { "b#", "prefix", "b" },
	{ "h#", "prefix", "h" },  { "s#", "prefix", "s" },
	{ "d#", "prefix", "d" },  { "q#", "prefix", "q" },
	{ NULL, NULL, NULL },
};

/* A product, a sum that waits for it, and what stands behind. */
#define DECOUPLED_FP(behind) "FMULDrr@2>0+FADDDrr@2>0+" behind

const struct isa isa_aarch64 = {
	.name = "aarch64",
	.osaca_name = "AArch64",
	.register_files = register_files,
	.width_suffixes = "",
	.spellings = aarch64_spellings,
	.typed_names = aarch64_typed_names,
	.used = aarch64_used,
	.renamed = aarch64_renamed,
	/* At most a screen of them, for what is shown first: what most
	 * programs are made of, additions, products, quotients, loads, stores,
	 * and vectors. A CPU may lack some. */
	.familiar = NAMES("ADDXrs", "ANDXrs", "SUBSXrs", "LSLVXr", "CSELXr",
			  "MADDXrrr", "UMULHrr", "SDIVXr/fast", "SDIVXr/slow",
			  "LDRXui", "LDPXi", "STRXui", "FADDDrr", "FMULDrr",
			  "FMADDDrrr", "FDIVDrr/slow", "ADDv4i32", "FADDv2f64",
			  "FMLAv2f64", "TBLv16i8One", "LDRQui", "FMLA_ZPmZZ_D",
			  "LD1D_IMM", "GLD1D_IMM"),
	.triple = "aarch64-unknown-linux-gnu",
	.pack_isa = PACK_ISA_AARCH64,
	.default_cpu = "generic",
	.usual_cpu = "neoverse-n1",
	.features = "+all",
	.plain_features = PLAIN,
	.vendor_features = "",
	.taken_features = "-sme",
	.state_features = "sme2",
	.state_classes = NAMES("MPR*", "ZTR", "MatrixIndex*", "*Strided*"),
	.pointer_class = "",
	.stack_pointer = SP,
	.counter = X28,
	.counter_flagless = X28,
	/* Ten-wide cores exist (Cortex-X925, Apple M4). */
	.max_issue_width = 12,
	.calibration = { .chain_a = "ADDXri",
			 .chain_b = "EORXri",
			 .probe = "HINT" },
	.widest = NAMES(
		"mix:HINT", "mix:MOVZXi", "mix:ORRXrs", "mix:MOVZXi+HINT",
		"mix:4xADDXri+2xLDRXui", "mix:4xADDXri+2xLDRXui+2xORRv16i8",
		"mix:5xADDXri+3xLDRXui+3xORRv16i8+2xHINT", "iteration:HINT"),
	.iteration = { "HINT", 14, 1, false },
	.breaker_flags = "ADDSXri",
	.breaker_gpr = "MOVZXi",
	.breaker_mask = "SETFFR",
	.bridges = NAMES("FMOVXDr", "FMOVDXr", "CSINCXr", "CSINCXr/cs",
			 "CSINCXr/mi", "CSINCXr/vs", "SUBSXri", "SEL_ZPZZ_B",
			 "CMPHS_PPzZI_B"),
	.in_order = "MADDXrrr@1>0+ADDXrs@1>0",
	.decoupled = NAMES("MADDXrrr@1>0+ADDXrs@1>0+~9xADDXri",
			   DECOUPLED_FP("~9xADDXri"),
			   DECOUPLED_FP("~FADDDrr+~9xADDXri"),
			   DECOUPLED_FP("~FADDDrr+~FADDDrr+~9xADDXri"),
			   DECOUPLED_FP("~FADDDrr+~FADDDrr+~FADDDrr+~FADDDrr+"
					"~9xADDXri"),
			   DECOUPLED_FP("~LDRDui+~9xADDXri"),
			   DECOUPLED_FP("~STRDui+~9xADDXri"),
			   DECOUPLED_FP("~FMOVDXr+~9xADDXri"),
			   DECOUPLED_FP("~FMOVXDr+~9xADDXri"),
			   DECOUPLED_FP("~LDRXui+~9xADDXri"),
			   DECOUPLED_FP("~STRXui+~9xADDXri"),
			   DECOUPLED_FP("~MADDXrrr+~9xADDXri"),
			   "FMULDrr@2>0+STRDui+~LDRDui+~9xADDXri",
			   "LDRDui@1>0+FADDDrr@2>0+~FADDDrr+~9xADDXri"),
	.forwarding = NAMES("FADDDrr@2>0", "FMULDrr@2>0", "FMADDDrrr@3>0",
			    "FMADDDrrr@1>0", "FADDv2f64@2>0", "FMULv2f64@2>0",
			    "FMLAv2f64@1>0", "FMLAv2f64@2>0", "ADDv4i32@2>0",
			    "MULv4i32@2>0", "MLAv4i32@1>0", "EORv16i8@2>0",
			    "SHLv4i32_shift@1>0"),
	.forwarding_types = NAMES("FADDv4f32@2>0", "FMULv4f32@2>0",
				  "FADDv2f32@2>0", "FMULv2f32@2>0"),
	.written = NAMES("FADDDrr@2>0", "FMULDrr@2>0", "FMADDDrrr@3>0",
			 "FADDv2f64@2>0", "FMULv2f64@2>0", "FMLAv2f64@1>0",
			 "ADDv4i32@2>0", "MULv4i32@2>0", "EORv16i8@2>0",
			 "SHLv4i32_shift@1>0"),
	.windows = &windows,
	.barrier = { 4, { 0xdf, 0x3f, 0x03, 0xd5 } }, /* isb */
	.padding = { 4, { 0x1f, 0x20, 0x03, 0xd5 } },
	.system = aarch64_system,
	.families = aarch64_families,
	.straddles = aarch64_straddles,
	.prologue = aarch64_prologue,
	.clash = aarch64_clash,
	.surround = &aarch64_surround,
	.operand_value = aarch64_operand_value,
	.classify_reg = classify_reg,
	.classify_form = classify_form,
	.memory = &aarch64_memory,
	.loop = &aarch64_loop,
	.stream = &aarch64_stream,
	.guest = &aarch64_guest,
	.rules = aarch64_rules,
	.usual_numbers = aarch64_usual_numbers,
	.flags = &aarch64_flags,
	.open_address = aarch64_open_address,
	.loop_end = loop_end,
	.frame = &aarch64_frame,
	.init_image = values_fill,
};
