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
	return name_matches("FDIV*", f->name) ||
	       name_matches("FSQRT*", f->name);
}

static bool divides_integers(const struct form *f)
{
	return name_matches("UDIV*r", f->name) ||
	       name_matches("SDIV*r", f->name);
}

static const struct name_rule straddling[] = {
	{ "LDRHH*", 2 },
	{ "LDRSH*", 2 },
	{ "LDRSW*", 4 },
	{ "LDRSB*", 0 },
	{ "LDRX*", 8 },
	{ "LDRW*", 4 },
	{ "LDRH*", 2 },
	{ "LDRS*", 4 },
	{ "LDRD*", 8 },
	{ "LDRQ*", 16 },
	{ "STRHH*", 2 },
	{ "STRX*", 8 },
	{ "STRW*", 4 },
	{ "STRH*", 2 },
	{ "STRS*", 4 },
	{ "STRD*", 8 },
	{ "STRQ*", 16 },
	{ "LDURHH*", 2 },
	{ "LDURSH*", 2 },
	{ "LDURSW*", 4 },
	{ "LDURSB*", 0 },
	{ "LDURX*", 8 },
	{ "LDURW*", 4 },
	{ "LDURH*", 2 },
	{ "LDURS*", 4 },
	{ "LDURD*", 8 },
	{ "LDURQ*", 16 },
	{ "STURHH*", 2 },
	{ "STURX*", 8 },
	{ "STURW*", 4 },
	{ "STURH*", 2 },
	{ "STURS*", 4 },
	{ "STURD*", 8 },
	{ "STURQ*", 16 },
	{ "LDPSW*", 8 },
	{ "LDPX*", 16 },
	{ "LDPW*", 8 },
	{ "LDPS*", 8 },
	{ "LDPD*", 16 },
	{ "LDPQ*", 32 },
	{ "STPX*", 16 },
	{ "STPW*", 8 },
	{ "STPS*", 8 },
	{ "STPD*", 16 },
	{ "STPQ*", 32 },
	{ "LDR_ZXI", 16 },
	{ "STR_ZXI", 16 },
	/* Whole vectors, one element, one repeated element. */
	{ "LD#Onev16b*", 16 },
	{ "LD#Onev8h*", 16 },
	{ "LD#Onev4s*", 16 },
	{ "LD#Onev2d*", 16 },
	{ "LD#Twov16b*", 32 },
	{ "LD#Twov8h*", 32 },
	{ "LD#Twov4s*", 32 },
	{ "LD#Twov2d*", 32 },
	{ "LD#Fourv16b*", 64 },
	{ "LD#Fourv8h*", 64 },
	{ "LD#Fourv4s*", 64 },
	{ "LD#Fourv2d*", 64 },
	{ "ST#Onev16b*", 16 },
	{ "ST#Onev8h*", 16 },
	{ "ST#Onev4s*", 16 },
	{ "ST#Onev2d*", 16 },
	{ "ST#Twov16b*", 32 },
	{ "ST#Twov8h*", 32 },
	{ "ST#Twov4s*", 32 },
	{ "ST#Twov2d*", 32 },
	{ "ST#Fourv16b*", 64 },
	{ "ST#Fourv8h*", 64 },
	{ "ST#Fourv4s*", 64 },
	{ "ST#Fourv2d*", 64 },
	{ "LD#Onev*", 8 },
	{ "LD#Twov*", 16 },
	{ "LD#Fourv*", 32 },
	{ "ST#Onev*", 8 },
	{ "ST#Twov*", 16 },
	{ "ST#Fourv*", 32 },
	{ "LD1i16*", 2 },
	{ "LD1i32*", 4 },
	{ "LD1i64*", 8 },
	{ "ST1i16*", 2 },
	{ "ST1i32*", 4 },
	{ "ST1i64*", 8 },
	{ "LD1Rv4h*", 2 },
	{ "LD1Rv8h*", 2 },
	{ "LD1Rv2s*", 4 },
	{ "LD1Rv4s*", 4 },
	{ "LD1Rv1d*", 8 },
	{ "LD1Rv2d*", 8 },
	{ "LD1B_IMM", 16 },
	{ "LD1H_IMM", 16 },
	{ "LD1W_IMM", 16 },
	{ "LD1D_IMM", 16 },
	{ "ST1B_IMM", 16 },
	{ "ST1H_IMM", 16 },
	{ "ST1W_IMM", 16 },
	{ "ST1D_IMM", 16 },
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
	return name_matches("*_ZPm*", f->name) ||
	       name_matches("SEL_ZPZZ_*", f->name) ||
	       name_matches("*_PPzPP", f->name);
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
