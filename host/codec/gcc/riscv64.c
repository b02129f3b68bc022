/* GCC's types and modes of RISC-V opcodes.  Facts: the attributes of the
 * instructions in gcc/config/riscv/{riscv,bitmanip,crypto,zicond,sync,vector,
 * vector-crypto}.md of GCC 14.2, by the assembly that each prints. */
#include <stdlib.h>
#include <string.h>

#include "host/codec/gcc/gcc.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"

#define ROW(its_type, its_rule, ...)                         \
	{                                                    \
		NAMES(__VA_ARGS__), its_type, its_rule, NULL \
	}
#define GIVEN(its_type, its_mode, ...)                            \
	{                                                         \
		NAMES(__VA_ARGS__), its_type, GCC_GIVEN, its_mode \
	}

static const struct gcc_row rows[] = {
	ROW("move", GCC_NO_MODE, "C_MV"),
	ROW("const", GCC_NO_MODE, "LUI", "C_LUI", "C_LI"),
	ROW("auipc", GCC_NO_MODE, "AUIPC"),
	ROW("nop", GCC_NO_MODE, "C_NOP"),
	ROW("arith", GCC_WORD, "ADD", "ADDI", "ADDW", "ADDIW", "SUB", "SUBW",
	    "C_ADD", "C_ADDI", "C_ADDW", "C_ADDIW", "C_SUB", "C_SUBW"),
	ROW("logical", GCC_NO_MODE, "AND", "ANDI", "OR", "ORI", "XOR", "XORI",
	    "C_AND", "C_ANDI", "C_OR", "C_XOR", "C_NOT", "C_ZEXT_B"),
	ROW("shift", GCC_WORD, "SLL", "SLLI", "SLLW", "SLLIW", "SRL", "SRLI",
	    "SRLW", "SRLIW", "SRA", "SRAI", "SRAW", "SRAIW", "C_SLLI", "C_SRLI",
	    "C_SRAI"),
	ROW("slt", GCC_NO_MODE, "SLT", "SLTI", "SLTU", "SLTIU"),
	ROW("imul", GCC_WORD, "MUL", "MULH", "MULHU", "MULHSU", "MULW",
	    "C_MUL"),
	ROW("idiv", GCC_WORD, "DIV", "DIVU", "DIVW", "DIVUW", "REM", "REMU",
	    "REMW", "REMUW"),
	ROW("branch", GCC_NO_MODE, "BEQ", "BNE", "BLT", "BLTU", "BGE", "BGEU",
	    "C_BEQZ", "C_BNEZ"),
	ROW("jump", GCC_NO_MODE, "JAL", "C_J"),
	ROW("jalr", GCC_NO_MODE, "JALR", "C_JR"),
	ROW("load", GCC_NO_MODE, "LB", "LBU", "LH", "LHU", "LW", "LWU", "LD",
	    "C_LBU", "C_LH", "C_LHU", "C_LW", "C_LD"),
	GIVEN("store", "QI", "SB", "C_SB"),
	GIVEN("store", "HI", "SH", "C_SH"),
	GIVEN("store", "SI", "SW", "C_SW"),
	GIVEN("store", "DI", "SD", "C_SD"),
	GIVEN("fpload", "HF", "FLH"),
	GIVEN("fpload", "SF", "FLW"),
	GIVEN("fpload", "DF", "FLD", "C_FLD"),
	GIVEN("fpstore", "HF", "FSH"),
	GIVEN("fpstore", "SF", "FSW"),
	GIVEN("fpstore", "DF", "FSD", "C_FSD"),
	ROW("atomic", GCC_NO_MODE, "AMO*"),
	/* Zba, Zbb, Zbs, Zbc, Zbk, Zk, Zicond */
	ROW("clz", GCC_WORD, "CLZ", "CLZW"),
	ROW("ctz", GCC_WORD, "CTZ", "CTZW"),
	ROW("cpop", GCC_WORD, "CPOP", "CPOPW"),
	ROW("min", GCC_NO_MODE, "MIN"),
	ROW("minu", GCC_NO_MODE, "MINU"),
	ROW("max", GCC_NO_MODE, "MAX"),
	ROW("maxu", GCC_NO_MODE, "MAXU"),
	ROW("clmul", GCC_NO_MODE, "CLMUL", "CLMULH", "CLMULR"),
	ROW("zicond", GCC_NO_MODE, "CZERO_EQZ", "CZERO_NEZ"),
	ROW("bitmanip", GCC_NO_MODE, "SH#ADD", "SH#ADD_UW", "ADD_UW", "SLLI_UW",
	    "ANDN", "ORN", "XNOR", "ROL", "ROLW", "ROR", "RORW", "RORI",
	    "RORIW", "ORC_B", "REV8_RV64", "BSET", "BSETI", "BCLR", "BCLRI",
	    "BINV", "BINVI", "BEXT", "BEXTI", "SEXT_B", "SEXT_H", "ZEXT_H_RV64",
	    "C_SEXT_B", "C_SEXT_H", "C_ZEXT_H", "C_ZEXT_W"),
	ROW("crypto", GCC_NO_MODE, "BREV8", "PACK", "PACKH", "PACKW", "XPERM#",
	    "AES64*", "SHA256*", "SHA512*", "SM3P#", "SM4ED", "SM4KS"),
	/* F, D, Zfh, Zfa */
	ROW("fadd", GCC_FIRST, "FADD_*", "FSUB_*"),
	ROW("fmul", GCC_FIRST, "FMUL_*"),
	ROW("fmadd", GCC_FIRST, "FMADD_*", "FMSUB_*", "FNMADD_*", "FNMSUB_*"),
	ROW("fdiv", GCC_FIRST, "FDIV_*"),
	ROW("fsqrt", GCC_FIRST, "FSQRT_*"),
	ROW("fcmp", GCC_FIRST, "FEQ_*", "FLT_*", "FLE_*", "FLTQ_*", "FLEQ_*"),
	ROW("fmove", GCC_FIRST, "FSGNJ_*", "FSGNJN_*", "FSGNJX_*", "FMIN_*",
	    "FMAX_*", "FMINM_*", "FMAXM_*"),
	ROW("mtc", GCC_FIRST, "FMV_H_X", "FMV_W_X", "FMV_D_X"),
	ROW("mfc", GCC_LAST, "FMV_X_H", "FMV_X_W", "FMV_X_D"),
	ROW("fcvt_i2f", GCC_FIRST, "FCVT_H_W", "FCVT_H_WU", "FCVT_H_L",
	    "FCVT_H_LU", "FCVT_S_W", "FCVT_S_WU", "FCVT_S_L", "FCVT_S_LU",
	    "FCVT_D_W", "FCVT_D_WU", "FCVT_D_L", "FCVT_D_LU"),
	ROW("fcvt_f2i", GCC_LAST, "FCVT_W_*", "FCVT_WU_*", "FCVT_L_*",
	    "FCVT_LU_*"),
	ROW("fcvt", GCC_FIRST, "FCVT_H_S", "FCVT_H_D", "FCVT_S_H", "FCVT_S_D",
	    "FCVT_D_H", "FCVT_D_S", "FROUND_*", "FROUNDNX_*"),
	/* V: configuration, loads and stores */
	ROW("vsetvl", GCC_NO_MODE, "VSETVL", "VSETVLI", "VSETIVLI"),
	ROW("vlde", GCC_VECTOR, "VLE#_V"),
	ROW("vldff", GCC_VECTOR, "VLE#FF_V"),
	ROW("vste", GCC_VECTOR, "VSE#_V"),
	ROW("vldm", GCC_MASK, "VLM_V"),
	ROW("vstm", GCC_MASK, "VSM_V"),
	ROW("vlds", GCC_VECTOR, "VLSE#_V"),
	ROW("vsts", GCC_VECTOR, "VSSE#_V"),
	ROW("vldux", GCC_VECTOR, "VLUXEI#_V"),
	ROW("vldox", GCC_VECTOR, "VLOXEI#_V"),
	ROW("vstux", GCC_VECTOR, "VSUXEI#_V"),
	ROW("vstox", GCC_VECTOR, "VSOXEI#_V"),
	ROW("vldr", GCC_REGISTERS, "VL#RE#_V"),
	ROW("vstr", GCC_REGISTERS, "VS#R_V"),
	ROW("vlsegde", GCC_TUPLE, "VLSEG#E#_V"),
	ROW("vlsegdff", GCC_TUPLE, "VLSEG#E#FF_V"),
	ROW("vssegte", GCC_TUPLE, "VSSEG#E#_V"),
	ROW("vlsegds", GCC_TUPLE, "VLSSEG#E#_V"),
	ROW("vssegts", GCC_TUPLE, "VSSSEG#E#_V"),
	ROW("vlsegdux", GCC_TUPLE, "VLUXSEG#EI#_V"),
	ROW("vlsegdox", GCC_TUPLE, "VLOXSEG#EI#_V"),
	ROW("vssegtux", GCC_TUPLE, "VSUXSEG#EI#_V"),
	ROW("vssegtox", GCC_TUPLE, "VSOXSEG#EI#_V"),
	/* integers */
	ROW("vialu", GCC_VECTOR, "VADD_*", "VSUB_*", "VRSUB_*", "VAND_*",
	    "VOR_*", "VXOR_*"),
	ROW("viwalu", GCC_VECTOR, "VWADD_*", "VWADDU_*", "VWSUB_*", "VWSUBU_*"),
	ROW("vext", GCC_VECTOR, "VZEXT_*", "VSEXT_*"),
	ROW("vicalu", GCC_VECTOR, "VADC_*", "VSBC_*", "VMADC_*", "VMSBC_*"),
	ROW("vshift", GCC_VECTOR, "VSLL_*", "VSRL_*", "VSRA_*"),
	ROW("vnshift", GCC_VECTOR, "VNSRL_*", "VNSRA_*"),
	ROW("vicmp", GCC_VECTOR, "VMSEQ_*", "VMSNE_*", "VMSLT_*", "VMSLTU_*",
	    "VMSLE_*", "VMSLEU_*", "VMSGT_*", "VMSGTU_*"),
	ROW("viminmax", GCC_VECTOR, "VMIN_*", "VMINU_*", "VMAX_*", "VMAXU_*"),
	ROW("vimul", GCC_VECTOR, "VMUL_*", "VMULH_*", "VMULHU_*", "VMULHSU_*"),
	ROW("vidiv", GCC_VECTOR, "VDIV_*", "VDIVU_*", "VREM_*", "VREMU_*"),
	ROW("viwmul", GCC_VECTOR, "VWMUL_*", "VWMULU_*", "VWMULSU_*"),
	ROW("vimuladd", GCC_VECTOR, "VMACC_*", "VNMSAC_*", "VMADD_*",
	    "VNMSUB_*"),
	ROW("viwmuladd", GCC_VECTOR, "VWMACC_*", "VWMACCU_*", "VWMACCSU_*",
	    "VWMACCUS_*"),
	ROW("vimerge", GCC_VECTOR, "VMERGE_*"),
	ROW("vimov", GCC_VECTOR, "VMV_V_*"),
	ROW("vsalu", GCC_VECTOR, "VSADD_*", "VSADDU_*", "VSSUB_*", "VSSUBU_*"),
	ROW("vaalu", GCC_VECTOR, "VAADD_*", "VAADDU_*", "VASUB_*", "VASUBU_*"),
	ROW("vsmul", GCC_VECTOR, "VSMUL_*"),
	ROW("vsshift", GCC_VECTOR, "VSSRL_*", "VSSRA_*"),
	ROW("vnclip", GCC_VECTOR, "VNCLIP_*", "VNCLIPU_*"),
	/* floating point */
	ROW("vfalu", GCC_VECTOR, "VFADD_*", "VFSUB_*", "VFRSUB_*"),
	ROW("vfwalu", GCC_VECTOR, "VFWADD_*", "VFWSUB_*"),
	ROW("vfmul", GCC_VECTOR, "VFMUL_*"),
	ROW("vfdiv", GCC_VECTOR, "VFDIV_*", "VFRDIV_*"),
	ROW("vfwmul", GCC_VECTOR, "VFWMUL_*"),
	ROW("vfmuladd", GCC_VECTOR, "VFMACC_*", "VFNMACC_*", "VFMSAC_*",
	    "VFNMSAC_*", "VFMADD_*", "VFNMADD_*", "VFMSUB_*", "VFNMSUB_*"),
	ROW("vfwmuladd", GCC_VECTOR, "VFWMACC_*", "VFWNMACC_*", "VFWMSAC_*",
	    "VFWNMSAC_*"),
	ROW("vfsqrt", GCC_VECTOR, "VFSQRT_V"),
	ROW("vfrecp", GCC_VECTOR, "VFRSQRT7_V", "VFREC7_V"),
	ROW("vfcmp", GCC_VECTOR, "VMFEQ_*", "VMFNE_*", "VMFLT_*", "VMFLE_*",
	    "VMFGT_*", "VMFGE_*"),
	ROW("vfminmax", GCC_VECTOR, "VFMIN_*", "VFMAX_*"),
	ROW("vfsgnj", GCC_VECTOR, "VFSGNJ_*", "VFSGNJN_*", "VFSGNJX_*"),
	ROW("vfclass", GCC_VECTOR, "VFCLASS_V"),
	ROW("vfmerge", GCC_VECTOR, "VFMERGE_*"),
	ROW("vfmov", GCC_VECTOR, "VFMV_V_F"),
	ROW("vfcvtitof", GCC_VECTOR, "VFCVT_F_*"),
	ROW("vfcvtftoi", GCC_VECTOR, "VFCVT_*"),
	ROW("vfwcvtftof", GCC_VECTOR, "VFWCVT_F_F_V"),
	ROW("vfwcvtitof", GCC_VECTOR, "VFWCVT_F_*"),
	ROW("vfwcvtftoi", GCC_VECTOR, "VFWCVT_*"),
	ROW("vfncvtftof", GCC_VECTOR, "VFNCVT_F_F_W", "VFNCVT_ROD_*"),
	ROW("vfncvtitof", GCC_VECTOR, "VFNCVT_F_*"),
	ROW("vfncvtftoi", GCC_VECTOR, "VFNCVT_*"),
	/* reductions, masks, permutations */
	ROW("vired", GCC_VECTOR, "VRED*_VS"),
	ROW("viwred", GCC_VECTOR, "VWRED*_VS"),
	ROW("vfredo", GCC_VECTOR, "VFREDOSUM_VS"),
	ROW("vfredu", GCC_VECTOR, "VFRED*_VS"),
	ROW("vfwredo", GCC_VECTOR, "VFWREDOSUM_VS"),
	ROW("vfwredu", GCC_VECTOR, "VFWREDUSUM_VS"),
	ROW("vmalu", GCC_MASK, "VM*_MM"),
	ROW("vmpop", GCC_MASK, "VCPOP_M"),
	ROW("vmffs", GCC_MASK, "VFIRST_M"),
	ROW("vmsfs", GCC_MASK, "VMSBF_M", "VMSIF_M", "VMSOF_M"),
	ROW("vmiota", GCC_VECTOR, "VIOTA_M"),
	ROW("vmidx", GCC_VECTOR, "VID_V"),
	ROW("vimovvx", GCC_VECTOR, "VMV_X_S"),
	ROW("vimovxv", GCC_VECTOR, "VMV_S_X"),
	ROW("vfmovvf", GCC_VECTOR, "VFMV_F_S"),
	ROW("vfmovfv", GCC_VECTOR, "VFMV_S_F"),
	ROW("vslideup", GCC_VECTOR, "VSLIDEUP_*"),
	ROW("vslidedown", GCC_VECTOR, "VSLIDEDOWN_*"),
	ROW("vislide1up", GCC_VECTOR, "VSLIDE1UP_*"),
	ROW("vislide1down", GCC_VECTOR, "VSLIDE1DOWN_*"),
	ROW("vfslide1up", GCC_VECTOR, "VFSLIDE1UP_*"),
	ROW("vfslide1down", GCC_VECTOR, "VFSLIDE1DOWN_*"),
	ROW("vgather", GCC_VECTOR, "VRGATHER*"),
	ROW("vcompress", GCC_VECTOR, "VCOMPRESS_VM"),
	ROW("vmov", GCC_REGISTERS, "VMV#R_V"),
	/* Zvbb, Zvbc, Zvkg, Zvkn, Zvks */
	ROW("vandn", GCC_VECTOR, "VANDN_*"),
	ROW("vbrev", GCC_VECTOR, "VBREV_V"),
	ROW("vbrev8", GCC_VECTOR, "VBREV8_V"),
	ROW("vrev8", GCC_VECTOR, "VREV8_V"),
	ROW("vclz", GCC_VECTOR, "VCLZ_V"),
	ROW("vctz", GCC_VECTOR, "VCTZ_V"),
	ROW("vcpop", GCC_VECTOR, "VCPOP_V"),
	ROW("vrol", GCC_VECTOR, "VROL_*"),
	ROW("vror", GCC_VECTOR, "VROR_*"),
	ROW("vwsll", GCC_VECTOR, "VWSLL_*"),
	ROW("vclmul", GCC_VECTOR, "VCLMUL_*"),
	ROW("vclmulh", GCC_VECTOR, "VCLMULH_*"),
	ROW("vghsh", GCC_VECTOR, "VGHSH_VV"),
	ROW("vgmul", GCC_VECTOR, "VGMUL_VV"),
	ROW("vaesef", GCC_VECTOR, "VAESEF_*"),
	ROW("vaesem", GCC_VECTOR, "VAESEM_*"),
	ROW("vaesdf", GCC_VECTOR, "VAESDF_*"),
	ROW("vaesdm", GCC_VECTOR, "VAESDM_*"),
	ROW("vaesz", GCC_VECTOR, "VAESZ_VS"),
	ROW("vaeskf1", GCC_VECTOR, "VAESKF1_VI"),
	ROW("vaeskf2", GCC_VECTOR, "VAESKF2_VI"),
	ROW("vsha2ms", GCC_VECTOR, "VSHA2MS_VV"),
	ROW("vsha2ch", GCC_VECTOR, "VSHA2CH_VV"),
	ROW("vsha2cl", GCC_VECTOR, "VSHA2CL_VV"),
	ROW("vsm4k", GCC_VECTOR, "VSM4K_VI"),
	ROW("vsm4r", GCC_VECTOR, "VSM4R_*"),
	ROW("vsm3me", GCC_VECTOR, "VSM3ME_VV"),
	ROW("vsm3c", GCC_VECTOR, "VSM3C_VI"),
};

