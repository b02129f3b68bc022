/* RISC-V: variants in addition to opcodes and vector types. */
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/isa.h"
#include "host/isa/layout.h"
#include "host/isa/match.h"
#include "host/isa/riscv64.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

const struct variant_rule riscv64_rules[] = {
	/* `mv` of the assembler: a move, which renamers may eliminate (RISC-V
	 * Unprivileged ISA, 2.4.1). */
	NUMBER_CLASS("zero", 0, 0, 0, "ADDI"),
	TAKEN("BEQ", "BNE", "BLT", "BLTU", "BGE", "BGEU", "C_BEQZ", "C_BNEZ",
	      "C_J", "JAL"),
	TAKEN_CLOSE("BEQ", "C_J", "JAL"),
	TAKEN_DENSE("BEQ", "C_J", "JAL"),
	NOT_TAKEN("BEQ", "BNE", "BLT", "BLTU", "BGE", "BGEU", "C_BEQZ",
		  "C_BNEZ"),
	NEXT("JALR", "C_JR"),
	RETURN("JAL", "JALR"),
	RESERVED("SC_*"),
	{ .names = NULL },
};

/* 12 bits, more than a byte; counts. */
const struct isa_usual_numbers riscv64_usual_numbers[] = {
	{ NAMES("ADDI", "ADDIW", "ANDI", "ORI", "XORI", "SLTI", "SLTIU"),
	  { 0x123 },
	  1 },
	{ NAMES("SLLI", "SRLI", "SRAI", "SLLIW", "SRLIW", "SRAIW", "RORI",
		"RORIW", "C_SLLI", "C_SRLI", "C_SRAI", "SLLI_UW", "BCLRI",
		"BEXTI", "BINVI", "BSETI", "TH_SRRI", "TH_SRRIW", "TH_TST"),
	  { 5 },
	  1 },
	{ .names = NULL },
};

/* Operands that differ between neighbouring instances; riscv64_vary(). */
const struct isa_value_words riscv64_value_words[] = {
	{ NAMES("DIV*/slow", "REM*/slow"),
	  "numbers near the largest, divided by 3" },
	{ NAMES("DIV*", "REM*"), "4 to 7, divided by themselves" },
	{ NAMES("FDIV_*/slow", "FSQRT_*/slow", "FDIV_*/normal",
		"FSQRT_*/normal"),
	  "full mantissas" },
	{ NAMES("FDIV_*/fast", "FSQRT_*/fast", "FDIV_H", "FDIV_S", "FDIV_D",
		"FSQRT_H", "FSQRT_S", "FSQRT_D"),
	  "powers of four" },
	{ NULL, NULL },
};

static bool divides(const struct form *f)
{
	return name_matches_any(
		NAMES("FDIV_*", "FSQRT_*", "VFDIV_*", "VFRDIV*", "VFSQRT_V*"),
		f->name);
}

static bool divides_integers(const struct form *f)
{
	return name_matches_any(NAMES("DIV", "DIVU", "DIVW", "DIVUW", "REM",
				      "REMU", "REMW", "REMUW", "VDIV*",
				      "VREM_V*", "VREMU*"),
				f->name);
}

/* Products whose cost may depend on the width of the factors. */
static bool multiplies(const struct form *f)
{
	return name_is_any(NAMES("MUL", "MULH", "MULHU", "MULHSU"), f->name,
			   strcspn(f->name, "/"));
}

/* Divisions of general registers, whose cost may depend on the values. */
static bool divides_registers(const struct form *f)
{
	return f->name[0] != 'V' &&
	       name_matches_any(NAMES("DIV*", "REM*"), f->name);
}

