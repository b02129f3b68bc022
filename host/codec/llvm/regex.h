/* Regular expressions for sets of opcodes, as TableGen's instregex takes them.
 */
#ifndef CODEC_LLVM_REGEX_H
#define CODEC_LLVM_REGEX_H

#include "host/base/arena.h"

/* Expressions that match exactly the given names, each name by one of them:
 * "^ADD(8|16|32|64)rr$".  They hold literals, groups of alternatives and '?'
 * behind a group, nothing that stands for any character, so no other name can
 * match.  The names differ and consist of letters, digits and '_'.
 *
 * Returns the number of expressions; they are in the order of the first names
 * that they match, owned by `a`. */
size_t llvm_regex_cover(struct arena *a, const char *const *names, size_t n,
			const char *const **ret_expressions);

#endif
