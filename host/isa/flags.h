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

struct isa_flags {
	const char *reg;          /* LLVM's register of all flags: "EFLAGS" */
	const char *const *names; /* "CF"; NULL ends, eight at most */
	/* Flags whose latency gets a chain of its own; each of the others is
	 * computed together with one of these. */
	uint8_t chained;
	/* For an instance that accesses flags according to LLVM; conditions
	 * are immediates. */
	struct flag_sets (*sets)(const struct instance *i);
	/* The operand with an opcode's condition, -1: none.  Conditions 2n
	 * and 2n + 1 are opposites. */
	int (*condition)(const struct instance *i);
};

/* The sets of an instance, empty if it accesses no flags according to LLVM. */
struct flag_sets instance_flags(const struct catalogue *c,
				const struct instance *i);

/* Index of a register among the catalogue's flags; -1: not a flag, or LLVM's
 * register of all flags. */
int catalogue_flag(const struct catalogue *c, uint16_t reg);

#endif
