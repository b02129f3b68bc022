/* Flags as separate registers.
 *
 * LLVM has one register of all flags.  Each instruction set has a table,
 * from the manuals, of what an instruction does to each flag.  A catalogue
 * has a register for each flag, EFLAGS.CF, and forms have operands for those
 * that they read and write. */
#ifndef ISA_FLAGS_H
#define ISA_FLAGS_H

#include "common/types.h"

struct catalogue;
struct instance;
struct isa;

/* What an instance does to each flag; bit i is flag i.  A flag in none of the
 * sets is left undefined, or is unchanged as by any instruction that does not
 * access flags. */
struct flag_sets {
	uint8_t reads;
	uint8_t writes; /* computed */
	uint8_t clears; /* always become the same value */
	/* Unchanged by definition, although the form accesses other flags.
	 * Also in `writes`: unchanged for some values of the operands. */
	uint8_t keeps;
};

/* In a row's `reads`: the flags are those of the condition, an immediate. */
#define FLAGS_OF_CONDITION (1 << 7)

/* Forms that access flags according to LLVM.  The first pattern that matches
 * counts; the last row of a table matches every name. */
struct flag_row {
	const char *const *names;
	struct flag_sets sets; /* reads, computes, clears, keeps */
};

struct isa_flags {
	const char *reg;          /* LLVM's register of all flags: "EFLAGS" */
	const char *const *names; /* "CF"; NULL ends, seven at most */
	/* Flags whose latency gets a chain of its own; each of the others is
	 * computed together with one of these. */
	uint8_t chained;
	const struct flag_row *rows;
	const char *prefix; /* of forms whose row is that of the rest; or "" */
	/* What the conditions 2n and 2n + 1, which are opposites, read; all
	 * others read every flag. */
	const uint8_t *conditions;
	uint8_t n_conditions;
	uint8_t equal;
	/* Forms whose condition is the first operand; it is the last one of all
	 * others. */
	const char *const *leading;
};

/* The operand with an instance's condition, -1: none. */
int instance_condition(const struct isa *isa, const struct instance *i);

/* The sets of an instance, empty if it accesses no flags according to LLVM. */
struct flag_sets instance_flags(const struct catalogue *c,
				const struct instance *i);

/* Index of a register among the catalogue's flags; -1: not a flag, or LLVM's
 * register of all flags. */
int catalogue_flag(const struct catalogue *c, uint16_t reg);

#endif
