/* Variants of branches, common to all instruction sets. */
#ifndef ISA_BRANCH_H
#define ISA_BRANCH_H

#include "host/isa/variant.h"

struct isa;

/* Bytes between taken branches: one branch in each cache line, or four. */
enum { BRANCH_LINE = 64, BRANCH_CLOSE = 16 };

#define BRANCH_NO_RESULT "a branch has no result"
#define BRANCH_PAIR      "a pair with a branch; the form itself has one"

#define BRANCH(text)     TAKEN(text, 0)

/* Bytes from the branch to its target, which is the next branch. */
#define TAKEN(text, bytes)                                       \
	{                                                        \
		.suffix = text, .family = FAMILY_BRANCH,         \
		.unchained = BRANCH_NO_RESULT, .reshapes = true, \
		.distance = bytes                                \
	}

/* A form and a branch after it. */
#define FUSED(text, bytes, has_other_operands)                            \
	{                                                                 \
		.suffix = text, .family = FAMILY_FUSED,                   \
		.unchained = BRANCH_PAIR, .reshapes = has_other_operands, \
		.distance = bytes                                         \
	}

/* Do instances of the form go elsewhere each time, by the suffix of its variant?
 * `form`: its name, or a label that ends with it. */
bool branch_jumps(const char *form);

/* Instances in the shortest loop of a form that jumps (isa_surround.few); 0: any
 * length costs the same. */
unsigned branch_few(const struct isa *isa, const char *form);

#endif
