/* Texts of other tools as assembly, as source.h needs it:
 *
 *	listings of Microsoft's compiler (cl /FA): "name PROC" becomes "name:".
 *	Directives, data, comments and the words SHORT and FLAT: become blanks.
 *	'@', '?' and '$' in names become '_'.
 *
 *	disassemblers without machine code: gdb's command "disassemble", and
 *	llvm-objdump with --symbolize-operands and without addresses. Addresses
 *	become labels ("L1122:"), as do targets of jumps ("0x1128 <sum+8>":
 *	"L1128"); names lose their brackets, and characters that a symbol cannot
 *	have become '_'. gdb's heading of a function becomes its label; other
 *	headings and the mark "=>" become blanks. */
#ifndef PREDICT_FOREIGN_H
#define PREDICT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

/* Rewrite text[0..n) in place for LLVM's parser if it is of such a tool: a line
 * "name PROC" shows a listing, one as gdb's ("0x0000000000001122 <+2>:") or a
 * label as llvm-objdump's ("<L0>:") a disassembly.  All that is not named above
 * stays where it is.  False: it is of none. */
bool foreign_clean(char *text, size_t n);

#endif
