/* Assembly that stands for a form under another mnemonic than its example:
 * conditions, and aliases of the manuals.  Programs that read assembly text know
 * an instruction by its mnemonic. */
#ifndef ISA_SPELLING_H
#define ISA_SPELLING_H

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

#endif