/* ---- modes --------------------------------------------------------------- */

static const char *scalar_mode(char letter)
{
	switch (letter) {
	case 'H':
		return "HF";
	case 'S':
	case 'W': /* fmv.w.x */
		return "SF";
	case 'D':
		return "DF";
	default:
		return NULL;
	}
}

/* vtype, section 3.4 of the V extension's specification. */
static int log2_lmul(const struct variant *v)
{
	int vlmul = v->vector_type & 7;

	return vlmul < 4 ? vlmul : vlmul - 8;
}

static int log2_sew(const struct variant *v)
{
	return 3 + (v->vector_type >> 3 & 7);
}

static const char *lmul_text(struct arena *a, int log2)
{
	return arena_printf(a, log2 < 0 ? "MF%d" : "M%d",
			    1 << (log2 < 0 ? -log2 : log2));
}

/* Elements of integers and of floating point of this size; `between` is "" or
 * "xN" for N registers. */
static const char *vector_modes(struct arena *a, int lmul, const char *between,
				int sew)
{
	static const char *const sizes[][2] = {
		{ "QI", NULL }, { "HI", "HF" }, { "SI", "SF" }, { "DI", "DF" }
	};
	const char *m = lmul_text(a, lmul), *const * size;

	if (sew < 3 || (size_t)sew - 3 >= ARRAY_LEN(sizes))
		return NULL;
	size = sizes[sew - 3];
	return size[1] ? arena_printf(a, "RVV%s%s%s,RVV%s%s%s", m, between,
				      size[0], m, between, size[1])
		       : arena_printf(a, "RVV%s%s%s", m, between, size[0]);
}

