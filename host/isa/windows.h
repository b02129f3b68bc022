/* Instructions that fill the buffers which hold instructions from dispatch to
 * retirement, provided that no other buffer is full first. */
#ifndef ISA_WINDOWS_H
#define ISA_WINDOWS_H

#include <stdbool.h>

struct isa_window {
	const char *buffer; /* the claim's kind; NULL ends the list */
	/* Forms that take an entry each; "A+B": alternating.  Several lines
	 * of one buffer confirm each other: another buffer may limit one
	 * kind of fillers, or a kind may take no entry. */
	const char *fillers;
};

struct isa_windows {
	/* "FORM@source>destination" of a long latency, with another source of
	 * the same kind: a new chain starts by reading that source. */
	const char *chain;
	const struct isa_window *list;
	/* As `chain`, of general registers and of a cycle: it fills the
	 * scheduler, and not what is held until it retires. */
	const char *general;
};

/* Kinds of claims. */
#define ISA_LOAD_BUFFER      "load-buffer"
#define ISA_VECTOR_REGISTERS "vector-registers"
#define ISA_REORDER_BUFFER   "reorder-buffer"
#define ISA_WINDOW_START     "window-start"
#define ISA_GENERAL_QUEUE    "general-queue"
#define ISA_GENERAL_RELEASE  "general-release"

#endif
