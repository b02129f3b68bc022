/* AArch64: variants of opcodes. */
#include "host/isa/aarch64.h"

#include <string.h>

#include "host/isa/layout.h"
#include "host/isa/match.h"
#include "host/isa/straddle.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

static bool divides(const struct form *f)
{
	return name_matches_any(NAMES("FDIV*", "FSQRT*"), f->name);
}

static bool divides_integers(const struct form *f)
{
	return name_matches_any(NAMES("UDIV*r", "SDIV*r"), f->name);
}

static const struct name_rule straddling[] = {
	{ NAMES("LDRHH*", "LDRSH*", "LDRH*", "STRHH*", "STRH*", "LDURHH*",
		"LDURSH*", "LDURH*", "STURHH*", "STURH*", "LD1i16*", "ST1i16*",
		"LD1Rv4h*", "LD1Rv8h*"),
	  2 },
	{ NAMES("LDRSW*", "LDRW*"), 4 },
	{ NAMES("LDRSB*", "LDURSB*"), 0 },
	{ NAMES("LDRX*", "LDRD*", "STRX*", "STRD*", "LDURX*", "LDURD*",
		"STURX*", "STURD*", "LDPSW*", "LDPW*", "LDPS*", "STPW*",
		"STPS*"),
	  8 },
	{ NAMES("LDRS*", "STRW*", "STRS*", "LDURSW*", "LDURW*", "LDURS*",
		"STURW*", "STURS*", "LD1i32*", "ST1i32*", "LD1Rv2s*",
		"LD1Rv4s*"),
	  4 },
	{ NAMES("LDRQ*", "STRQ*", "LDURQ*", "STURQ*", "LDPX*", "LDPD*", "STPX*",
		"STPD*", "LDR_ZXI", "STR_ZXI", "ST#Onev16b*", "ST#Onev8h*",
		"ST#Onev4s*", "ST#Onev2d*"),
	  16 },
	{ NAMES("LDPQ*", "STPQ*", "LD#Twov16b*", "LD#Twov8h*", "LD#Twov4s*",
		"LD#Twov2d*", "ST#Twov16b*", "ST#Twov8h*", "ST#Twov4s*",
		"ST#Twov2d*"),
	  32 },
	/* Whole vectors, one element, one repeated element. */
	{ NAMES("LD#Onev16b*", "LD#Onev8h*", "LD#Onev4s*", "LD#Onev2d*"), 16 },
	{ NAMES("LD#Fourv16b*", "LD#Fourv8h*", "LD#Fourv4s*", "LD#Fourv2d*",
		"ST#Fourv16b*", "ST#Fourv8h*", "ST#Fourv4s*", "ST#Fourv2d*"),
	  64 },
	{ NAMES("LD#Onev*", "ST#Onev*", "LD1i64*", "ST1i64*", "LD1Rv1d*",
		"LD1Rv2d*"),
	  8 },
	{ NAMES("LD#Twov*", "ST#Twov*", "LD1B_IMM", "LD1H_IMM", "LD1W_IMM",
		"LD1D_IMM", "ST1B_IMM", "ST1H_IMM", "ST1W_IMM", "ST1D_IMM"),
	  16 },
	{ NAMES("LD#Fourv*", "ST#Fourv*"), 32 },
};

/* Bytes that a plain load or store accesses; for a vector without a fixed
 * length, the least number. */
static unsigned straddling_bytes(const struct form *f)
{
	return f->access && !aarch64_is_literal(f)
		       ? (unsigned)name_rule(straddling, ARRAY_LEN(straddling),
					     f->name, 0)
		       : 0;
}

/* Does a predicate select the elements to compute? */
static bool is_governed(const struct catalogue *c, const struct form *f)
{
	static const char *const classes[] = { "PPR_3b", "PNR_p8to15" };

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (o->reg_class == CLASS_NONE || !o->read || o->write)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(classes); k++)
			if (strcmp(c->classes[o->reg_class].name, classes[k]) ==
			    0)
				return true;
	}
	return name_matches_any(NAMES("*_ZPm*", "SEL_ZPZZ_*", "*_PPzPP"),
				f->name);
}

void aarch64_derive(const struct catalogue *c, const struct form *f,
		    struct variant_list *ret)
{
	static const struct variant no_lanes = { .suffix = "false",
						 .family = FAMILY_NO_LANES };

	if (f->status == FORM_CONTROL_FLOW || f->status == FORM_MEMORY) {
		aarch64_branch_variants(f->name, ret);
		return;
	}
	values_families(f, divides(f), ret);
	if (divides_integers(f))
		values_divisions(ret);
	aarch64_condition_variants(f->name, ret);
	if (is_governed(c, f))
		variant_add(ret, &no_lanes);
	straddle_variants(straddling_bytes(f), ret);
	layout_variants(c->isa, f, ret);
	aarch64_fused(f, ret);
}

bool aarch64_operand_value(const struct form *f, int operand,
			   enum reg_bank bank, uint8_t ret[VALUE_BYTES])
{
	enum { DIVIDEND = 1 };
	unsigned bytes = name_matches("*Wr", f->name) ? 4 : 8;

	if (divides_integers(f) && f->variant)
		return values_quotient(f, operand == DIVIDEND, bytes, ret);
	return aarch64_offset_value(f, operand, ret) ||
	       aarch64_branch_value(f, bank, ret) ||
	       values_operand(f, operand, bank, ret);
}