/* All of an LMUL: a whole register has no element size. */
static const char *register_modes(struct arena *a, const char *opcode)
{
	long n = strtol(opcode + strcspn(opcode, "0123456789"), NULL, 10);
	int log2 = 0;
	const char *all = "";

	while (1L << log2 < n)
		log2++;
	for (int sew = 3; sew <= 6; sew++)
		all = arena_printf(a, "%s%s%s", all, sew > 3 ? "," : "",
				   vector_modes(a, log2, "", sew));
	return all;
}

static const char *vector_mode(struct arena *a, const struct variant *v,
			       const char *opcode, enum gcc_mode_rule rule)
{
	const char *n = opcode + strcspn(opcode, "0123456789");
	const char *between = "";
	int ratio = log2_sew(v) - log2_lmul(v);

	if (rule == GCC_MASK) /* one mode for each number of bits */
		return arena_printf(a, ratio > 0 ? "RVVMF%dBI" : "RVVM%dBI",
				    1 << (ratio > 0 ? ratio : 0));
	if (rule == GCC_TUPLE)
		between = arena_printf(a, "x%ld", strtol(n, NULL, 10));
	return vector_modes(a, log2_lmul(v), between, log2_sew(v));
}

static const char *find_mode(struct arena *a, const struct form *f,
			     const struct gcc_row *row)
{
	char room[OPCODE_ROOM];
	const char *opcode = name_opcode(f->name, room);
	size_t n = strlen(opcode);

	switch (row->rule) {
	case GCC_NO_MODE:
		return NULL;
	case GCC_GIVEN:
		return row->mode;
	case GCC_WORD:
		return n > 0 && opcode[n - 1] == 'W' ? "SI" : "DI";
	case GCC_FIRST:
		return strchr(opcode, '_') ? scalar_mode(strchr(opcode, '_')[1])
					   : NULL;
	case GCC_LAST:
		return n > 0 ? scalar_mode(opcode[n - 1]) : NULL;
	case GCC_REGISTERS:
		return register_modes(a, opcode);
	default:
		return f->variant && form_family(f) == FAMILY_VECTOR
			       ? vector_mode(a, f->variant, opcode, row->rule)
			       : NULL;
	}
}

const struct gcc_types gcc_types_riscv64 = {
	.isa = "riscv64",
	.n = ARRAY_LEN(rows),
	.rows = rows,
	.mode = find_mode,
};
