/* Memory forms of the RISC-V instruction set: isa.open_address and
 * isa.memory. */
#ifndef ISA_RISCV64_MEMORY_H
#define ISA_RISCV64_MEMORY_H

#include "host/isa/isa.h"

bool riscv64_open_address(const struct catalogue *c, struct form *form,
			  struct operand *operands);
extern const struct isa_memory riscv64_memory;
extern const struct isa_loop riscv64_loop;
extern const struct isa_guest riscv64_guest;
extern const struct isa_numbers riscv64_numbers;
extern const struct isa_value_words riscv64_value_words[];

#endif
