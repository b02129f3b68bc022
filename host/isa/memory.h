/* Facts about the loads and stores of an instruction set that their operands
 * do not give: tables by name, for chains through addresses and memory. */
#ifndef ISA_MEMORY_H
#define ISA_MEMORY_H

#include "common/types.h"

/* A store and the load of the same register class and width that reads its
 * data; names of forms. */
struct isa_forward {
	const char *store;
	const char *load;
};

/* How a loaded zero that is not in a GPR becomes an address again: through
 * `back`, the name of a form.  The first pattern that matches a load counts;
 * NULL leaves the load out. */
struct isa_return {
	const char *load;
	const char *back;
};

/* Facts about memory forms.  Patterns are those of host/isa/match.h, lists
 * end with NULL. */
struct isa_memory {
	uint8_t base; /* GPR that holds the address of a kernel's memory */
	/* Loads whose result is the loaded 8 bytes: a chain of pointers. */
	const char *const *pointer_loads;
	/* Loads whose result from zeros in memory and registers is not zero,
	 * so it cannot be an index. */
	const char *const *nonzero_loads;
	const struct isa_forward *forwards;
	/* Plain loads and stores of each width, to measure them together. */
	const struct isa_forward *streams;
	/* Representative forms: how many slots do forms of this kind take if
	 * the address has an index?  The ISA's derive() makes the variant
	 * "index" of them.  NULL-terminated; NULL: an index makes other
	 * forms.  `slot`: a form that takes one slot and no port, to mix
	 * with them. */
	const char *const *indexed;
	const char *slot;
	/* Representative forms that are also measured in the layouts other
	 * than their own (host/isa/layout.h); NULL-terminated. */
	const char *const *layouts;
	/* Displacements that every form encodes in as few bytes as any other
	 * number but zero; both 0: all there are. */
	int16_t shortest, longest;
	const struct isa_return *returns;
	const char *add; /* what adds a base to a loaded zero */
	/* How whatever is in a GPR becomes an address: two steps, of which the
	 * first makes a zero of it with a zero and the second adds the base.
	 * No renamer takes them away, and the label differs from a carrier's.
	 */
	const char *close;
	/* Forms of which one waits for the one before whatever they read, for
	 * longer than a circle through one of them takes; NULL-terminated, or
	 * NULL.  And a step, "FORM@source>destination", that makes a circle of
	 * general registers longer, as often as it fits. */
	const char *const *locked;
	const char *delay;
	/* How other results of a load come into a GPR where that is not the
	 * first of the ISA's bridges between the two; the first that reads
	 * such a register counts. */
	const struct isa_return *ways;
};

#endif
