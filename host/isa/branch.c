/* See branch.h. */
#include "host/isa/branch.h"

#include "common/types.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/surround.h"

bool branch_jumps(const char *form)
{
	static const char *const jumps[] = {
		"*/taken*",
		"*/next",
		"*/return",
		"*,taken",
	};

	return name_matches_any(jumps, ARRAY_LEN(jumps), form);
}

unsigned branch_few(const struct isa *isa, const char *form)
{
	return isa->surround && branch_jumps(form) ? isa->surround->few : 0;
}
