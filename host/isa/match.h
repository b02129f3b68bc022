/* Rules over opcode names: the tables in which an instruction set says what
 * LLVM's flags do not. */
#ifndef ISA_MATCH_H
#define ISA_MATCH_H

#include "common/types.h"

/* name_matches() where the first characters do not rule it out. */
bool name_matches_all(const char *pattern, const char *name);

/* Does `name` match `pattern`?  '*' stands for any run of characters, '#' for
 * one digit or more, everything else for itself.  A catalogue asks millions of
 * times, so a mismatch in the first character costs nothing. */
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

/* Value of the first rule that matches, or `otherwise`. */
int name_rule(const struct name_rule *rules, size_t n, const char *name,
	      int otherwise);

#endif
