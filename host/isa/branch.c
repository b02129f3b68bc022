/* See branch.h. */
#include "host/isa/branch.h"

#include "common/types.h"
#include "host/isa/match.h"

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
