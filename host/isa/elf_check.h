/* Are the tables of an ELF file sound?  LLVM's reader asserts on some that are
 * not, and loops without end on others. */
#ifndef ISA_ELF_CHECK_H
#define ISA_ELF_CHECK_H

#include <stddef.h>

/* Check the section table of a 64-bit little-endian ELF file of n bytes, and
 * its names, symbols and relocations: each lies in the file, has entries of the
 * size that its type demands, and refers to sections, symbols and names that
 * exist. Program headers are not checked.  NULL: sound; else what is wrong, a
 * string constant.  Source: System V ABI, chapters 4 and 5. */
const char *elf_check(const unsigned char *bytes, size_t n);

#endif
