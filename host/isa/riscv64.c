/* RISC-V, 64 bits: what LLVM's tables do not say about its registers and
 * opcodes. */

#include <string.h>

#include "host/isa/carrier.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/renamed.h"
#include "host/isa/riscv64.h"
#include "host/isa/spelling.h"
#include "host/isa/typed_names.h"
#include "host/isa/values.h"
#include "host/isa/windows.h"

enum {
	SP = 2,
	TP = 4, /* x0 zero, x1 ra, x2 sp, x3 gp, x4 tp are never allocated */
	X31 = 31,
	FRM_DYNAMIC = 7, /* Unprivileged spec, table of rounding modes */
};

static const struct name_rule banks[] = {
	{ NAMES("X0", "X0_Pair"), BANK_NONE },
	{ NAMES("X#", "X#_X#"), BANK_GPR },
	{ NAMES("F#_D", "F#_F", "F#_H"), BANK_FP },
	{ NAMES("V#", "V#M#", "V#_*", "V#M#_*"), BANK_VECTOR },
	{ NAMES("VL", "VTYPE", "VXRM", "VXSAT", "FRM", "FFLAGS"), BANK_STATE },
};

/* V8M2 covers two registers, V8M2_V10M2 four, V8_V9_V10 three. */
static unsigned span_of(const char *name)
{
	const char *group = strchr(name, 'M');
	unsigned n = 1;

	for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_'))
		n++;
	return group ? n * (unsigned)(group[1] - '0') : n;
}

/* State registers have no encoding; each is a separate dependency. */
static uint8_t index_of(const char *name, unsigned encoding)
{
	static const char *const state[] = { "VL",    "VTYPE", "VXRM",
					     "VXSAT", "FRM",   "FFLAGS" };

	for (size_t i = 0; i < ARRAY_LEN(state); i++)
		if (strcmp(name, state[i]) == 0)
			return (uint8_t)i;
	return (uint8_t)encoding;
}

static void classify_reg(const char *name, unsigned encoding, struct reg *ret,
			 bool *ret_reserved)
{
	ret->bank =
		(uint8_t)name_rule(banks, ARRAY_LEN(banks), name, BANK_NONE);
	ret->index = index_of(name, encoding);
	ret->span = ret->bank == BANK_FP ? 1 : (uint8_t)span_of(name);
	*ret_reserved = ret->bank == BANK_GPR &&
			(encoding <= TP || encoding + ret->span > X31);
}

/* Without system instructions, riscv64_system.c.  Extensions that clash with RV64GC:
 * Zfinx puts floats into x registers, Zcmp and Zcmt reuse the encodings of Zcd,
 * vendors use custom opcodes for different things. */
static const struct name_rule refused[] = {
	/* LLVM flags the pseudos of JAL only. */
	{ NAMES("ECALL", "EBREAK", "C_EBREAK", "UNIMP", "C_UNIMP", "JAL*",
		"C_J*", "MRET", "SRET", "URET", "DRET", "MNRET"),
	  FORM_CONTROL_FLOW },
	/* SC_* as /pair; LLVM does not give the pairs of AMOCAS_Q back. */
	{ NAMES("SC_*", "AMOCAS_Q*"), FORM_MEMORY },
	/* Zalasr is not ratified. */
	{ NAMES("LB_A*", "LH_A*", "LW_A*", "LD_A*", "SB_*", "SH_*", "SW_*",
		"SD_*"),
	  FORM_UNSUPPORTED },
	{ NAMES("C_*SP", "C_ADDI16SP", "C_ADDI4SPN"), FORM_STACK },
	{ NAMES("CV_*", "QK_*", "SF_*", "VC_*", "VT_*", "CM_*", "*_INX*",
		"*_IN32X*", "THV*", "VQMACC*", "VFNRCLIP_*", "VFWMACC_4x4x4"),
	  FORM_UNSUPPORTED },
	/* LLVM 22's: of vendors, and of drafts (P, Zvqdotq, Zvfbfa). */
	{ NAMES("NDS_*", "QC_*", "MIPS_*", "TH_VMAQA*", "RI_*", "SMT_*",
		"VQDOT*", "NCLIP*", "NSRA*", "NSRL*", "NSARI", "ADDD", "SUBD",
		"WADD*", "WSUB*", "WM*", "WSL*", "WZIP*", "P*_D*", "PM2W*",
		"PMQ*WACC*", "PN*", "PW*", "PREDSUM*_D*"),
	  FORM_UNSUPPORTED },
	/* RV32 only. */
	{ NAMES("*_RV32*", "AES32*", "SHA512*H", "SHA512*L", "SHA512*R",
		"FMVH_X_D", "FMVP_D_X"),
	  FORM_UNSUPPORTED },
	{ NAMES("Insn*"), FORM_PSEUDO },
};

