/* Shared by the two files of the x86-64 instruction set. */
#ifndef ISA_X86_64_H
#define ISA_X86_64_H

#include "host/isa/isa.h"

/* LLVM features a form needs, from its name and encoding. */
const char *x86_64_required_features(const struct form *form,
				     const unsigned char *code, size_t n);

#endif
