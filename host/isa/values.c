#include "host/isa/values.h"

#include <string.h>

#include "common/pack.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"

/* IEEE 754 encodings of 1.0 and their width in bytes. */
static const struct {
	uint64_t one;
	size_t bytes;
} domains[DOMAIN_N] = {
	[DOMAIN_INT] = { .one = 0x01, .bytes = 1 },
	[DOMAIN_FP16] = { .one = 0x3c00, .bytes = 2 },
	[DOMAIN_FP32] = { .one = 0x3f800000, .bytes = 4 },
	[DOMAIN_FP64] = { .one = 0x3ff0000000000000, .bytes = 8 },
};

void values_fill(enum form_domain domain, struct pack_image *image)
{
	size_t bytes = domains[domain].bytes;

	for (size_t i = 0; i < ARRAY_LEN(image->gpr); i++)
		image->gpr[i] = 1;
	for (size_t i = 0; i < ARRAY_LEN(image->vector); i++)
		for (size_t k = 0; k < sizeof(image->vector[i]); k++)
			image->vector[i][k] = (uint8_t)(domains[domain].one >>
							(k % bytes * 8));
	for (size_t i = 0; i < ARRAY_LEN(image->fp); i++)
		memcpy(&image->fp[i], image->vector[0], sizeof(image->fp[i]));
	for (size_t i = 0; i < ARRAY_LEN(image->mask); i++)
		image->mask[i] = UINT64_MAX;
}

uint64_t values_boxed_one(enum form_domain domain)
{
	if (domain == DOMAIN_INT || domain == DOMAIN_FP64)
		return domains[DOMAIN_FP64].one;
	return domains[domain].one | UINT64_MAX << domains[domain].bytes * 8;
}

/* Numbers a little below 1 with full mantissas.  A chain of thousands of
 * products, quotients or sums stays far from the ends of the range, and roots
 * converge to the largest number below 1, whose mantissa is full.  Registers
 * take turns, so that no quotient is exact. */
enum { N_BELOW = 8 };
static const uint64_t below_one[DOMAIN_N][N_BELOW] = {
	/* The steps of half numbers are large: a chain of quotients by smaller
	 * ones leaves the range. */
	[DOMAIN_FP16] = { 0x3bfe, 0x3bff, 0x3bfe, 0x3bff, 0x3bfe, 0x3bff,
			  0x3bfe, 0x3bff },
	[DOMAIN_FP32] = { 0x3f7ff035, 0x3f7ffbb3, 0x3f7ff377, 0x3f7ff687,
			  0x3f7ff479, 0x3f7ff2e9, 0x3f7ffea9, 0x3f7ffde1 },
	[DOMAIN_FP64] = { 0x3feff9fef17fd375, 0x3feff86aa6233255,
			  0x3feff941e6a16a3b, 0x3feffaf91cfb10f7,
			  0x3feffef27814e8a3, 0x3feffb0b3f1f65a9,
			  0x3feff8d08b33e969, 0x3feff9fe92edcf45 },
};

/* Large enough to be halved, and small enough to stay denormal in a long chain
 * of additions. */
static const uint64_t below_normal[DOMAIN_N] = {
	[DOMAIN_FP16] = 0x0003,
	[DOMAIN_FP32] = 0x00000b6d,
	[DOMAIN_FP64] = 0x0000000000d6b5ad,
};

/* So far below 1 that a product of two of them is lost next to a third, and yet
 * normal: a chain of fused multiply-adds of such numbers keeps its first one,
 * up to the sign, whichever of its sources it goes through.  Ones would grow
 * without end where two sources come from the chain, and become zero in turn
 * where they are subtracted. The product of half numbers is not normal, and
 * never rounded by itself. */
static const uint64_t far_below_one[DOMAIN_N] = {
	[DOMAIN_FP16] = 0x0800,             /* 2^-13 */
	[DOMAIN_FP32] = 0x30800000,         /* 2^-30 */
	[DOMAIN_FP64] = 0x3c30000000000000, /* 2^-60 */
};