/* The last letter names the type; of conversions, the source's. */
static const struct name_rule domain_rules[] = {
	{ NAMES("F*_S"), DOMAIN_FP32 },
	{ NAMES("F*_D"), DOMAIN_FP64 },
	{ NAMES("F*_H", "F*_BF16"), DOMAIN_FP16 },
};

/* VSETVLI and similar forms set state; every kernel sets the state it needs. 
 * vtype 0xd0 is e32, m1, ta, ma. */
static void pin_vector_type(struct form *f, struct operand *ops)
{
	enum { E32_M1 = 0xd0 };

	f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	if (f->n_explicit > 2 && ops[2].kind == OPERAND_IMM)
		operand_pin(&ops[2], E32_M1);
}

static enum form_status classify_vector(struct form *f, struct operand *ops)
{
	if (name_matches("VSET*", f->name)) {
		pin_vector_type(f, ops);
		return FORM_MEASURABLE;
	}
	if (!f->variant)
		return FORM_MEASURABLE;
	/* Saturation is sticky, and no form reads it. */
	f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	f->domain = (uint8_t)riscv64_vector_domain(f);
	return FORM_MEASURABLE;
}

static enum form_status classify_form(struct form *f, struct operand *ops)
{
	int status = name_rule(refused, ARRAY_LEN(refused), f->name,
			       FORM_MEASURABLE);
	/* Only FLI (a constant) and FCVTMOD (round to zero) have another
	 * immediate than the rounding mode. */
	bool rounds = f->name[0] == 'F' && !name_matches("FLI_*", f->name) &&
		      !name_matches("FCVTMOD_*", f->name);

	if (status == FORM_MEASURABLE)
		status = riscv64_system_status(f->name);
	f->domain = (uint8_t)name_rule(domain_rules, ARRAY_LEN(domain_rules),
				       f->name, DOMAIN_INT);
	if (status != FORM_MEASURABLE)
		return (enum form_status)status;
	if (f->name[0] == 'V')
		return classify_vector(f, ops);
	for (unsigned i = 0; rounds && i < f->n_explicit; i++)
		if (ops[i].kind == OPERAND_IMM)
			operand_pin(&ops[i], FRM_DYNAMIC);
	return FORM_MEASURABLE;
}

/* addi x31, x31, -1; beqz x31, +8; jal x0, loop; ret.  One bnez is enough for a
 * short body, but the loop must cost the same at every length. */
static size_t loop_end(size_t body_bytes, bool flagless, unsigned char *code,
		       size_t room)
{
	enum { BYTES = 16, JAL_RANGE = 1 << 20 };

	(void)flagless;
	if (room < BYTES || body_bytes % 2 != 0 || body_bytes + 8 > JAL_RANGE)
		return 0;
	values_put32(code, 0xfff00013u | X31 << 15 | X31 << 7);
	values_put32(code + 4, 0x00000463u | X31 << 15);
	values_put32(code + 8, riscv64_jump(0u - (uint32_t)(body_bytes + 8)));
	values_put32(code + 12, 0x00008067u);
	return BYTES;
}

static void init_image(enum form_domain domain, struct pack_image *image)
{
	values_fill(domain, image);
	for (size_t i = 0; i < ARRAY_LEN(image->fp); i++)
		image->fp[i] = values_boxed_one(domain);
}

