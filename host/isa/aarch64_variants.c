/* AArch64: variants of opcodes. */
#include "host/isa/aarch64.h"

#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/layout.h"
#include "host/isa/match.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

/* 12 bits, more than a byte; 16 bits. */
const struct isa_usual_numbers aarch64_usual_numbers[] = {
	{ NAMES("ADDXri", "ADDWri", "ADDSXri", "ADDSWri", "SUBXri", "SUBWri",
		"SUBSXri", "SUBSWri"),
	  { 0x123 },
	  1 },
	{ NAMES("MOVZXi", "MOVZWi", "MOVNXi", "MOVNWi", "MOVKXi", "MOVKWi"),
	  { 0x1235 },
	  1 },
	{ .names = NULL },
};

static bool divides_integers(const struct form *f)
{
	/* The names of variants go on behind the opcode's. */
	return name_matches_any(
		NAMES("UDIVWr*", "UDIVXr*", "SDIVWr*", "SDIVXr*"), f->name);
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

/* For a vector without a fixed length, the least number. */
unsigned aarch64_straddles(const struct form *f)
{
	return !aarch64_is_literal(f)
		       ? (unsigned)name_rule(straddling, ARRAY_LEN(straddling),
					     f->name, 0)
		       : 0;
}

/* Does a predicate select the elements to compute? */
static bool is_governed(const struct catalogue *c, const struct form *f,
			const struct variant *v)
{
	static const char *const classes[] = { "PPR_3b", "PNR_p8to15" };

	(void)v;
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

/* Conditions that read other flags than `equal` does, one of each pair of
 * opposites, by their codes. */
#define CONDITION(word, code) CONDITION_CODE(word, code, "CSEL*r", "CSINC*r")

/* Destination, base, index, extension, and whether the index is multiplied by
 * the bytes of the access. */
#define SCALED(load, word, bytes) SCALED_INDEX(load, word, bytes, 4, 1)

/* One width represents both. */
const struct variant_rule aarch64_rules[] = {
	/* Shifted operands: LSL up to 63, then the other shifts.  On some cores
	 * LSL by up to 4 costs as little as no shift; all others take a cycle
	 * more and another unit (Arm Neoverse V2 Software Optimization Guide,
	 * 3.3, arithmetic).  The plain form has no shift. */
	NUMBER_CLASS("small", 3, 1, 4, "ADDXrs", "ADDSXrs", "SUBXrs", "SUBSXrs",
		     "ANDXrs"),
	NUMBER_CLASS("large", 12, 5, 255, "ADDXrs", "ADDSXrs", "SUBXrs",
		     "SUBSXrs", "ANDXrs"),
	/* MOVZ: zeroed in the renamer (the same, 4.14: zero-latency moves).
	 * ADD: a move from or to the stack pointer, by its usual name. */
	NUMBER_CLASS("zero", 0, 0, 0, "MOVZXi", "ADDXri"),
	CONDITION("cs", 2),
	CONDITION("mi", 4),
	CONDITION("vs", 6),
	CONDITION("hi", 8),
	CONDITION("ge", 10),
	CONDITION("gt", 12),
	TAKEN("B", "Bcc", "CBZ*", "CBNZ*", "TBZ*", "TBNZ*"),
	TAKEN_CLOSE("B", "Bcc"),
	TAKEN_DENSE("B", "Bcc"),
	NOT_TAKEN("Bcc", "CBZ*", "CBNZ*", "TBZ*", "TBNZ*"),
	NEXT("BR"),
	RETURN("BL", "BLR"),
	RESERVED("ST*XRB*", "ST*XRH*", "ST*XRW*", "ST*XRX*", "ST*XPW*",
		 "ST*XPX*"),
	SCALED("LDRHHroX", "x2", 2),
	SCALED("LDRWroX", "x4", 4),
	SCALED("LDRXroX", "x8", 8),
	FUSED(aarch64_fuses, "b.cond,taken", BRANCH_LINE, true),
	FUSED(aarch64_fuses, "b.cond,not-taken", 0, true),
	DIVISIONS(NAMES("FDIV*", "FSQRT*"), values_floats),
	DIVISIONS_ALONE(NAMES("UDIV*r", "SDIV*r"), NULL),
	VARIANT(NAMES("*"), is_governed, "false", NO_LANES),
	{ .names = NULL },
};

bool aarch64_operand_value(const struct form *f, int operand,
			   enum reg_bank bank, uint8_t ret[VALUE_BYTES])
{
	enum { DIVIDEND = 1 };
	const struct isa_family *k = aarch64_families[form_family(f)];

	if (k && k->value)
		return k->value(f, operand, bank, ret);
	if (divides_integers(f) && f->variant)
		return values_quotient(f, operand == DIVIDEND,
				       f->name[strlen("SDIV")] == 'W' ? 4 : 8,
				       ret);
	return aarch64_offset_value(f, operand, ret) ||
	       values_operand(f, operand, bank, ret);
}