bool values_fused(const struct form *f)
{
	static const char *const fused[] = {
		"VF*MADD*",   "VF*MSUB*",   "FMADD*",     "FMSUB*",
		"FNMADD*",    "FNMSUB*",    "FMLAv*",     "FMLSv*",
		"F*MLA_ZP*",  "F*MLS_ZP*",  "F*MAD_ZP*",  "F*MSB_ZP*",
		"VF*MACC_V*", "VF*MSAC_V*", "FMLA_ZZZI*", "FMLS_ZZZI*",
		NULL,
	};

	return f->domain != DOMAIN_INT && !values_has(f) &&
	       name_matches_any(fused, f->name);
}

/* Forms that keep a denormal only if the other operand is 1: products and
 * quotients. */
static bool is_product(const struct form *f)
{
	return name_matches_any(NAMES("*MUL*", "*DIV*"), f->name);
}

/* Is the operand the result, or the source tied to it? */
static bool is_carried(const struct form *f, int operand)
{
	return f->operands[operand].write || f->operands[operand].tied_to >= 0;
}

static bool has_tie(const struct form *f)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to >= 0)
			return true;
	return false;
}

/* The value of register or word number i in a family. */
static uint64_t value_of(const struct form *f, size_t i)
{
	switch (form_family(f)) {
	case FAMILY_ZERO:
		return 0;
	case FAMILY_DENORMAL:
		return below_normal[f->domain];
	case FAMILY_NORMAL:
	case FAMILY_SLOW:
		return below_one[f->domain][i % N_BELOW];
	default:
		return domains[f->domain].one;
	}
}

bool values_has(const struct form *f)
{
	static const uint64_t families =
		UINT64_C(1) << FAMILY_NORMAL | UINT64_C(1) << FAMILY_FAST |
		UINT64_C(1) << FAMILY_SLOW | UINT64_C(1) << FAMILY_ZERO |
		UINT64_C(1) << FAMILY_DENORMAL;

	return f->domain != DOMAIN_INT && form_chosen(f, families);
}

void values_steps(size_t bytes, size_t step, uint8_t ret[VALUE_BYTES])
{
	for (size_t i = 0; i < VALUE_BYTES; i++)
		ret[i] = (uint8_t)(i % bytes == 0 ? i / bytes * step : 0);
}

void values_repeat(uint64_t value, size_t bytes, uint8_t ret[VALUE_BYTES])
{
	for (size_t i = 0; i < VALUE_BYTES; i++)
		ret[i] = (uint8_t)(value >> (i % bytes * 8));
}

/* A scalar in a register is NaN-boxed (RISC-V). */
static uint64_t boxed(uint64_t value, size_t bytes)
{
	return bytes < sizeof(value) ? value | UINT64_MAX << 8 * bytes : value;
}

uint64_t values_boxed_zero(enum form_domain domain)
{
	return boxed(0, domains[domain].bytes);
}

bool values_float(const struct form *f, unsigned k, uint64_t *ret)
{
	/* Exponents of powers of four: their roots are exact, too. */
	static const uint64_t four[DOMAIN_N] = {
		[DOMAIN_FP16] = 2ull << 10,
		[DOMAIN_FP32] = 2ull << 23,
		[DOMAIN_FP64] = 2ull << 52,
	};
	enum variant_family family = form_family(f);
	uint64_t value = value_of(f, k);

	if (f->domain == DOMAIN_INT || family == FAMILY_ZERO ||
	    family == FAMILY_DENORMAL)
		return false;
	if (family != FAMILY_SLOW && family != FAMILY_NORMAL)
		value += k * four[f->domain];
	*ret = boxed(value, domains[f->domain].bytes);
	return true;
}

void values_fill_family(const struct form *f, struct pack_image *image)
{
	size_t bytes = domains[f->domain].bytes;

	if (!values_has(f))
		return;
	for (size_t i = 0; i < ARRAY_LEN(image->vector); i++) {
		values_repeat(value_of(f, i), bytes, image->vector[i]);
		image->fp[i] = boxed(value_of(f, i), bytes);
	}
}

void values_fill_fused(const struct form *f, struct pack_image *image)
{
	size_t bytes = domains[f->domain].bytes;
	uint64_t value = far_below_one[f->domain];

	for (size_t i = 0; i < ARRAY_LEN(image->vector); i++) {
		values_repeat(value, bytes, image->vector[i]);
		image->fp[i] = boxed(value, bytes);
	}
}