/* Ratified extensions that go with RV64GC. */
#define RATIFIED                                                      \
	"+m,+a,+f,+d,+c,+v,+zba,+zbb,+zbc,+zbs,+zbkb,+zbkc,+zbkx,"    \
	"+zknd,+zkne,+zknh,+zksed,+zksh,+zicond,+zfa,+zfh,+zfbfmin,"  \
	"+zvfh,+zcb,+zcmop,+zimop,+zabha,+experimental-zacas,+zawrs," \
	"+zicbom,+zicbop,+zicboz,+zicsr,+zifencei,+zihintntl,"        \
	"+zihintpause,+h,+svinval,+zvbb,+zvbc,+zvkg,+zvkned,+zvknhb," \
	"+zvksed,+zvksh,+zvfbfmin,+zvfbfwma"

/* Custom opcodes that clash with nothing ratified: T-Head's, and of drafts that LLVM
 * 22 knows. */
#define VENDORS                                                     \
	",+xtheadba,+xtheadbb,+xtheadbs,+xtheadcmo,+xtheadcondmov," \
	"+xtheadfmemidx,+xtheadmac,+xtheadmemidx,+xtheadmempair,"   \
	"+xtheadsync,+experimental-p,+zilsd,+experimental-zvfbfa,"  \
	"+experimental-zvkgs,+experimental-zibi,+experimental-zvfofp8min"

/* A zero, then the value that the source must hold.  Sums and products may be
 * forwarded to each other sooner than to divisions.  Where there is no
 * multiplier, there is no division. */
static const struct isa_carrier carriers[] = {
	{ BANK_GPR, "AND@1>0+OR@1>0+MUL@1>0", 1 },
	{ BANK_GPR, "AND@1>0+OR@1>0+MUL/wide@1>0", RISCV64_WIDE_NUMBER },
	{ BANK_GPR, "AND@1>0+OR@1>0", 0 },
	{ BANK_FP, "FMIN_D@1>0+FMAX_D@1>0", 0 },
	{ BANK_FP, "FMIN_S@1>0+FMAX_S@1>0", 0 },
	{ BANK_FP, "FMIN_H@1>0+FMAX_H@1>0", 0 },
	{ BANK_NONE, NULL, 0 },
};

/* No-operations may take no entry, or two may share one; instructions that
 * write a register need a register, too. */
static const struct isa_window window_list[] = {
	{ ISA_LOAD_BUFFER, "LD" },
	{ ISA_LOAD_BUFFER, "FLD" },
	{ ISA_REORDER_BUFFER, "C_NOP" },
	{ ISA_REORDER_BUFFER, "C_NOP+ADDI" },
	{ ISA_REORDER_BUFFER, "C_NOP+FSGNJ_D+ADDI" },
	{ NULL, NULL },
};

static const struct isa_windows windows = {
	.chain = "FDIV_D@1>0",
	.list = window_list,
	.general = "ADD@1>0",
};

/* A product, a sum that waits for it, and what stands behind. */
#define DECOUPLED_FP(behind) "FMUL_D@1>0+FADD_D@1>0+" behind

static const struct isa_register_file register_files[] = {
	{ "f*#", "prefix", "f" }, { "v#", "prefix", "v" },
	{ "a#", "name", "gpr" },  { "t#", "name", "gpr" },
	{ "s#", "name", "gpr" },  { "zero", "name", "gpr" },
	{ "ra", "name", "gpr" },  { "sp", "name", "gpr" },
	{ "gp", "name", "gpr" },  { "tp", "name", "gpr" },
	{ NULL, NULL, NULL },
};

