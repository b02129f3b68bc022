/* AArch64: system instructions: why each is no ordinary form, and those that can be
 * measured all the same (host/isa/system.h).  Arm ARM (DDI 0487), C5. */
#include <string.h>

#include "host/isa/aarch64.h"
#include "host/isa/instance.h"
#include "host/isa/mc.h"
#include "host/isa/surround.h"
#include "host/isa/system.h"
#include "host/isa/values.h"

/* The first row that matches counts. */
static const struct name_rule reasons[] = {
	{ NAMES("*_STRIDED*", "LDR_TX", "STR_TX", "*_*ZTZI_*", "*_*ZZT2Z",
		"ZERO_T", "ZERO_MXI*"),
	  FORM_MATRIX },
	/* Pointer authentication that faults or works on the link register,
	 * guarded control stacks, memory tags. */
	{ NAMES("GCS*", "CHKFEAT", "IRG*", "AUT*", "XPACLRI", "PACI*SP*",
		"PACI*1716*", "PACI*Z", "PACNB*", "PACM", "PACI*1715*"),
	  FORM_PROTECTION },
	{ NAMES("TCOMMIT", "TSTART", "TCANCEL", "TTEST"), FORM_TRANSACTION },
	{ NAMES("ISB", "DSB*", "DMB", "SB", "TSB", "STSHH"), FORM_BARRIER },
	{ NAMES("WFET", "WFIT"), FORM_WAIT },
	{ NAMES("SYSxt", "SYSPxt*"), FORM_CACHE },
	/* Reservations and branch records are no registers by name. */
	{ NAMES("MRS", "MRRS", "MSR*", "SYSLxt", "CLREX", "BRB_*"),
	  FORM_REGISTER },
	/* Entries of translation tables. */
	{ NAMES("RCW*"), FORM_PRIVILEGED },
};

bool aarch64_streams(const char *name)
{
	return name_matches_any(
		NAMES("ADDHA_*", "ADDVA_*", "BFMOPA_MPPZZ", "BFMOPS_MPPZZ",
		      "FMOPA_MPPZZ_S", "FMOPS_MPPZZ_S", "FMOPA_MPPZZ_D",
		      "FMOPS_MPPZZ_D", "FMOPAL_MPPZZ", "FMOPSL_MPPZZ",
		      "SMOPA_MPPZZ_S", "SMOPS_MPPZZ_S", "SMOPA_MPPZZ_D",
		      "SMOPS_MPPZZ_D", "UMOPA_MPPZZ_S", "UMOPS_MPPZZ_S",
		      "UMOPA_MPPZZ_D", "UMOPS_MPPZZ_D", "SUMOP*", "USMOP*",
		      "LD1_MXIPXX_*", "ST1_MXIPXX_*", "INSERT_MXIPZ_*",
		      "EXTRACT_ZPMXI_*", "LDR_ZA", "STR_ZA", "ZERO_M", "RDSVL*",
		      "ADDSVL*", "ADDSPL*"),
		name);
}

enum form_status aarch64_system_status(const char *name)
{
	return (enum form_status)name_rule(reasons, ARRAY_LEN(reasons), name,
					   FORM_MEASURABLE);
}

/* op0, op1, CRn, CRm, op2, as MRS and MSR encode them; SYS is without op0. */
#define OPERATION(op1, n, m, op2)     ((op1) << 11 | (n) << 7 | (m) << 3 | (op2))
#define REGISTER(op0, op1, n, m, op2) ((op0) << 14 | OPERATION(op1, n, m, op2))

