/* AArch64: variants of opcodes. */
#include "host/isa/aarch64.h"
#include "host/isa/match.h"
#include "host/isa/values.h"

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

size_t aarch64_derive(const struct catalogue *c, const struct form *f,
		      const struct variant **ret, size_t room)
{
	size_t n = values_families(f, divides(f), ret);

	(void)c;
	(void)room;
	if (f->status == FORM_CONTROL_FLOW || f->status == FORM_MEMORY)
		return aarch64_branch_variants(f->name, ret);
	if (divides_integers(f))
		n += values_divisions(&ret[n]);
	return n + aarch64_fused(f, &ret[n]);
}

bool aarch64_operand_value(const struct form *f, int operand,
			   enum reg_bank bank, uint8_t ret[VALUE_BYTES])
{
	enum { DIVIDEND = 1 };
	unsigned bytes = name_matches("*Wr", f->name) ? 4 : 8;

	if (divides_integers(f) && f->variant)
		return values_quotient(f, operand == DIVIDEND, bytes, ret);
	return aarch64_branch_value(f, bank, ret) ||
	       values_operand(f, operand, bank, ret);
}