const struct isa isa_riscv64 = {
	.name = "riscv64",
	.osaca_name = "riscv",
	.register_files = register_files,
	.width_suffixes = "",
	.spellings = riscv64_spellings,
	.typed_names = riscv64_typed_names,
	.used = riscv64_used,
	.renamed = riscv64_renamed,
	/* At most a screen of them, for what is shown first: what most
	 * programs are made of, additions, products, quotients, loads, stores,
	 * and vectors. A CPU may lack some. */
	.familiar = NAMES("ADD", "ADDI", "ADDW", "SLL", "SLT", "SH1ADD", "CPOP",
			  "MUL", "MULH", "DIV/fast", "DIV/slow", "LD", "SD",
			  "AMOADD_D", "FADD_D", "FMUL_D", "FMADD_D",
			  "FDIV_D/slow", "VADD_VV/e32,m1", "VFMACC_VV/e64,m1",
			  "VRGATHER_VV/e32,m1", "VLE32_V/e32,m1",
			  "VSE32_V/e32,m1", "VLUXEI32_V/e32,m1"),
	.triple = "riscv64-unknown-linux-gnu",
	.pack_isa = PACK_ISA_RISCV64,
	.default_cpu = "generic-rv64",
	.usual_cpu = "sifive-u74",
	.features = RATIFIED,
	.plain_features = RATIFIED,
	/* With Zcb a `mul` would become `c.mul`, which few cores have. */
	.assembler_features = RATIFIED ",-zcb",
	.vendor_features = VENDORS,
	.taken_features = "",
	.pointer_class = "",
	.stack_pointer = SP,
	.counter = X31,
	.counter_flagless = X31,
	/* No announced core decodes more than ten. */
	.max_issue_width = 12,
	.calibration = { .chain_a = "ADD", .chain_b = "XOR", .probe = "C_NOP" },
	.widest =
		NAMES("mix:C_NOP", "mix:ADDI", "mix:ADDI+C_NOP", "mix:2xADD+LD",
		      "mix:2xADD+LD+FSGNJ_D", "mix:4xADD+2xLD+2xFSGNJ_D",
		      "mix:4xADD+2xLD+2xFSGNJ_D+2xC_NOP", "iteration:C_NOP"),
	.iteration = { "C_NOP", 18, 2, false },
	.bridges = NAMES("FMV_D_X", "FMV_X_D", "FMV_W_X", "FMV_X_W"),
	.in_order = "MUL@1>0+ADD@1>0",
	.decoupled = NAMES(
		"MUL@1>0+ADD@1>0+~9xADDI", DECOUPLED_FP("~9xADDI"),
		DECOUPLED_FP("~FADD_D+~9xADDI"),
		DECOUPLED_FP("~FADD_D+~FADD_D+~9xADDI"),
		DECOUPLED_FP("~FADD_D+~FADD_D+~FADD_D+~FADD_D+~9xADDI"),
		DECOUPLED_FP("~FLD+~9xADDI"), DECOUPLED_FP("~FSD+~9xADDI"),
		DECOUPLED_FP("~FMV_D_X+~9xADDI"),
		DECOUPLED_FP("~FMV_X_D+~9xADDI"), DECOUPLED_FP("~LD+~9xADDI"),
		DECOUPLED_FP("~SD+~9xADDI"), DECOUPLED_FP("~MUL+~9xADDI"),
		"FMUL_D@1>0+FSD+~FLD+~9xADDI",
		"FLD@1>0+FADD_D@1>0+~FADD_D+~9xADDI"),
	.forwarding = NAMES("FADD_D@1>0", "FMUL_D@1>0", "FMADD_D@1>0",
			    "FMADD_D@3>0", "FSGNJ_D@1>0", "FADD_S@1>0",
			    "FMUL_S@1>0", "FMADD_S@1>0", "FMADD_S@3>0"),
	.windows = &windows,
	.barrier = { 4, { 0x0f, 0x10, 0x00, 0x00 } }, /* fence.i */
	.padding = { 2, { 0x01, 0x00 } },
	.classify_reg = classify_reg,
	.variants = riscv64_variants,
	.families = riscv64_families,
	.straddles = riscv64_straddles,
	.operand_value = riscv64_operand_value,
	.vary = riscv64_vary,
	.carriers = carriers,
	.surround = &riscv64_surround,
	.classify_form = classify_form,
	.memory = &riscv64_memory,
	.loop = &riscv64_loop,
	.stream = &riscv64_stream,
	.guest = &riscv64_guest,
	.rules = riscv64_rules,
	.system = riscv64_system,
	.usual_numbers = riscv64_usual_numbers,
	.value_words = riscv64_value_words,
	.open_address = riscv64_open_address,
	.variant_features = riscv64_variant_features,
	.loop_end = loop_end,
	.frame = &riscv64_frame,
	.table_names = riscv64_table_names,
	.prologue = riscv64_prologue,
	.clash = riscv64_clash,
	.init_image = init_image,
};