const struct variant_rule aarch64_system[] = {
	SYSTEM("DMB", "ish", 11),
	SYSTEM("DMB", "ishld", 9),
	SYSTEM("DMB", "ishst", 10),
	SYSTEM("DMB", "sy", 15),
	SYSTEM("DSB", "ish", 11),
	SYSTEM("DSB", "ishst", 10),
	SYSTEM("DSB", "sy", 15),
	SYSTEM("ISB", "sy", 15),
	SYSTEM("SB", "system", 0),
	SYSTEM("CLREX", "system", 15),
	SYSTEM("MRS", "cntvct", REGISTER(3, 3, 14, 0, 2)),
	SYSTEM("MRS", "cntfrq", REGISTER(3, 3, 14, 0, 0)),
	SYSTEM("MRS", "nzcv", REGISTER(3, 3, 4, 2, 0)),
	SYSTEM("MRS", "fpcr", REGISTER(3, 3, 4, 4, 0)),
	SYSTEM("MRS", "fpsr", REGISTER(3, 3, 4, 4, 1)),
	SYSTEM("MRS", "tpidr", REGISTER(3, 3, 13, 0, 2)),
	SYSTEM("MRS", "dczid", REGISTER(3, 3, 0, 0, 7)),
	SYSTEM("MRS", "pmccntr", REGISTER(3, 3, 9, 13, 0)),
	SYSTEM("MRS", "sctlr", REGISTER(3, 0, 1, 0, 0)),
	/* Zero, as in every kernel: round to nearest, no trap, no flag. */
	SYSTEM("MSR", "nzcv", REGISTER(3, 3, 4, 2, 0)),
	SYSTEM("MSR", "fpcr", REGISTER(3, 3, 4, 4, 0)),
	SYSTEM("MSR", "fpsr", REGISTER(3, 3, 4, 4, 1)),
	SYSTEM_LINES("SYSxt", "dc-cvac,", OPERATION(3, 7, 10, 1)),
	SYSTEM_LINES("SYSxt", "dc-cvau,", OPERATION(3, 7, 11, 1)),
	SYSTEM_LINES("SYSxt", "dc-civac,", OPERATION(3, 7, 14, 1)),
	SYSTEM_LINES("SYSxt", "ic-ivau,", OPERATION(3, 7, 5, 1)),
	/* The entry of the first page, of EL1: the next access reads it. */
	SYSTEM("SYSxt", "tlbi-vaae1", OPERATION(0, 8, 7, 3)),
	{ .names = NULL },
};

/* The parts of an operation are immediates of their own. */
static void shape(const struct catalogue *c, struct form *f,
		  struct operand *ops)
{
	enum { OP1, N, M, OP2, ADDRESS, BITS_3 = 7, BITS_4 = 15 };
	int64_t number = f->variant->number;

	(void)c;
	f->flags = 0;
	if (!name_matches("SYSxt*", f->name)) {
		for (int i = 0; i < f->n_explicit; i++)
			if (ops[i].kind == OPERAND_IMM)
				operand_pin(&ops[i], number);
		return;
	}
	operand_pin(&ops[OP1], number >> 11 & BITS_3);
	operand_pin(&ops[N], number >> 7 & BITS_4);
	operand_pin(&ops[M], number >> 3 & BITS_4);
	operand_pin(&ops[OP2], number & BITS_3);
	if (f->variant->shape == SYSTEM_PLAIN)
		return;
	operand_part(&ops[ADDRESS], ROLE_BASE);
	f->access = ACCESS_LOAD;
}

static bool value(const struct form *f, int operand, enum reg_bank bank,
		  uint8_t ret[VALUE_BYTES])
{
	(void)f;
	values_repeat(0, sizeof(uint64_t), ret);
	return bank == BANK_GPR && operand >= 0;
}

/* ldr xzr, [base] or str xzr, [base] */
static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	enum { BASE_SHIFT = 5 };
	const struct variant *v = i->form->variant;
	uint32_t opcode = v->shape == SYSTEM_READ ? 0xf940001f : 0xf900001f;
	int base = form_part(i->form, ROLE_BASE);

	(void)n;
	if (v->shape != SYSTEM_READ && v->shape != SYSTEM_DIRTY)
		return;
	opcode |= (uint32_t)c->regs[i->reg[base]].index << BASE_SHIFT;
	values_put32(ret->before, opcode);
	ret->n_before = sizeof(opcode);
	ret->n_instructions = 1;
}

const struct isa_family aarch64_system_family = { shape, around, value };
