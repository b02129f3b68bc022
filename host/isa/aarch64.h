/* Shared by the files of the AArch64 instruction set. */
#ifndef ISA_AARCH64_H
#define ISA_AARCH64_H

#include "host/isa/isa.h"

/* isa.open_address and isa.memory */
bool aarch64_open_address(const struct catalogue *c, struct form *form,
			  struct operand *operands);
extern const struct isa_memory aarch64_memory;
extern const struct isa_loop aarch64_loop;

#endif