/* Differences that are not part of a product. */
static bool is_difference(const struct form *f)
{
	return f->domain != DOMAIN_INT && !values_has(f) &&
	       (name_matches("*SUB*", f->name) ||
		name_matches("FABD*", f->name)) &&
	       !name_matches("*M*SUB*", f->name);
}

/* Is it the last source in a register of choice? */
static bool is_last_source(const struct form *f, int operand)
{
	int last = -1;

	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == OPERAND_REG && f->operands[i].read &&
		    f->operands[i].fixed_reg == REG_NONE)
			last = i;
	return operand == last;
}

/* The contents of a register: a scalar is boxed, vectors repeat it. */
static void value_in_bank(uint64_t value, enum form_domain domain,
			  enum reg_bank bank, uint8_t ret[VALUE_BYTES])
{
	size_t bytes = domains[domain].bytes;

	values_repeat(bank == BANK_FP ? boxed(value, bytes) : value,
		      bank == BANK_FP ? sizeof(value) : bytes, ret);
}

/* A chain of differences from 1 of 1 would be zero in turn.  With these it is 1
 * and a half in turn, or -1/2 and 3/2, or goes down by steps of 1. */
static const uint64_t one_and_a_half[DOMAIN_N] = {
	[DOMAIN_FP16] = 0x3e00,
	[DOMAIN_FP32] = 0x3fc00000,
	[DOMAIN_FP64] = 0x3ff8000000000000,
};

bool values_operand(const struct form *f, int operand, enum reg_bank bank,
		    uint8_t ret[VALUE_BYTES])
{
	if (operand >= 0 && (bank == BANK_VECTOR || bank == BANK_FP) &&
	    is_difference(f) && is_last_source(f, operand)) {
		value_in_bank(one_and_a_half[f->domain], f->domain, bank, ret);
		return true;
	}
	if (!values_has(f) || form_family(f) != FAMILY_DENORMAL ||
	    bank != BANK_VECTOR || !is_product(f) || !has_tie(f) ||
	    is_carried(f, operand))
		return false;
	values_repeat(domains[f->domain].one, domains[f->domain].bytes, ret);
	return true;
}

const char *values_forgets(const struct form *f, int src)
{
	static const uint64_t below =
		UINT64_C(1) << FAMILY_NORMAL | UINT64_C(1) << FAMILY_SLOW;

	return f->domain != DOMAIN_INT && form_chosen(f, below) &&
			       is_product(f) && has_tie(f) && src >= 0 &&
			       !is_carried(f, src)
		       ? VALUES_FORGOTTEN
		       : NULL;
}

bool values_floats(const struct catalogue *c, const struct form *f,
		   const struct variant *v)
{
	(void)c, (void)v;
	return f->domain != DOMAIN_INT && f->vector_state;
}

/* A sum or a comparison of denormals is one, a product is not: then there is no
 * chain. */
static bool chains_denormals(const struct catalogue *c, const struct form *f,
			     const struct variant *v)
{
	bool keeps = name_matches_any(NAMES("*ADD*", "*SUB*", "*MAX*", "*MIN*"),
				      f->name) &&
		     !name_matches_any(NAMES("*M*ADD*", "*M*SUB*"), f->name);

	return values_floats(c, f, v) && keeps == !v->unchained;
}

const struct variant_rule values_rules[] = {
	VARIANT(NAMES("*"), values_floats, "normal", NORMAL),
	VARIANT(NAMES("*"), values_floats, "zero", ZERO),
	VARIANT(NAMES("*"), chains_denormals, "denormal", DENORMAL),
	VARIANT(NAMES("*"), chains_denormals, "denormal", DENORMAL,
		.unchained = VALUES_FORGOTTEN),
	{ .names = NULL },
};

bool values_quotient(const struct form *f, bool dividend, size_t bytes,
		     uint8_t ret[VALUE_BYTES])
{
	uint64_t most = (UINT64_MAX >> (64 - 8 * bytes)) / 2 - 1;

	if (form_family(f) == FAMILY_SLOW)
		values_repeat(dividend ? most : 3, bytes, ret);
	else if (form_family(f) == FAMILY_FAST)
		values_repeat(1, bytes, ret);
	else
		return false;
	return true;
}

void values_put32(unsigned char *code, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		code[i] = (unsigned char)(word >> (i * 8));
}