bool riscv64_vary(const struct form *f, int operand, unsigned k,
		  uint64_t *value)
{
	enum { DIVIDEND = 1, DIVISOR = 2, FEW_BITS = 4 };
	/* Odd numbers with bits at all positions: multipliers of splitmix64 and
	 * others. */
	static const uint64_t wide[ISA_VARIED] = {
		RISCV64_WIDE_NUMBER,
		0xbf58476d1ce4e5b9,
		0x94d049bb133111eb,
		0xd6e8feb86659fd93,
	};

	if (operand != DIVIDEND && operand != DIVISOR)
		return false;
	if (name_matches_any(NAMES("FDIV_*", "FSQRT_*"), f->name))
		return f->operands[operand].kind == OPERAND_REG &&
		       values_float(f, k + (operand == DIVISOR), value);
	if (multiplies(f) && form_family(f) == FAMILY_WIDE) {
		*value = wide[(k + (operand == DIVISOR)) % ISA_VARIED];
		return true;
	}
	if (!divides_registers(f))
		return false;
	if (form_family(f) != FAMILY_SLOW)
		*value = FEW_BITS + k;
	else if (operand == DIVIDEND)
		*value -= 2 * (uint64_t)k;
	return true;
}

/* The result in the register of a source, which is known by its number. */
#define SAME_REGISTER(text, source)                             \
	{                                                       \
		.suffix = text, .family = FAMILY_SAME_REGISTER, \
		.shape = source, .reshapes = true               \
	}

/* Of a product with a sum, that of a factor: Horner's rule. */
static const struct variant same_factor = SAME_REGISTER("same-factor", 1);

static const struct name_rule accumulating[] = {
	{ NAMES("FMADD_*", "FMSUB_*", "FNMADD_*", "FNMSUB_*"), 3 },
	{ NAMES("FADD_*", "FSUB_*", "FMUL_*", "FMIN_*", "FMAX_*", "FSGNJ_*",
		"FSGNJN_*", "FSGNJX_*"),
	  1 },
};

/* Floats as sums are written: the result goes to the register of a source, of a
 * product with a sum that of the addend.  NULL: the form has no such
 * variant. */
static const struct variant *accumulates(const struct form *f)
{
	static const struct variant first = SAME_REGISTER("same-register", 1),
				    addend = SAME_REGISTER("same-register", 3);
	size_t n = strcspn(f->name, "/");

	/* Others, "_INX", have floats in general registers. */
	switch (n > 2 && f->name[n - 2] == '_'
			? name_rule(accumulating, ARRAY_LEN(accumulating),
				    f->name, 0)
			: 0) {
	case 1:
		return &first;
	case 3:
		return &addend;
	default:
		return NULL;
	}
}

/* vl, and the policies for elements that are not computed.  Policies that keep
 * them make the result a source; groups of more than two registers leave too
 * few registers for rotation. */
static void policies(const struct form *f, struct variant_list *ret)
{
	static const struct variant one = { .suffix = "vl1",
					    .family = FAMILY_ONE_ELEMENT },
				    tail = { .suffix = "tu",
					     .family = FAMILY_TAIL },
				    inactive = { .suffix = "mu",
						 .family = FAMILY_INACTIVE };
	enum { LMUL = 7, M2 = 1, MF8 = 5 };
	int lmul;

	if (form_family(f) != FAMILY_VECTOR)
		return;
	lmul = f->variant->vector_type & LMUL;
	variant_add(ret, &one);
	if (lmul > M2 && lmul < MF8)
		return;
	variant_add(ret, &tail);
	if (f->variant->masked)
		variant_add(ret, &inactive);
}

static const struct name_rule sizes[] = {
	{ NAMES("LH", "LHU", "SH", "FLH", "FSH"), 2 },
	{ NAMES("LW", "LWU", "SW", "FLW", "FSW", "C_LW", "C_SW"), 4 },
	{ NAMES("LD", "SD", "FLD", "FSD", "C_LD", "C_SD", "C_FLD", "C_FSD"),
	  8 },
};

/* Bytes that a load or store accesses; vectors are aligned to elements, two of
 * which, as many as any type has at least, lie around the boundary. */
static unsigned straddling_bytes(const struct form *f)
{
	enum { BYTE_BITS = 3 };
	const struct variant *v = f->variant;

	if (!f->access)
		return 0;
	if (!name_matches_any(NAMES("VLE#_V/*", "VSE#_V/*"), f->name))
		return (unsigned)name_rule(sizes, ARRAY_LEN(sizes), f->name, 0);
	return 2u << (riscv64_sew(v) - BYTE_BITS);
}

