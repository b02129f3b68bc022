/* Assembly that stands for a form under another mnemonic than its example:
 * conditions, and aliases of the manuals.  Programs that read assembly text
 * know an instruction by its mnemonic. */
#ifndef ISA_SPELLING_H
#define ISA_SPELLING_H

#include "host/isa/catalogue.h"

/* A line of assembly in which '?' stands for one of the words (separated by
 * blanks; NULL: the line has no '?').  A branch goes to the symbol x. */
struct isa_spelling {
	const char *line;
	const char *words;
};

/* Tables of the instruction sets; a NULL line ends. */
extern const struct isa_spelling aarch64_spellings[];
extern const struct isa_spelling riscv64_spellings[];
extern const struct isa_spelling x86_64_spellings[];

/* A line of the table with one of its words, and the form whose code it is. */
struct spelling {
	const char *line; /* lives as long as the arena */
	const struct form *form;
	bool branch; /* to the symbol x */
};

/* Give each line of the instruction set's table to `take`, which returns 0 to
 * go on. LLVM's assembler tells which form a line is; a line that is none is
 * left out. ERR_SYSTEM: LLVM lacks the instruction set. */
int spelling_read(struct arena *a, const struct catalogue *c,
		  int (*take)(void *context, const struct spelling *x),
		  void *context, struct err *e);

#endif
