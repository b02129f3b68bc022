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

/* A list of patterns, as tables have it: NULL ends it. */
#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Does the name match one of the list's patterns?  A NULL list has none. */
bool name_matches_any(const char *const *patterns, const char *name);

/* Is the name, or its first n characters, one of the list's words? */
bool name_is_any(const char *const *words, const char *name, size_t n);

/* The first of n rows with a pattern that matches; NULL: none.  Rows have
 * `size` bytes and begin with their list of patterns. */
const void *name_row(const void *rows, size_t n, size_t size, const char *name);
#define NAME_ROW(rows, name) \
	name_row(rows, ARRAY_LEN(rows), sizeof(*(rows)), name)

struct name_rule {
	const char *const *names;
	int value;
};

/* Value of the first matching rule, or `otherwise`. */
int name_rule(const struct name_rule *rules, size_t n, const char *name,
	      int otherwise);

/* The opcode of a form: its name without a variant.  "" if it does not fit into
 * `room`, which no opcode's fails to. */
enum { OPCODE_ROOM = 64 };
const char *name_opcode(const char *form, char room[OPCODE_ROOM]);

#endif
