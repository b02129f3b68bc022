/* RISC-V: variants in addition to opcodes and vector types. */
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/isa.h"
#include "host/isa/layout.h"
#include "host/isa/match.h"
#include "host/isa/riscv64.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

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

static bool divides_vectors(const struct form *f)
{
	return name_matches_any(NAMES("VDIV*", "VREM_V*", "VREMU*"), f->name);
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

/* A float; others, "_INX", have floats in general registers. */
static bool is_scalar(const struct catalogue *c, const struct form *f,
		      const struct variant *v)
{
	size_t n = strcspn(f->name, "/");

	(void)c, (void)v;
	return n > 2 && f->name[n - 2] == '_';
}

/* vl, and the policies for elements that are not computed.  Policies that keep
 * them make the result a source; groups of more than two registers leave too
 * few registers for rotation. */
static bool has_policy(const struct catalogue *c, const struct form *f,
		       const struct variant *v)
{
	enum { MOST = 1 };

	(void)c;
	return form_family(f) == FAMILY_VECTOR &&
	       (v->family == FAMILY_ONE_ELEMENT ||
		(riscv64_lmul(f->variant) <= MOST &&
		 (v->family == FAMILY_TAIL || f->variant->masked)));
}

static const struct name_rule sizes[] = {
	{ NAMES("LH", "LHU", "SH", "FLH", "FSH"), 2 },
	{ NAMES("LW", "LWU", "SW", "FLW", "FSW", "C_LW", "C_SW"), 4 },
	{ NAMES("LD", "SD", "FLD", "FSD", "C_LD", "C_SD", "C_FLD", "C_FSD"),
	  8 },
};

/* Vectors are aligned to elements, two of which, as many as any type has at
 * least, lie around the boundary. */
unsigned riscv64_straddles(const struct form *f)
{
	enum { BYTE_BITS = 3 };

	if (!name_matches_any(NAMES("VLE#_V/*", "VSE#_V/*"), f->name))
		return (unsigned)name_rule(sizes, ARRAY_LEN(sizes), f->name, 0);
	return 2u << (riscv64_sew(f->variant) - BYTE_BITS);
}

/* The result in the register of the operand `source`, by its number. */
#define SAME_REGISTER(text, source, ...)                            \
	VARIANT(NAMES(__VA_ARGS__), is_scalar, text, SAME_REGISTER, \
		.shape = source, .reshapes = true)
#define FUSED_SUMS "FMADD_*", "FMSUB_*", "FNMADD_*", "FNMSUB_*"

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
	DIVISIONS(NAMES("FDIV_*", "FSQRT_*", "VFDIV_*", "VFRDIV*", "VFSQRT_V*"),
		  values_floats),
	DIVISIONS(NAMES("DIV*", "REM*"), NULL),
	DIVISIONS_ALONE(NAMES("VDIV*", "VREM_V*", "VREMU*"), NULL),
	VARIANT(NAMES("MUL", "MULH", "MULHU", "MULHSU"), NULL, "wide", WIDE),
	/* Floats as sums are written: the result goes to the register of a
	 * source, of a product with a sum that of the addend; or to that of a
	 * factor: Horner's rule. */
	SAME_REGISTER("same-register", 3, FUSED_SUMS),
	SAME_REGISTER("same-factor", 1, FUSED_SUMS),
	SAME_REGISTER("same-register", 1, "FADD_*", "FSUB_*", "FMUL_*",
		      "FMIN_*", "FMAX_*", "FSGNJ_*", "FSGNJN_*", "FSGNJX_*"),
	VARIANT(NAMES("V*"), has_policy, "vl1", ONE_ELEMENT),
	VARIANT(NAMES("V*"), has_policy, "tu", TAIL),
	VARIANT(NAMES("V*"), has_policy, "mu", INACTIVE),
	{ .names = NULL },
};

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
	const struct isa_family *k = riscv64_families[form_family(f)];
	bool vector = f->name[0] == 'V';
	size_t bytes = 8;

	if (k && k->value)
		return k->value(f, operand, bank, ret);
	if (!f->variant || !(divides_registers(f) || divides_vectors(f)))
		return address_value(f, operand, bank, ret) ||
		       values_operand(f, operand, bank, ret);
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

static void shape_same_register(const struct catalogue *c, struct form *f,
				struct operand *ops)
{
	(void)c;
	ops[f->variant->shape].tied_to = 0;
}

static const struct isa_family vector = { riscv64_shape_vector, NULL, NULL },
			       same_register = { shape_same_register, NULL,
						 NULL };

const struct isa_family *const riscv64_families[FAMILY_N] = {
	[FAMILY_BRANCH] = &riscv64_branch,
	[FAMILY_PAIR] = &riscv64_reserved,
	[FAMILY_VECTOR] = &vector,
	[FAMILY_SAME_REGISTER] = &same_register,
	[FAMILY_SYSTEM] = &riscv64_system_family,
};
