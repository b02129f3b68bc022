/* Directives of assemblers, and which of them may stand in assembly that is
 * predicted.
 *
 * A prediction needs instructions and labels.  Directives that read files,
 * repeat lines, define macros or print are refused; the few that change how the
 * next instructions are read are executed; numbers in a section of code are
 * taken for machine code; all others, such as data and debug information, are
 * skipped. */
#ifndef ISA_DIRECTIVE_H
#define ISA_DIRECTIVE_H

#include <stdbool.h>
#include <stddef.h>

struct refused_directives {
	const char *const *names; /* in lower case; NULL ends them */
	const char *what;         /* what each does: "reads a file" */
};

/* Ends with NULL names. */
extern const struct refused_directives refused_directives[];

/* What this directive does, if it is refused, else NULL.  Case does not
 * matter. */
const char *directive_refused(const char *name, size_t n);

/* Does the directive write numbers, which may be machine code?  Case does not
 * matter. */
bool directive_code(const char *name, size_t n);

/* Bytes of each number of such a directive; 0: the first of its numbers says it
 * (.insn), or it is none.  word: bytes of .word on the instruction set. */
unsigned directive_code_bytes(const char *name, size_t n, unsigned word);

/* Is the directive executed?  Case matters, as it does to LLVM. */
bool directive_executed(const char *name, size_t n);

#endif
