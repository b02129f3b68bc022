/* Facts about the loads and stores of an instruction set that their operands
 * do not give: tables by name, for chains through addresses and memory. */
#ifndef ISA_MEMORY_H
#define ISA_MEMORY_H

#include "common/types.h"

struct catalogue;
struct form;

/* A store, and the load of the same register class and width that reads the
 * stored data; names of forms.  Cores that rename memory may not do so for
 * addresses with an index, nor for a load that is fused with the operation
 * behind it.  On some cores forwarding takes longer if the load follows the
 * store at once. */
struct isa_forward {
	const char *store;
	const char *load;
	/* Is the pair also measured with an index in both addresses?  derive()
	 * makes their variants "index". */
	bool indexed;
	/* A step, "FORM@source>destination", that overwrites the loaded
	 * register with a result of it: a chain of three.  NULL: none.  Of
	 * vectors it stands for every operation on what was loaded, and its
	 * sources have the same latency: multiplications, which on the cores
	 * measured take long enough that no load follows its store too early
	 * (docs/method/memory.md). */
	const char *then;
};

/* How a loaded zero outside the GPRs becomes an address again: through `back`,
 * the name of a form.  The first pattern that matches a load counts; NULL
 * excludes the load. */
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
	/* Operations that isa_forward.then represents: of the loaded register,
	 * which they overwrite, and other registers.  NULL-terminated, or
	 * NULL. */
	const char *const *operations;
	/* Plain loads and stores of each width, to measure them together. */
	const struct isa_forward *streams;
	/* Representative forms: how many slots do forms of this kind take if
	 * the address has an index?  The ISA's derive() makes their variant
	 * "index".  NULL-terminated; NULL: an index makes other forms. `slot`:
	 * a form that takes one slot and no port, to mix with them. */
	const char *const *indexed;
	const char *slot;
	/* Representative forms that are also measured in the other layouts
	 * (host/isa/layout.h); NULL-terminated. */
	const char *const *layouts;
	/* Displacements that every form encodes in as few bytes as possible for
	 * a number other than zero; both 0: no limit. */
	int16_t shortest, longest;
	const struct isa_return *returns;
	const char *add; /* adds a base to a loaded zero */
	/* How a GPR becomes an address: two steps, "FIRST+SECOND".  The first
	 * makes its value zero with a zero; the second adds the base.  No
	 * renamer eliminates them, and the label differs from a carrier's. */
	const char *close;
	/* Forms whose instances always wait for the previous one, for longer
	 * than a latency cycle through one of them takes; NULL-terminated, or
	 * NULL.  `delay`: a step, "FORM@source>destination", that lengthens a
	 * latency cycle of general registers. */
	const char *const *locked;
	const char *delay;
	/* Stores that bypass the caches (form_is_uncached()); NULL-terminated,
	 * or NULL. */
	const char *const *uncached;
	/* Moves other results of a load into a GPR, where the first of the
	 * ISA's bridges cannot be used.  The first that reads the register
	 * counts. */
	const struct isa_return *ways;
};

/* Does the form bypass the caches: a non-temporal or direct store?  Its time is
 * that of memory, and depends on whether a whole line is stored; it may evict a
 * line that other stores have in the caches. */
bool form_is_uncached(const struct catalogue *c, const struct form *f);

#endif
