/* See branch.h. */
#include "host/isa/branch.h"

#include "common/types.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/surround.h"

bool branch_is(const struct form *f, enum branch does)
{
	return form_family(f) == FAMILY_BRANCH && f->variant->shape == does;
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
