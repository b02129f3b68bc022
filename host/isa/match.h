/* Rules over opcode names.  An instruction set's tables use them for facts that
 * LLVM's flags lack. */
#ifndef ISA_MATCH_H
#define ISA_MATCH_H

#include "common/types.h"

/* As name_matches(), which calls it only if the first characters allow a
 * match. */
bool name_matches_all(const char *pattern, const char *name);

/* Does the whole of `name` match `pattern`?  '*' matches any characters, or
 * none; '#' all digits that follow, at least one; every other character itself.
 * A catalogue calls this millions of times, so the first character is compared
 * inline. */
static inline bool name_matches(const char *pattern, const char *name)
{
	char first = *pattern;

	return (first == *name || first == '*' || first == '#') &&
	       name_matches_all(pattern, name);
}

/* Does the name match one of n patterns? */
bool name_matches_any(const char *const *patterns, size_t n, const char *name);

struct name_rule {
	const char *pattern;
	int value;
};

/* Value of the first matching rule, or `otherwise`. */
int name_rule(const struct name_rule *rules, size_t n, const char *name,
	      int otherwise);

#endif