void riscv64_derive(const struct catalogue *c, const struct form *f,
		    struct variant_list *ret)
{
	static const struct variant wide = { .suffix = "wide",
					     .family = FAMILY_WIDE };
	const struct variant *same = accumulates(f);

	if (f->status == FORM_CONTROL_FLOW || f->status == FORM_MEMORY)
		return;
	values_families(f, divides(f), ret);
	if (divides_registers(f) || divides_integers(f))
		values_divisions(divides_registers(f), ret);
	if (multiplies(f))
		variant_add(ret, &wide);
	if (same)
		variant_add(ret, same);
	if (same && same->shape != same_factor.shape)
		variant_add(ret, &same_factor);
	layout_variants(c->isa, f, straddling_bytes(f), ret);
	policies(f, ret);
}

static const struct name_rule index_bytes[] = {
	{ NAMES("V*EI8_V/*"), 1 },
	{ NAMES("V*EI16_V/*"), 2 },
	{ NAMES("V*EI32_V/*"), 4 },
	{ NAMES("V*EI64_V/*"), 8 },
};

/* The stride that makes elements, or their segments, consecutive; indices
 * that stay within 16 bytes and fall on elements. */
static bool address_value(const struct form *f, int operand, enum reg_bank bank,
			  uint8_t ret[VALUE_BYTES])
{
	enum { BEHIND_BASE = 2, BYTE_BITS = 3 };
	size_t index = (size_t)name_rule(index_bytes, ARRAY_LEN(index_bytes),
					 f->name, 0);
	const char *segment = strstr(f->name, "SEG");
	size_t fields = segment ? (size_t)(segment[3] - '0') : 1;
	size_t bytes;

	if (operand != BEHIND_BASE || !f->variant || !f->variant->vector_type)
		return false;
	bytes = (size_t)1 << (riscv64_sew(f->variant) - BYTE_BITS);
	if (bank == BANK_GPR &&
	    name_matches_any(NAMES("VLSE#_V/*", "VSSE#_V/*", "VLSSEG#E#_V/*",
				   "VSSSEG#E#_V/*"),
			     f->name)) {
		values_repeat(bytes * fields, sizeof(uint64_t), ret);
		return true;
	}
	if (bank != BANK_VECTOR || index == 0)
		return false;
	for (size_t i = 0; i < VALUE_BYTES; i++)
		ret[i] = i % index == 0
				 ? (uint8_t)(i / index * bytes % VALUE_BYTES)
				 : 0;
	return true;
}

bool riscv64_operand_value(const struct form *f, int operand,
			   enum reg_bank bank, uint8_t ret[VALUE_BYTES])
{
	enum { DIVIDEND = 1, SEW_BITS = 3 };
	bool vector = f->name[0] == 'V';
	size_t bytes = 8;

	if (!f->variant || !(divides_registers(f) || divides_integers(f)))
		return address_value(f, operand, bank, ret) ||
		       values_operand(f, operand, bank, ret) ||
		       riscv64_branch_value(f, operand, bank, ret);
	if (!vector && f->name[strcspn(f->name, "/") - 1] == 'W')
		bytes = 4;
	if (vector && bank == BANK_VECTOR)
		bytes = (size_t)1 << (f->variant->vector_type >> SEW_BITS & 7);
	if ((bank != BANK_VECTOR && bank != BANK_GPR) ||
	    !values_quotient(f, operand == DIVIDEND, bytes, ret))
		return false;
	/* Positive numbers of 32 bits, sign-extended. */
	if (!vector)
		memset(ret + bytes, 0, VALUE_BYTES - bytes);
	return true;
}

void riscv64_shape_form(const struct catalogue *c, struct form *f,
			struct operand *ops)
{
	if (form_family(f) == FAMILY_BRANCH)
		riscv64_shape_branch(c, f, ops);
	else if (form_family(f) == FAMILY_VECTOR)
		riscv64_shape_vector(c, f, ops);
	else if (form_family(f) == FAMILY_SAME_REGISTER)
		ops[f->variant->shape].tied_to = 0;
}
