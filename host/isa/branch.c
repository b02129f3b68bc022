/* See branch.h. */
#include "host/isa/branch.h"

#include "common/types.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/surround.h"

bool branch_is(const struct form *f, enum branch does)
{
	return form_family(f) == FAMILY_BRANCH && f->variant->shape == does;
}

bool branch_calls(const struct instance *i)
{
	return branch_is(i->form, BRANCH_CALL);
}

void branch_shape(struct form *f, struct operand *ops, int64_t label,
		  int64_t number)
{
	f->flags = 0;
	for (int i = 0; i < f->n_explicit; i++) {
		bool is_label = ops[i].kind == OPERAND_LABEL;

		if (!is_label && ops[i].kind != OPERAND_IMM)
			continue;
		ops[i].kind = OPERAND_IMM;
		operand_pin(&ops[i], is_label ? label : number);
	}
}

bool branch_jumps(const char *form)
{
	return name_matches_any(
		NAMES("*/taken*", "*/next", "*/return", "*,taken"), form);
}

unsigned branch_few(const struct isa *isa, const char *form)
{
	return isa->surround && branch_jumps(form) ? isa->surround->few : 0;
}
