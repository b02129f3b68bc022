/* Variants of branches, common to all instruction sets.
 *
 *	taken		to the next branch, 64 bytes on
 *	taken,16	the same 16 bytes on
 *	taken,dense	to the next instruction
 *	not-taken	the condition is never true
 *	next		indirect, to the next instruction
 *	return		a call, and the return from its target */
#ifndef ISA_BRANCH_H
#define ISA_BRANCH_H

#include "host/isa/variant.h"

struct isa;

/* Bytes between taken branches: one branch in each cache line, or four. */
enum { BRANCH_LINE = 64, BRANCH_CLOSE = 16 };

#define BRANCH_NO_RESULT "a branch has no result"
#define BRANCH_PAIR      "a pair with a branch; the form itself has one"

/* What a variant of a branch does: variant.shape. */
enum branch {
	BRANCH_TAKEN,
	BRANCH_NOT_TAKEN,
	BRANCH_NEXT, /* indirect, to the next instruction */
	BRANCH_CALL, /* a call, and the return from its target */
};

/* Rows of a table of rules; `bytes` from the branch to its target, which is the
 * next branch, 0: it is the next instruction.  The names follow. */
#define BRANCH_RULE(text, does, bytes, ...)                            \
	VARIANT(NAMES(__VA_ARGS__), NULL, text, BRANCH, .shape = does, \
		.distance = bytes, .reshapes = true,                   \
		.unchained = BRANCH_NO_RESULT)
#define TAKEN(...) BRANCH_RULE("taken", BRANCH_TAKEN, BRANCH_LINE, __VA_ARGS__)
#define TAKEN_CLOSE(...) \
	BRANCH_RULE("taken,16", BRANCH_TAKEN, BRANCH_CLOSE, __VA_ARGS__)
#define TAKEN_DENSE(...) \
	BRANCH_RULE("taken,dense", BRANCH_TAKEN, 0, __VA_ARGS__)
#define NOT_TAKEN(...) \
	BRANCH_RULE("not-taken", BRANCH_NOT_TAKEN, 0, __VA_ARGS__)
#define NEXT(...)   BRANCH_RULE("next", BRANCH_NEXT, 0, __VA_ARGS__)
#define RETURN(...) BRANCH_RULE("return", BRANCH_CALL, 0, __VA_ARGS__)

/* A conditional store with the load that reserves its place. */
#define RESERVED(...)                                                     \
	VARIANT(NAMES(__VA_ARGS__), NULL, "pair", PAIR, .reshapes = true, \
		.unchained = "a pair with its reservation")

/* A form, if `when` says so, and a branch after it. */
#define FUSED(when, text, bytes, has_other_operands)                           \
	VARIANT(NAMES("*"), when, text, FUSED, .reshapes = has_other_operands, \
		.distance = bytes, .unchained = BRANCH_PAIR)

/* The operands of a variant: a label becomes the number `label`, any other
 * immediate becomes `number`. */
void branch_shape(struct form *form, struct operand *operands, int64_t label,
		  int64_t number);

/* Is the form this variant of a branch? */
bool branch_is(const struct form *form, enum branch does);

/* isa_surround.calls: is it a call? */
bool branch_calls(const struct instance *i);

/* Do instances of the form go elsewhere each time, by the suffix of its
 * variant? `form`: its name, or a label that ends with it. */
bool branch_jumps(const char *form);

/* Instances in the shortest loop of a form that jumps (isa_surround.few); 0:
 * any length costs the same. */
unsigned branch_few(const struct isa *isa, const char *form);

#endif
