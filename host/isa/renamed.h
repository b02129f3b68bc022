/* Forms that two versions of LLVM name differently, with the same operands: captures
 * and tables of other tools, and what a person types, may have the names of either. */
#ifndef ISA_RENAMED_H
#define ISA_RENAMED_H

#include <stddef.h>

/* Pairs of names of LLVM 19 and 22, a line "NAME OTHER" for each of both, sorted;
 * made by cmake/renamed_forms.py. */
extern const char aarch64_renamed[];
extern const char riscv64_renamed[];
extern const char x86_64_renamed[];

/* Write a form's name in the other version to `room`, of `size` bytes: what stands
 * behind '/' stays.  Returns `room`; NULL: no other name in `pairs`, or no room. */
char *renamed_form(const char *pairs, const char *name, char *room,
		   size_t size);

#endif
