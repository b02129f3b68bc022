/* Text of disassemblers without machine code, as source.h needs it: of gdb's
 * command "disassemble", and of llvm-objdump with --symbolize-operands and
 * without addresses. */
#ifndef PREDICT_ANNOTATED_H
#define PREDICT_ANNOTATED_H

#include <stdbool.h>
#include <stddef.h>

/* Does a line begin as gdb's do, "0x0000000000001122 <+2>:", or is one a label of
 * llvm-objdump, "<L0>:"? */
bool annotated_is(const char *text, size_t n);

/* Rewrite text[0..n) in place as assembly: addresses become labels ("L1122:"), as
 * do targets of jumps ("0x1128 <sum+8>": "L1128"); names lose their brackets, and
 * characters that a symbol cannot have become '_'.  gdb's heading of a function
 * becomes its label; other headings and the mark "=>" become blanks.  All else stays
 * where it is. */
void annotated_clean(char *text, size_t n);

#endif
