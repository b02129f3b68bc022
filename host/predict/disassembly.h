/* Programs from what objdump prints. */
#ifndef PREDICT_DISASSEMBLY_H
#define PREDICT_DISASSEMBLY_H

#include "host/predict/program.h"

/* Is the text a disassembly, of GNU objdump -d or llvm-objdump -d? */
bool disassembly_is(const char *text, size_t n);

/* Decode the machine code that the disassembly shows, and take its symbols as
 * labels.  Everything in *ret belongs to `a`.  Bytes that do not decode become an
 * instruction without a form.  ERR_INPUT, with the line, if the machine code is
 * missing (--no-show-raw-insn). */
int program_from_disassembly(struct arena *a, const struct catalogue *c,
			     const char *name, const char *text, size_t n,
			     struct program *ret, struct err *e);

#endif
